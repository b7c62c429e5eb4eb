/** Sends calls to a server over HTTP: address, token, timeout, and patience with a rate limit. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ContractOperation } from '../openapi/load.ts';
import { type Call, contentOf, type Reply, textAt, urlOf } from './call.ts';
import { credentialsIn, type Secrets } from './secrets.ts';

/** The server could not be asked at all, or would not give a token. The message holds no credential. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** A bearer to use instead of asking for one. */
  readonly accessToken?: string | undefined;
}

export interface ClientOptions {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Milliseconds that a reply may take. */
  readonly timeout: number;
  readonly secrets: Secrets;
}

export interface Client {
  /** @throws Unreachable for a broken connection or no reply in time */
  send(operation: ContractOperation, call: Call): Promise<Reply>;
  /** A good token. @throws Unreachable if the server gives none */
  token(): Promise<string>;
}

export const createClient = (options: ClientOptions): Client => {
  const { credentials, secrets, baseUrl } = options;
  secrets.add(credentials.clientSecret);
  secrets.add(credentials.accessToken);
  let held = credentials.accessToken;
  const token = async (): Promise<string> => {
    held ??= await requestToken(options);
    secrets.add(held);
    return held;
  };
  const send: Client['send'] = async (operation, call) => {
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
    const reply = await patiently(
      () => exchange(baseUrl + urlOf(operation, call), request, options.timeout),
      call,
    );
    for (const credential of credentialsIn(reply.body)) secrets.add(credential);
    return reply;
  };
  return { send, token };
};

const LONGEST_WAIT = 30;

/** A rate limit that the case did not ask for is waited out, twice at most. */
const patiently = async (ask: () => Promise<Reply>, { headers }: Call): Promise<Reply> => {
  for (let tries = 1; ; tries += 1) {
    const reply = await ask();
    const wait = Number(reply.headers['retry-after'] ?? 1);
    const isAskedFor = headers !== undefined && 'prefer' in headers;
    if (reply.status !== 429 || isAskedFor || tries === 3 || !(wait <= LONGEST_WAIT)) return reply;
    await sleep(wait * 1000);
  }
};

/** One request and its whole reply; redirects are not followed. */
export const exchange = async (url: string, request: RequestInit, timeout: number): Promise<Reply> => {
  try {
    const response = await fetch(url, {
      ...request,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    });
    const text = await response.text();
    return { status: response.status, headers: readHeaders(response.headers), body: parse(text) };
  } catch (error) {
    throw new Unreachable(whyNot(url, request.method ?? 'GET', error, timeout));
  }
};

const readHeaders = (headers: Headers): Readonly<Record<string, string>> => {
  const read: Record<string, string> = {};
  headers.forEach((value, name) => {
    read[name] = value;
  });
  return read;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const whyNot = (url: string, method: string, error: unknown, timeout: number): string => {
  const { origin, pathname } = new URL(url);
  const { name, cause } = error as { name?: string; cause?: { code?: string; message?: string } }; // what fetch rejects with
  const why =
    name === 'TimeoutError'
      ? `no reply within ${timeout / 1000} s`
      : (cause?.code ?? cause?.message ?? 'the connection broke');
  return `${method} ${origin}${pathname}: ${why}. Check that the server runs and that --base-url is right.`;
};

const requestToken = async ({ baseUrl, credentials, timeout }: ClientOptions): Promise<string> => {
  const form = {
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
  };
  const request = { method: 'POST', body: new URLSearchParams(form) };
  const reply = await exchange(`${baseUrl}/oauth/token`, request, timeout);
  if (reply.status === 200) return textAt(reply.body, 'access_token');
  throw new Unreachable(
    `${baseUrl}/oauth/token gave no token: status ${reply.status}. Check --base-url, --client-id and --client-secret.`,
  );
};
