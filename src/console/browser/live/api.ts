/** Calls the control plane, by the types that its documents generate. */
import createClient from 'openapi-fetch';
import type { components, paths } from '../../../engine/control/generated.ts';
import type { components as own, paths as ownPaths } from '../../calls/generated.ts';
import { place } from '../route.ts';
import { createStore } from './store.ts';

export type MockSchemas = components['schemas'] & own['schemas'];
export type Kind = MockSchemas['Kind'];
export type Row = MockSchemas['Row'];
export type FullRow = MockSchemas['FullRow'];
export type Entry = MockSchemas['Request'];

const TOKEN_KEY = 'control-token';

export const tokenWanted = createStore(false);

export const isAway = createStore(false);

/** Stores the control token for this tab only. */
export const setToken = (token: string): void => {
  sessionStorage.setItem(TOKEN_KEY, token);
  tokenWanted.set(false);
};

export const controlAuthorization = (): { readonly Authorization?: string } => {
  const token = sessionStorage.getItem(TOKEN_KEY);
  return token === null ? {} : { Authorization: `Bearer ${token}` };
};

export class CallError extends Error {
  /** @param status the HTTP status; 0 if the call got no answer */
  constructor(
    readonly status: number,
    message: string,
    readonly hint: string,
    readonly violations: MockSchemas['Error']['error']['violations'] = [],
  ) {
    super(message);
  }
}

/** The folder of the console, `/_mock/`, also where the mock is mounted below a path. */
export const BASE = new URL('.', document.baseURI).href;

/** Whether the same call may succeed later: the mock did not answer, or had a fault of its own. */
export const mayPass = (error: unknown): boolean =>
  error instanceof CallError && (error.status === 0 || error.status >= 500);

const ask = async (request: Request): Promise<Response> => {
  for (const [name, value] of Object.entries(controlAuthorization())) request.headers.set(name, value);
  const response = await fetch(request).catch(() => {
    if (!request.signal.aborted) isAway.set(true);
    throw new CallError(0, 'The mock is not responding.', 'Is it still running?');
  });
  isAway.set(false);
  if (response.ok) return response;
  if (response.status === 401) tokenWanted.set(true);
  const { error }: Partial<MockSchemas['Error']> = await response.json().catch(() => ({}));
  const message = error?.message ?? `The mock answered ${response.status}.`;
  throw new CallError(response.status, message, error?.hint ?? 'Its log may say why.', error?.violations);
};

type AllPaths = paths & ownPaths;

/** @throws CallError for each refusal */
export const api = createClient<AllPaths>({ baseUrl: BASE, fetch: ask });

/** A call without the name of its environment. */
type Within<Call> = Call extends { parameters: infer Given extends { path: { env: string } } }
  ? Omit<Call, 'parameters'> & {
      parameters: Omit<Given, 'path'> &
        (keyof Given['path'] extends 'env' ? { path?: never } : { path: Omit<Given['path'], 'env'> });
    }
  : Call;

/** The paths below an environment, such as `/faults`. */
type OwnPaths = {
  [Path in keyof AllPaths as Path extends `/environments/{env}${infer Rest}` ? Rest : never]: {
    [Method in keyof AllPaths[Path]]: Within<AllPaths[Path][Method]>;
  };
};

/** A request to the environment of the page's address, which stands for the `*`. */
class RequestHere extends Request {
  constructor(url: RequestInfo | URL, init?: RequestInit) {
    super(String(url).replace('*', encodeURIComponent(place.get().environment)), init);
  }
}

/** Calls within the environment of the page's address. @throws CallError for each refusal */
export const here = createClient<OwnPaths>({
  baseUrl: `${BASE}environments/*`,
  fetch: ask,
  Request: RequestHere,
});

export const answer = async <Data>(asked: Promise<{ data?: Data }>): Promise<Data> =>
  (await asked).data as Data; // the cast is safe: `ask` throws for each answer without data

/** Reads what has no type of its own: a file of the build, or the stream of events. @throws CallError */
export const readFile = (path: string, signal?: AbortSignal): Promise<Response> =>
  ask(new Request(new URL(path, BASE), { signal: signal ?? null }));

/** Saves a text of the mock as a file. A plain link could not send the control token. */
export const save = (text: string, name: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text]));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};

/** A member's value as text. "" if it is missing. */
export const textOf = (value: unknown): string => [value ?? ''].flat().map(String).join(', ');

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
