/** Serves the console and the API reference: files made from `browser/`, which talk to the control plane alone. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Asset, createAssets } from './assets.ts';
import { CONSOLE_POLICY, REFERENCE_POLICY } from './policy.ts';

/** Answers a call, or passes it on. The request's `url` is relative to where it is mounted. */
export type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

export interface Console {
  /** Below `/_mock`: the page, the reference and their assets; the control plane's calls are passed on. */
  readonly pages: Handler;
  /** For `/favicon.ico`, which browsers ask for on pages that name no icon. */
  readonly icon: Handler;
}

/** @param folder where the built assets are */
export const createConsole = (folder: string): Console => {
  const assets = createAssets(folder);
  const send = (request: IncomingMessage, response: ServerResponse, name: string, next: () => void): void => {
    assets
      .read(name)
      .then((asset) => {
        if (asset) reply(request, response, asset);
        else if (POLICIES[name] === undefined) next();
        else replyUnbuilt(request, response);
      })
      .catch(next);
  };
  return {
    pages: (request, response, next) => {
      const path = pathOf(request);
      const name = PAGES.get(path) ?? /^\/assets\/([\w.-]+)$/.exec(path)?.[1];
      if (!isRead(request) || name === undefined) next();
      else if (path === '/' && !isBelowSlash(request)) redirect(response, '/_mock/');
      else send(request, response, name, next);
    },
    icon: (request, response, next) => send(request, response, 'icon.svg', next),
  };
};

const PAGES: ReadonlyMap<string, string> = new Map([
  ['/', 'index.html'],
  ['/docs', 'docs.html'],
]);

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?')[0] ?? '/';

/** Express gives `/` for `/_mock` and for `/_mock/`; the page's own addresses are relative to the latter. */
const isBelowSlash = (request: IncomingMessage & { readonly originalUrl?: string }): boolean =>
  /^[^?]*\/(?:\?|$)/.test(request.originalUrl ?? request.url ?? '');

/** Sources as they are checked out have no pages yet. An error of the control plane's shape, since it stands there. */
const replyUnbuilt = ({ method }: IncomingMessage, response: ServerResponse): void => {
  const error = {
    code: 'NOT_BUILT',
    message: 'The console and the API reference are not built.',
    hint: 'Run "npm run build" in the folder of the mock and load the page again. All else works without them.',
  };
  const text = JSON.stringify({ error });
  response.writeHead(503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(method === 'HEAD' ? undefined : text);
};

const redirect = (response: ServerResponse, location: string): void => {
  response.writeHead(302, { Location: location, 'Content-Length': 0 }).end();
};

const POLICIES: Readonly<Record<string, string>> = {
  'index.html': CONSOLE_POLICY,
  'docs.html': REFERENCE_POLICY,
};

const reply = (request: IncomingMessage, response: ServerResponse, asset: Asset): void => {
  const { name, type, etag, bytes, gzipped } = asset;
  const policy = POLICIES[name];
  const headers = {
    ETag: etag,
    // Asked for anew every time, answered with 304 as long as the server is the same version.
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    Vary: 'Accept-Encoding',
    ...(policy !== undefined && { 'Content-Security-Policy': policy }),
  };
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, headers).end();
    return;
  }
  const isGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  const body = isGzip ? gzipped : bytes;
  response.writeHead(200, {
    ...headers,
    'Content-Type': type,
    'Content-Length': body.length,
    ...(isGzip && { 'Content-Encoding': 'gzip' }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
};
