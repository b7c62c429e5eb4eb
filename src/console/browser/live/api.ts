/** Calls of the control plane, the only thing this page ever talks to. */
import type { components } from '../../../control/generated.ts';
import { createStore } from './store.ts';

export type Schemas = components['schemas'];

const TOKEN_KEY = 'control-token';

/** Whether the server asked for a control token that it was not given. */
export const tokenWanted = createStore(false);

/** Kept for this tab alone. */
export const setToken = (token: string): void => {
  sessionStorage.setItem(TOKEN_KEY, token);
  tokenWanted.set(false);
};

/** The one that was given, right or wrong. */
export const controlToken = (): string | null => sessionStorage.getItem(TOKEN_KEY);

const authorization = (): Record<string, string> => {
  const token = controlToken();
  return token === null ? {} : { Authorization: `Bearer ${token}` };
};

/** A call that was refused, or that reached no server. */
export class CallError extends Error {
  /** 0 if no server answered. */
  readonly status: number;
  /** What to do next. */
  readonly hint: string;

  constructor(status: number, message: string, hint: string) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

/** @param path within `/_mock`, without a slash at its beginning @throws CallError */
export const send = async (
  method: string,
  path: string,
  { body, ...init }: Omit<RequestInit, 'body'> & { readonly body?: unknown } = {},
): Promise<Response> => {
  const response = await fetch(path, {
    method,
    ...init,
    headers: {
      ...init.headers,
      ...authorization(),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new CallError(0, 'The mock does not answer.', 'Is it still running?');
  });
  if (response.ok) return response;
  if (response.status === 401) tokenWanted.set(true);
  throw await toCallError(response);
};

const toCallError = async (response: Response): Promise<CallError> => {
  try {
    const { error }: Schemas['Error'] = await response.json();
    return new CallError(response.status, error.message, error.hint);
  } catch {
    return new CallError(response.status, `The mock answered ${response.status}.`, 'Its log may say why.');
  }
};

/** A call with a JSON answer of the type that the control plane's document gives it. @throws CallError */
export const call = async <Reply = object>(method: string, path: string, body?: unknown): Promise<Reply> => {
  const response = await send(method, path, body === undefined ? {} : { body });
  return response.json();
};

/** All environments of the server. @throws CallError */
export const readEnvironments = async (): Promise<readonly Schemas['Environment'][]> =>
  (await call<{ readonly environments: Schemas['Environment'][] }>('GET', 'environments')).environments;

/** The path of something within an environment. */
export const within = (environment: string, path = ''): string =>
  `environments/${encodeURIComponent(environment)}${path}`;

/** A row as the control plane lists it: members of any kind, read by name. */
export type Row = Readonly<Record<string, unknown>>;

/** A member as text; "" where there is none. */
export const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : String(value);

/** A member that is a list of rows. */
export const rowsOf = (value: unknown): readonly Row[] => (Array.isArray(value) ? value : []);
