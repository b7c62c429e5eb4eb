/** Tells of every call that comes in over a port when it is over, on every plane. */
import type { RequestListener } from 'node:http';
import { monotonicNow } from '../core/clock.ts';

export interface RequestEntry {
  readonly method: string;
  /** Without the query; tokens in it are cut short. */
  readonly path: string;
  /** 0 for a connection that was broken off. */
  readonly status: number;
  /** Milliseconds, to a tenth. */
  readonly ms: number;
}

/** The listener itself, and a word about each call. */
export const withRequestLog =
  (listener: RequestListener, tell: (entry: RequestEntry) => void): RequestListener =>
  (request, response) => {
    const startedAt = monotonicNow();
    const { method = '', url = '' } = request; // the validator is shown others
    response.once('close', () =>
      tell({
        method,
        path: shownPath(url),
        status: response.writableFinished ? response.statusCode : 0,
        ms: Math.round((monotonicNow() - startedAt) * 10) / 10,
      }),
    );
    listener(request, response);
  };

/** Whoever holds the token of a link or an invitation can use it. */
const TOKEN = /[A-Za-z0-9_-]{40,}/g;

const shownPath = (url: string): string =>
  url.replace(/\?.*/s, '').replace(TOKEN, (token) => `${token.slice(0, 8)}...`);
