/** Calls of the control plane; this page calls nothing else. */
import type { components } from '../../../control/generated.ts';
import { createStore } from './store.ts';

export type Schemas = components['schemas'];
export type KindName = Schemas['ResourceKind'];
export type ResourcePage = Schemas['ResourcePage'];

const TOKEN_KEY = 'control-token';

/** Whether the server asked for a control token. */
export const tokenWanted = createStore(false);

/** Whether the last call got no answer, or the stream broke. */
export const isAway = createStore(false);

/** Keeps the token for this tab only. */
export const setToken = (token: string): void => {
  sessionStorage.setItem(TOKEN_KEY, token);
  tokenWanted.set(false);
};

/** The token that was entered, right or wrong. */
export const controlToken = (): string | null => sessionStorage.getItem(TOKEN_KEY);

const authorization = (): Record<string, string> => {
  const token = controlToken();
  return token === null ? {} : { Authorization: `Bearer ${token}` };
};

/** A call that was refused or got no answer. */
export class CallError extends Error {
  /** 0 if the call got no answer. */
  readonly status: number;
  /** What to do next; "" if the advice is an API call, which a page's user cannot make. */
  readonly hint: string;

  constructor(status: number, message: string, hint: string) {
    super(message);
    this.status = status;
    this.hint = /\/_mock|\b(?:GET|POST|PUT|PATCH|DELETE)\b/.test(hint) ? '' : hint;
  }
}

interface CallOptions {
  /** Sent as JSON; a file is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * @param path within `/_mock`, without a leading slash
 * @throws CallError
 */
export const send = async (
  method: string,
  path: string,
  { body, headers, signal }: CallOptions = {},
): Promise<Response> => {
  const isFile = body instanceof Blob;
  const response = await fetch(path, {
    method,
    headers: {
      ...authorization(),
      ...(body !== undefined && !isFile && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch(() => {
    if (!signal?.aborted) isAway.set(true);
    throw new CallError(0, 'The mock does not answer.', 'Is it still running?');
  });
  isAway.set(false);
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

/** A call whose JSON reply has the type that the control plane's document gives it. @throws CallError */
export const call = async <Reply = object>(method: string, path: string, body?: unknown): Promise<Reply> =>
  (await send(method, path, { body })).json();

/** All environments of the server. @throws CallError */
export const readEnvironments = async (): Promise<readonly Schemas['Environment'][]> =>
  (await call<{ readonly environments: Schemas['Environment'][] }>('GET', 'environments')).environments;

/** The path of something within an environment. */
export const within = (environment: string, path = ''): string =>
  `environments/${encodeURIComponent(environment)}${path}`;

/** A row as the control plane lists it: members of any kind, read by name. */
export type Row = Readonly<Record<string, unknown>>;

/** A member as text; "" if the row does not have it. */
export const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : String(value);

/** A member that is a list of rows. */
export const rowsOf = (value: unknown): readonly Row[] => (Array.isArray(value) ? value : []);
