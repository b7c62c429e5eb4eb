/** Sends calls to the service under test. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Unusable } from '../core/errors.ts';
import { parseJson, valueAt } from '../core/object.ts';
import { mentionsSecret } from '../core/secrets.ts';
import { type ContractOperation, loadContract } from '../openapi/load.ts';
import type { OperationId } from '../openapi/types.ts';
import type { Reply } from './reply-check.ts';

type QueryValue = string | number | boolean;

/** The content of a call. The contract gives the method and path if they are left out. */
export interface Call {
  readonly path?: Readonly<Record<string, string>>;
  /** Query parameters. For a list, the parameter is repeated. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;
  /** A body to send as JSON. */
  readonly body?: unknown;
  /** A body to send as form fields. */
  readonly form?: Readonly<Record<string, string>>;
  /** A body to send unchanged. `headers` must have its `content-type`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The access token; null to send none. Default: a valid token. */
  readonly token?: string | null;
  /** Replaces the operation's method. */
  readonly method?: string;
  /** Replaces the operation's path and query. It is sent unchanged. */
  readonly url?: string;
}

export interface ClientOptions {
  /** The base address, without a slash at its end. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** How many milliseconds to wait for a reply. */
  readonly timeout: number;
}

export interface Client extends ClientOptions {
  /** Calls an operation. @throws Unusable if no reply comes */
  send(operationId: OperationId, call: Call): Promise<Reply>;
  /** Fetches any address, without a token. @throws Unusable if no reply comes */
  open(url: string): Promise<Reply>;
}

/** Makes a client, and gets an access token for it. @throws Unusable if it gets none */
export const createClient = async (options: ClientOptions): Promise<Client> => {
  const { baseUrl, timeout } = options;
  const token = await requestToken(options);
  const send: Client['send'] = async (operationId, call) => {
    const operation = loadContract().operation(operationId);
    const bearer =
      call.token === undefined && operation.definition.security === undefined ? token : call.token;
    const content = contentOf(call);
    const request = {
      method: call.method ?? operation.method.toUpperCase(),
      headers: {
        ...(typeof bearer === 'string' && { authorization: `Bearer ${bearer}` }),
        ...(content?.type !== undefined && { 'content-type': content.type }),
        ...call.headers,
      },
      ...(content && { body: content.text }),
    };
    return patiently(() => exchange(baseUrl + urlOf(operation, call), request, timeout));
  };
  return { ...options, send, open: (url) => exchange(url, {}, timeout) };
};

const requestToken = async ({ baseUrl, clientId, clientSecret, timeout }: ClientOptions): Promise<string> => {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const request = { method: 'POST', body: new URLSearchParams(form) };
  const { status, body } = await exchange(`${baseUrl}/oauth/token`, request, timeout);
  const token = valueAt(body, 'access_token');
  if (status === 200 && typeof token === 'string' && token !== '') return token;
  const reason = status === 200 ? 'its answer has no member "access_token"' : `status ${status}`;
  throw new Unusable(
    `${baseUrl}/oauth/token gave no token: ${reason}. Check --base-url, --client-id and --client-secret.`,
  );
};

/** Sends a request and returns its reply, without following redirects. @throws Unusable if no reply comes */
const exchange = async (url: string, init: RequestInit, timeout: number): Promise<Reply> => {
  try {
    const signal = AbortSignal.timeout(timeout);
    const { status, headers, body } = await fetch(url, { ...init, redirect: 'manual', signal });
    return { status, headers: Object.fromEntries(headers), body: parseJson(await readText(body)) };
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string } }; // fetch rejects with this error
    const why = name === 'TimeoutError' ? `no reply within ${timeout / 1000} s` : (cause?.code ?? message);
    const { origin, pathname } = new URL(url);
    throw new Unusable(
      `${init.method ?? 'GET'} ${origin}${pathname}: ${why}. Check that the server runs and that --base-url is right.`,
    );
  }
};

const LARGEST = 8 * 1024 * 1024;

const readText = async (body: AsyncIterable<Uint8Array> | null): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > LARGEST) throw new Error('the reply is larger than 8 MiB');
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
};

/** Seconds. */
const LONGEST_WAIT = 30;

/** Sends a call again after a 429 answer, at most twice. Waits as long as the answer says. */
const patiently = async (ask: () => Promise<Reply>): Promise<Reply> => {
  for (let tries = 1; ; tries += 1) {
    const reply = await ask();
    const wait = Number(reply.headers['retry-after'] ?? 1);
    if (reply.status !== 429 || tries === 3 || !(wait <= LONGEST_WAIT)) return reply;
    await sleep(wait * 1000);
  }
};

/** The path and query of a call, without the base address. */
const urlOf = ({ path }: ContractOperation, call: Call): string => {
  if (call.url !== undefined) return call.url;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.path?.[name] ?? ''));
  const query = new URLSearchParams(
    Object.entries(call.query ?? {}).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, String(each)]),
    ),
  ).toString();
  return query ? `${filled}?${query}` : filled;
};

/** The body of a call and its media type. Undefined if the call has no body. */
const contentOf = ({ text, form, body }: Call): { text: string; type?: string } | undefined => {
  if (text !== undefined) return { text };
  if (form) return { text: new URLSearchParams(form).toString(), type: 'application/x-www-form-urlencoded' };
  return body === undefined ? undefined : { text: JSON.stringify(body), type: 'application/json' };
};

/**
 * The text at a place in a body.
 * @param names the path to the text
 * @throws Error that names the place, if the body has no text there
 */
export const textAt = (body: unknown, ...names: readonly (string | number)[]): string => {
  const found = valueAt(body, ...names);
  if (typeof found !== 'string') throw new Error(`The reply has no text at ${names.join('.')}.`);
  return found;
};

/** A part of a JWT. */
export const tokenPart = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** The message in an error body, to print after the status. Empty if the message may hold a credential. */
export const messageOf = (body: unknown): string => {
  const message = valueAt(body, 'message');
  return typeof message === 'string' && !mentionsSecret(message) ? `: ${message.slice(0, 300)}` : '';
};
