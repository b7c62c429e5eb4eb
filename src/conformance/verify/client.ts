/** Sends the calls of `verify` to the server under test. */
import { setTimeout as sleep } from 'node:timers/promises';
import { loadContract } from '../../engine/contract/load.ts';
import { Unusable } from '../../engine/core/errors.ts';
import { parseJson, valueAt } from '../../engine/core/object.ts';
import { whyUnreachable } from '../../engine/core/unreachable.ts';
import type { OperationId } from '../../service/contract.ts';
import type { Reply } from './reply-check.ts';

/** Query parameters. For a list, the parameter is repeated. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** The content of a call. If it has no `method` or `url`, the contract supplies the method and the path. */
export interface Call {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Query;
  /** A string or a form is sent unchanged; anything else is sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The access token; null to send none. Default: a valid token. */
  readonly token?: string | null;
  /** The method, in place of the operation's own. */
  readonly method?: string;
  /** The path and query to send, exactly as given, in place of the operation's own. */
  readonly url?: string;
}

export interface Access {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** How many seconds to wait for a reply. Default: 10. */
  readonly timeout?: number | undefined;
}

const addressOf = ({ baseUrl }: Access, path: string): string => baseUrl.replace(/\/+$/, '') + path;

/** Requests an access token. @throws Unusable if the service issues none */
export const requestToken = async (access: Access): Promise<string> => {
  const { clientId, clientSecret } = access;
  const url = addressOf(access, '/oauth/token');
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const request = { method: 'POST', body: new URLSearchParams(form) };
  const { status, body } = await patiently(() => exchange(url, request, access));
  const token = valueAt(body, 'access_token');
  if (status === 200 && typeof token === 'string' && token !== '') return token;
  const reason = status === 200 ? 'its answer has no member "access_token"' : `status ${status}`;
  throw new Unusable(
    `${url} returned no token: ${reason}. Check the address, --client-id and --client-secret.`,
  );
};

const MOST_TRIES = 3;
/** In seconds. A call whose answer asks for a longer wait is not repeated. */
const LONGEST_WAIT = 30;

/** Repeats a call that is answered with 429, as late as the answer asks. */
const patiently = async (ask: () => Promise<Reply>): Promise<Reply> => {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await ask();
    const wait = Math.max(Number(reply.headers['retry-after']) || 1, 0.1);
    if (reply.status !== 429 || attempt === MOST_TRIES || wait > LONGEST_WAIT) return reply;
    await sleep(wait * 1000);
  }
};

/** Calls an operation; after a 429, again, as late as the answer asks. @throws Unusable without a reply */
export const send = async (
  access: Access & { readonly token: string },
  operationId: OperationId,
  call: Call,
): Promise<Reply> => {
  const { path, method, definition } = loadContract().operation(operationId);
  const { body, url = urlOf(path, call) } = call;
  const token = call.token ?? (call.token === undefined && !definition.security ? access.token : undefined);
  const request = {
    method: call.method ?? method.toUpperCase(),
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && !isForm(body) && { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(body !== undefined && {
      body: typeof body === 'string' || isForm(body) ? body : JSON.stringify(body),
    }),
  };
  return patiently(() => exchange(addressOf(access, url), request, access));
};

const isForm = (body: unknown): body is URLSearchParams => body instanceof URLSearchParams;

const urlOf = (template: string, call: Call): string => {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(call.path?.[name] ?? ''),
  );
  const pairs = Object.entries(call.query ?? {}).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, String(each)]),
  );
  return pairs.length > 0 ? `${path}?${new URLSearchParams(pairs)}` : path;
};

/** Sends a request and returns its reply, without following redirects. @throws Unusable if no reply comes */
export const exchange = async (url: string, init: RequestInit, { timeout = 10 }: Access): Promise<Reply> => {
  try {
    const signal = AbortSignal.timeout(timeout * 1000);
    const { status, headers, body } = await fetch(url, { ...init, redirect: 'manual', signal });
    return { status, headers: Object.fromEntries(headers), body: parseJson(await readText(body)) };
  } catch (error) {
    const isLate = Object(error).name === 'TimeoutError';
    const { why, advice = 'Check that the server is running and that the address is right.' } = isLate
      ? { why: `no reply within ${timeout} s` }
      : whyUnreachable(error);
    const { origin, pathname } = new URL(url);
    throw new Unusable(`${init.method ?? 'GET'} ${origin}${pathname}: ${why}. ${advice}`);
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
