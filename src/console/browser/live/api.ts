/** Sends the page's calls to the control plane. */
import type { components } from '../../../engine/control/generated.ts';
import type { components as own } from '../../calls/generated.ts';
import { createStore } from './store.ts';

export type MockSchemas = components['schemas'] & own['schemas'];
export type KindName = MockSchemas['ResourceKind'];
export type ResourcePage = MockSchemas['ResourcePage'];

const TOKEN_KEY = 'control-token';

export const tokenWanted = createStore(false);

/** Whether the mock is not responding, or responds again and the page does not show everything anew yet. */
export const isAway = createStore(false);

const missing = new Set<unknown>();

/** @param what waits for the mock: a call, the event stream, or a value of the page that is read again */
export const setAway = (what: unknown, isMissing: boolean): void => {
  if (isMissing) missing.add(what);
  else missing.delete(what);
  isAway.set(missing.size > 0);
};

/** Stores the control token for this tab only. */
export const setToken = (token: string): void => {
  sessionStorage.setItem(TOKEN_KEY, token);
  tokenWanted.set(false);
};

/** The header with the control token that the user entered. Empty if the user has entered no token. */
export const controlAuthorization = (): { readonly Authorization?: string } => {
  const token = sessionStorage.getItem(TOKEN_KEY);
  return token === null ? {} : { Authorization: `Bearer ${token}` };
};

type Violation = NonNullable<MockSchemas['Error']['error']['violations']>[number];

export class CallError extends Error {
  /** The HTTP status; 0 if the call got no answer. */
  readonly status: number;
  /** The mock's advice to the user. "" if the mock advises an API call, because the page cannot make that call. */
  readonly hint: string;
  readonly violations: readonly Violation[];

  constructor(status: number, message: string, hint: string, violations: readonly Violation[] = []) {
    super(message);
    this.status = status;
    this.violations = violations;
    this.hint = /\/_mock|\b(?:GET|POST|PUT|PATCH|DELETE)\b/.test(hint) ? '' : hint;
  }
}

/**
 * Makes a call to the control plane, and returns the response if the call succeeded.
 * @param path a path below `/_mock`, without a leading slash
 * @param body a scenario file, which is sent unchanged, or any other value, which is sent as JSON
 * @throws CallError
 */
export const send = async (method: string, path: string, body?: unknown, signal?: AbortSignal) => {
  const isFile = body instanceof Blob;
  const response = await fetch(path, {
    method,
    headers: {
      ...controlAuthorization(),
      ...(body !== undefined && { 'Content-Type': isFile ? 'application/yaml' : 'application/json' }),
    },
    body: isFile ? body : (JSON.stringify(body) ?? null),
    signal: signal ?? null,
  }).catch(() => {
    if (!signal?.aborted) setAway(send, true);
    throw new CallError(0, 'The mock is not responding.', 'Is it still running?');
  });
  setAway(send, false);
  if (response.ok) return response;
  if (response.status === 401) tokenWanted.set(true);
  const { error }: Partial<MockSchemas['Error']> = await response.json().catch(() => ({}));
  const { message = `The mock answered ${response.status}.`, hint = 'The log of the mock may say why.' } =
    error ?? {};
  throw new CallError(response.status, message, hint, error?.violations);
};

/** Whether the same call may succeed later: the mock did not answer, or had a fault of its own. */
export const mayPass = (error: unknown): boolean =>
  error instanceof CallError && (error.status === 0 || error.status >= 500);

/** Makes a call to the control plane, and returns the JSON reply. @throws CallError */
export const call = async <Reply = object>(method: string, path: string, body?: unknown): Promise<Reply> =>
  (await send(method, path, body)).json();

/** Saves what the control plane answers as a file. A plain link could not send the control token. @throws CallError */
export const download = async (path: string, name: string): Promise<void> => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await (await send('GET', path)).blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};

/** Reads a list from the control plane, such as all environments. @throws CallError */
export const readList = async <Item>(path: string): Promise<readonly Item[]> =>
  Object.values(await call('GET', path)).find(Array.isArray) ?? [];

/** A JSON object, such as a row in a list of the control plane. */
export type Row = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null;

/** A member's value as text. "" if the row does not have the member. */
export const textOf = (value: unknown): string => String(value ?? '');
