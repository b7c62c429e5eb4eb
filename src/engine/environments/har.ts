/** The journal as an HTTP Archive 1.2 (HAR), which browsers and proxies can open. */
import { STATUS_CODES } from 'node:http';
import type { JournalEntry } from './journal.ts';

/** @param baseUrl without a trailing slash */
export const toHar = (entries: readonly JournalEntry[], version: string, baseUrl: string) => ({
  log: {
    version: '1.2',
    creator: { name: 'connected-accounts-mock', version },
    entries: entries.map((entry) => toHarEntry(entry, baseUrl)),
  },
});

const toHarEntry = (entry: JournalEntry & { readonly environment?: string }, baseUrl: string) => ({
  startedDateTime: entry.time,
  time: entry.duration_ms,
  request: toHarRequest(entry, baseUrl),
  response: toHarResponse(entry),
  cache: {},
  ...(entry.environment !== undefined && { _environment: entry.environment }),
  timings: { send: 0, wait: entry.duration_ms, receive: 0 },
  ...(entry.fault !== undefined && { comment: `The injected fault ${entry.fault} took effect.` }),
});

const UNKNOWN = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 };

const toHarRequest = ({ request }: JournalEntry, baseUrl: string) => {
  const { method, url, headers, body } = request;
  const postData = { mimeType: headers['content-type'] ?? '', params: [], text: toText(body) };
  return {
    ...UNKNOWN,
    method,
    url: `${baseUrl}${url}`,
    headers: toPairs(Object.entries(headers)),
    queryString: toPairs(new URLSearchParams(url.split('?')[1] ?? '')),
    ...(body !== undefined && { postData }),
  };
};

const toHarResponse = ({ response: { headers, body, body_cut }, status }: JournalEntry) => {
  const text = toText(body);
  const content = { size: Buffer.byteLength(text), mimeType: headers['content-type'] ?? '', text };
  return {
    ...UNKNOWN,
    status,
    statusText: STATUS_CODES[status] ?? '',
    headers: toPairs(Object.entries(headers)),
    content: { ...content, ...(body_cut && { comment: 'cut at 64 KiB' }) },
    redirectURL: headers.location ?? '',
  };
};

const toPairs = (pairs: Iterable<[string, string]>): { name: string; value: string }[] =>
  Array.from(pairs, ([name, value]) => ({ name, value }));

const toText = (body: unknown): string =>
  typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
