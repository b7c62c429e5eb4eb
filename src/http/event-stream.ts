/** Server-sent events: a connection that stays open, with a sign of life now and then, and never a growing backlog. */
import type { Response } from 'express';

export interface EventSink {
  /** @param id what a client sends as `Last-Event-ID` when it comes back */
  send(event: string, data: unknown, id?: number): void;
  /** Ends the stream from this side. */
  end(): void;
}

const HEARTBEAT = 15_000;
/** A client that has not read so many bytes is let go; it can come back with `Last-Event-ID`. */
const BACKLOG = 16 * 1024 * 1024;

/**
 * Turns a response into a stream.
 * @param begin starts sending, and returns what ends that
 * @param signal ends the stream when it aborts
 */
export const streamEvents = (
  response: Response,
  begin: (sink: EventSink) => () => void,
  signal: AbortSignal,
): void => {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  const write = (text: string): void => {
    if (response.writableEnded) return;
    response.write(text);
    if (response.writableLength > BACKLOG) response.destroy();
  };
  const end = (): void => {
    response.end();
  };
  write(': ok\n\n');
  const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT);
  const stop = begin({
    send: (event, data, id) =>
      write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end,
  });
  signal.addEventListener('abort', end);
  response.once('close', () => {
    clearInterval(heartbeat);
    signal.removeEventListener('abort', end);
    stop();
  });
};
