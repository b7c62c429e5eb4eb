/** Server-sent events over an open connection, with regular keep-alive lines and a limited backlog. */
import type { Response } from 'express';
import { Refusal } from '../../core/errors.ts';

export interface EventSink {
  /** Sends an event. @param id the client sends the id as `Last-Event-ID` when it reconnects */
  send(event: string, data: unknown, id?: number): void;
  end(): void;
}

const HEARTBEAT = 15_000;
/** The maximum number of unread bytes. A client with more is disconnected, and can reconnect with `Last-Event-ID`. */
const BACKLOG = 16 * 1024 * 1024;
const MOST_STREAMS = 1_000;
/** After so many heartbeats in which the client read nothing, it is disconnected. */
const MOST_UNREAD_BEATS = 4;

let streams = 0;

/**
 * Turns a response into a stream.
 * @param begin starts sending events, and returns a function that stops sending
 * @param signal aborts when the client has left or the server closes; this ends the stream
 * @throws Refusal 429 for more than 1,000 streams at once
 */
export const streamEvents = (
  response: Response,
  begin: (sink: EventSink) => () => void,
  signal: AbortSignal,
): void => {
  if (signal.aborted || response.destroyed) return; // a client that has disconnected needs no stream
  if (streams >= MOST_STREAMS)
    throw new Refusal(
      'RATE_LIMITED',
      `There are already ${MOST_STREAMS} event streams.`,
      'Close a stream that nobody reads, then try again.',
    );
  streams += 1;
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  let stop: (() => void) | undefined;
  let isOver = false;
  const release = (): void => {
    if (isOver) return;
    isOver = true;
    streams -= 1;
    clearInterval(heartbeat);
    signal.removeEventListener('abort', end);
    stop?.();
  };
  const end = (): void => {
    release();
    response.end();
  };
  const write = (text: string): void => {
    if (isOver) return;
    response.write(text, () => {
      unreadBeats = 0;
    });
    if (response.writableLength > BACKLOG) giveUp();
  };
  const giveUp = (): void => {
    release();
    response.destroy();
  };
  let unreadBeats = 0;
  const heartbeat = setInterval(() => {
    unreadBeats += response.writableLength > 0 ? 1 : 0;
    if (unreadBeats < MOST_UNREAD_BEATS) write(': still here\n\n');
    else giveUp();
  }, HEARTBEAT);
  signal.addEventListener('abort', end);
  write(': ok\n\n');
  stop = begin({
    send: (event, data, id) =>
      write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end,
  });
  if (isOver) stop();
};
