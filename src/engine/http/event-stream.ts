/** Server-sent events over an open connection, with regular keep-alive lines. */
import type { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { node } from '../core/node-globals.ts';

export interface EventSink {
  /** Sends an event. @param id the client sends the id as `Last-Event-ID` when it reconnects */
  send(event: string, data: unknown, id?: number): void;
  end(): void;
}

const HEARTBEAT = 15_000;

/**
 * Turns a response into a stream, until the client leaves or the stream ends.
 * @param begin starts sending events, and returns a function that stops sending
 */
export const streamEvents = (response: Response, begin: (sink: EventSink) => () => void): void => {
  if (response.destroyed) return; // a client that has disconnected needs no stream
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  const write = (text: string): void => {
    if (!response.writableEnded && !response.destroyed) response.write(text);
  };
  write(': ok\n\n');
  const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT);
  const stop = begin({
    send: (event, data, id) =>
      write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => response.end(),
  });
  response.once('close', () => {
    clearInterval(heartbeat);
    stop();
  });
};

/** Aborts when the response has ended, or its client has left. */
export const leavingOf = (response: EventEmitter): AbortSignal => {
  const leaving = new node.AbortController();
  response.once('close', () => leaving.abort());
  return leaving.signal;
};
