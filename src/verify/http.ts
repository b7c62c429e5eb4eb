/** Talks to the server under test, which is trusted with nothing: what is read of it is bounded. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson, valueAt } from '../core/object.ts';
import type { HttpReply, Message } from '../mock/send.ts';
import { type ContractOperation, loadContract } from '../openapi/load.ts';
import type { OperationId } from '../openapi/types.ts';
import { credentialsIn, type Secrets } from './secrets.ts';

/** The server could not be asked, gave no reply that can be read, or no token. The message holds no credential. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined where there is none. */
  readonly body: unknown;
}

type QueryValue = string | number | boolean;

/** What to send to an operation. Members that are left out are as the contract has them. */
export interface RequestParts {
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
}

const LARGEST = 8 * 1024 * 1024;
const DEEPEST = 100;

/** One request and its whole reply as text; redirects are not followed. @throws Unreachable */
const fetchText = async (url: string, init: RequestInit, timeout: number) => {
  try {
    const signal = AbortSignal.timeout(timeout);
    const { status, headers, body } = await fetch(url, { ...init, redirect: 'manual', signal });
    return { status, headers: Object.fromEntries(headers), text: await readBounded(body) };
  } catch (error) {
    throw new Unreachable(whyNot(url, init.method ?? 'GET', error, timeout));
  }
};

const readBounded = async (body: AsyncIterable<Uint8Array> | null): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop closes the connection.
    if (size > LARGEST) throw new Error('the reply is larger than 8 MiB');
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
};

const whyNot = (url: string, method: string, error: unknown, timeout: number): string => {
  const { origin, pathname } = new URL(url);
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } }; // what fetch rejects with
  const why =
    name === 'TimeoutError'
      ? `no reply within ${timeout / 1000} s`
      : (cause?.code ?? cause?.message ?? message);
  return `${method} ${origin}${pathname}: ${why}. Check that the server runs and that --base-url is right.`;
};

/** One request and its reply. @throws Unreachable also for a reply that is too large, or nested too deep */
export const exchange = async (url: string, init: RequestInit, timeout: number): Promise<Reply> => {
  const { text, ...head } = await fetchText(url, init, timeout);
  const body = parseJson(text);
  if (isTooDeep(body))
    throw new Unreachable(`${url} answered with JSON that is nested more than ${DEEPEST} levels deep.`);
  return { ...head, body };
};

/** What `connectMock` makes its calls with, within the same bounds. */
export const boundedSend =
  (timeout: number) =>
  (address: URL, { method, headers, body }: Message): Promise<HttpReply> =>
    fetchText(address.href, { method, headers, body: body ?? null }, timeout);

/** Level by level, since walking down would itself run out of stack. */
const isTooDeep = (body: unknown): boolean => {
  let level = [body];
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
};

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** A bearer to use instead of asking for one. */
  readonly accessToken?: string | undefined;
}

export interface ClientOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly credentials: ClientCredentials;
  /** Milliseconds that a reply may take. */
  readonly timeout: number;
  readonly secrets: Secrets;
}

/** Sends calls as one client of the API. */
export interface Client {
  /** @throws Unreachable */
  send(operationId: OperationId, call: RequestParts): Promise<Reply>;
  /** A good token. @throws Unreachable if the server gives none */
  token(): Promise<string>;
}

export const createClient = (options: ClientOptions): Client => {
  const { credentials, secrets, baseUrl, timeout } = options;
  secrets.add(credentials.clientSecret);
  secrets.add(credentials.accessToken);
  let current = credentials.accessToken;
  const token = async (): Promise<string> => {
    current ??= await requestToken(options);
    secrets.add(current);
    return current;
  };
  const send: Client['send'] = async (operationId, call) => {
    const operation = loadContract().operation(operationId);
    const needsToken = operation.definition.security === undefined;
    const bearer = call.token === undefined && needsToken ? await token() : (call.token ?? undefined);
    const content = contentOf(call);
    const request = {
      method: call.method ?? operation.method.toUpperCase(),
      headers: {
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(content?.type !== undefined && { 'content-type': content.type }),
        ...call.headers,
      },
      ...(content && { body: content.text }),
    };
    const reply = await patiently(() => exchange(baseUrl + urlOf(operation, call), request, timeout), call);
    for (const credential of credentialsIn(reply.body)) secrets.add(credential);
    return reply;
  };
  return { send, token };
};

/** Path and query of a call, without the base address. */
const urlOf = ({ path }: ContractOperation, call: RequestParts): string => {
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
const contentOf = ({ text, form, body }: RequestParts): { text: string; type?: string } | undefined => {
  if (text !== undefined) return { text };
  if (form) return { text: new URLSearchParams(form).toString(), type: 'application/x-www-form-urlencoded' };
  return body === undefined ? undefined : { text: JSON.stringify(body), type: 'application/json' };
};

const LONGEST_WAIT = 30;

/** A rate limit that the case did not ask for is waited out, twice at most. */
const patiently = async (ask: () => Promise<Reply>, { headers }: RequestParts): Promise<Reply> => {
  for (let tries = 1; ; tries += 1) {
    const reply = await ask();
    const wait = Number(reply.headers['retry-after'] ?? 1);
    const isAskedFor = headers !== undefined && 'prefer' in headers;
    if (reply.status !== 429 || isAskedFor || tries === 3 || !(wait <= LONGEST_WAIT)) return reply;
    await sleep(wait * 1000);
  }
};

const requestToken = async ({ baseUrl, credentials, timeout }: ClientOptions): Promise<string> => {
  const form = {
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
  };
  const request = { method: 'POST', body: new URLSearchParams(form) };
  const { status, body } = await exchange(`${baseUrl}/oauth/token`, request, timeout);
  if (status !== 200)
    throw new Unreachable(
      `${baseUrl}/oauth/token gave no token: status ${status}. Check --base-url, --client-id and --client-secret.`,
    );
  const token = valueAt(body, 'access_token');
  if (typeof token === 'string' && token !== '') return token;
  throw new Unreachable(
    `${baseUrl}/oauth/token answered 200 without a token: its body is no JSON object with a text "access_token". Check that --base-url is the address of the API.`,
  );
};

/** The text under these names of a body. @throws Error naming the place if there is none */
export const textAt = (body: unknown, ...names: readonly (string | number)[]): string => {
  const found = valueAt(body, ...names);
  if (typeof found !== 'string') throw new Error(`The reply has no text at ${names.join('.')}.`);
  return found;
};

/** What an error says of itself, to be put behind its status. */
export const messageOf = (body: unknown): string => {
  const message = valueAt(body, 'message');
  return typeof message === 'string' ? `: ${message}` : '';
};
