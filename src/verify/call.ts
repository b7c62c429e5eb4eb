/** A request as a case writes it, a reply as a case reads it, and the way from one to the other. */
import type { ContractOperation } from '../openapi/load.ts';

type QueryValue = string | number | boolean;

/** What to send to an operation. Members that are left out are as the contract has them. */
export interface Call {
  readonly path?: Readonly<Record<string, string>>;
  /** A list repeats the name. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as form fields. */
  readonly form?: Readonly<Record<string, string>>;
  /** A body as it is; give its `content-type` among the headers. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A bearer of its own, or null for none. Left out: one that is good. */
  readonly token?: string | null;
  /** Another method than the operation's. */
  readonly method?: string;
  /** Path and query as they are, instead of those of the operation. */
  readonly url?: string;
  /** Opens an authorization link instead of calling the operation; without a decision the server's mode decides. */
  readonly follow?: { readonly link: string; readonly decision?: Decision };
  /** Asks the control plane instead of the operation. */
  readonly control?: ControlCall;
}

export interface ControlCall {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below the environment of the run, such as `outbox`. */
  readonly path: string;
  readonly body?: unknown;
}

export type Decision = 'approve' | 'deny';

export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined where there is none. */
  readonly body: unknown;
  /** Whether it answers the opening of a link or the control plane, which the contract says nothing about. */
  readonly isOutside?: boolean;
}

/** Path and query of a call, without the base address. */
export const urlOf = ({ path }: ContractOperation, call: Call): string => {
  if (call.url !== undefined) return call.url;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.path?.[name] ?? ''));
  const query = new URLSearchParams(
    Object.entries(call.query ?? {}).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, String(each)]),
    ),
  ).toString();
  return query ? `${filled}?${query}` : filled;
};

/** The content of a call and its media type; undefined if it has none. */
export const contentOf = ({ text, form, body }: Call): { text: string; type?: string } | undefined => {
  if (text !== undefined) return { text };
  if (form) return { text: new URLSearchParams(form).toString(), type: 'application/x-www-form-urlencoded' };
  return body === undefined ? undefined : { text: JSON.stringify(body), type: 'application/json' };
};

/** The text that stands under these names of a body. @throws Error naming the place if there is none */
export const textAt = (body: unknown, ...names: readonly (string | number)[]): string => {
  const found = valueAt(body, ...names);
  if (typeof found !== 'string') throw new Error(`The reply has no text at ${names.join('.')}.`);
  return found;
};

/** What stands under these names of a body, or undefined. */
export const valueAt = (body: unknown, ...names: readonly (string | number)[]): unknown =>
  names.reduce(
    (held, name) =>
      typeof held === 'object' && held !== null && Object.hasOwn(held, name)
        ? (held as Record<string | number, unknown>)[name] // an own member, as just checked
        : undefined,
    body,
  );
