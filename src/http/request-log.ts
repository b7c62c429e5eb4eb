/** Tells of every call that comes in over a port when it is over, on every plane. */
import type { RequestListener, ServerResponse } from 'node:http';
import { monotonicNow } from '../core/clock.ts';

/** What is known of a call of the API beside the message itself. */
export interface AboutCall {
  readonly operation?: string;
  /** Name of its environment. */
  readonly environment?: string;
  /** Why it was refused. */
  readonly reason?: string;
  /** What was let through and ignored, in words. */
  readonly warnings?: readonly string[];
}

export interface RequestEntry extends AboutCall {
  readonly method: string;
  /** Without the query; tokens in it are cut short. */
  readonly path: string;
  /** 0 for a connection that was broken off. */
  readonly status: number;
  /** Milliseconds, to a tenth. */
  readonly ms: number;
}

/** The listener itself, and a word about each call. @param about what is known of the call that a response answers */
export const withRequestLog =
  (
    listener: RequestListener,
    tell: (entry: RequestEntry) => void,
    about: (response: ServerResponse) => AboutCall,
  ): RequestListener =>
  (request, response) => {
    const startedAt = monotonicNow();
    const { method = '', url = '' } = request; // the validator is shown others
    response.once('close', () =>
      tell({
        method,
        path: shownPath(url),
        status: response.writableFinished ? response.statusCode : 0,
        ms: Math.round((monotonicNow() - startedAt) * 10) / 10,
        ...about(response),
      }),
    );
    listener(request, response);
  };

/** The token of a link or an invitation is all that is needed to use it. */
const TOKEN = /[A-Za-z0-9_-]{40,}/g;

const shownPath = (url: string): string =>
  url.replace(/\?.*/s, '').replace(TOKEN, (token) => `${token.slice(0, 8)}...`);
