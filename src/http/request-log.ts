/** Tells of every call when it is over, on every plane. */
import type { RequestHandler } from 'express';
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

/** To be used before anything that answers. */
export const createRequestLog =
  (tell: (entry: RequestEntry) => void): RequestHandler =>
  (request, response, next) => {
    const startedAt = monotonicNow();
    const { method, originalUrl } = request; // the validator is shown others
    response.once('close', () =>
      tell({
        method,
        path: shownPath(originalUrl),
        status: response.writableFinished ? response.statusCode : 0,
        ms: Math.round((monotonicNow() - startedAt) * 10) / 10,
      }),
    );
    next();
  };

/** Whoever holds the token of a link or an invitation can use it. */
const TOKEN = /[A-Za-z0-9_-]{40,}/g;

const shownPath = (url: string): string =>
  url.replace(/\?.*/s, '').replace(TOKEN, (token) => `${token.slice(0, 8)}...`);
