/**
 * Reads data from the API of a running service, one call at a time. Waits when the service answers with `Retry-After`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Unusable } from '../core/errors.ts';
import { parseJson, valueAt } from '../core/object.ts';
import { cut } from '../core/text.ts';
import { isJsonObject, type JsonObject } from '../openapi/document.ts';

/** A service and its credentials. */
export interface Service {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface ServiceClient {
  /** Sends a GET and returns the reply. @throws Unusable with the reason if it fails */
  get(path: string, query?: Readonly<Record<string, string>>): Promise<JsonObject>;
  /** Yields the items of all pages of a list, one by one. @param member the member of a reply that holds the items */
  list(path: string, member: string, query?: Readonly<Record<string, string>>): AsyncGenerator<JsonObject>;
}

/** How often the client tries a call, and the most seconds that it waits before it tries again. */
const MOST_TRIES = 10;
const LONGEST_WAIT = 120;

/** @throws Unusable if the service gives no token */
export const openService = async (
  service: Service,
  progress: (text: string) => void,
): Promise<ServiceClient> => {
  const base = service.url.replace(/\/+$/, '');
  const send = async (path: string, request: RequestInit): Promise<JsonObject> => {
    for (let tries = 1; ; tries += 1) {
      const reply = await fetch(base + path, request).catch((error: unknown) => {
        const { cause = error } = error as { readonly cause?: unknown }; // fetch gives the reason in `cause`
        throw new Unusable(
          `${base} cannot be reached (${String(cause)}). Is that the address of the service?`,
        );
      });
      const body = parseJson(await reply.text());
      if (reply.ok && isJsonObject(body)) return body;
      if (reply.status !== 429 || tries === MOST_TRIES) throw refused(path, reply.status, body);
      const seconds = Math.min(Number(reply.headers.get('retry-after') ?? 1) || 1, LONGEST_WAIT);
      progress(`the service asks to wait ${seconds} s`);
      await sleep(seconds * 1_000);
    }
  };
  const { access_token } = await send('/oauth/token', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: service.clientId,
      client_secret: service.clientSecret,
    }),
  });
  const headers = { authorization: `Bearer ${String(access_token)}` };
  const get: ServiceClient['get'] = (path, query = {}) => {
    const search = new URLSearchParams(query).toString();
    return send(search === '' ? path : `${path}?${search}`, { headers });
  };
  const list: ServiceClient['list'] = async function* (path, member, query = {}) {
    for (let page_token: unknown = ''; typeof page_token === 'string'; ) {
      const page = await get(path, { ...query, ...(page_token !== '' && { page_token }) });
      const items = page[member];
      if (!Array.isArray(items)) throw refused(path, 200, page);
      yield* items.filter(isJsonObject);
      page_token = page.next_page_token || undefined;
    }
  };
  return { get, list };
};

const refused = (path: string, status: number, body: unknown): Unusable => {
  const said = valueAt(body, 'message') ?? valueAt(body, 'error_description');
  const why = typeof said === 'string' ? `: ${cut(said)}` : '';
  const [what = path] = path.split('?');
  return new Unusable(`${what} was answered with ${status}${why}. Nothing was written.`);
};
