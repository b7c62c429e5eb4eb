/** HTTP/2 on the port of HTTP/1.1: calls of gRPC, and everything else that the app answers. */

import { createServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { pipeline } from 'node:stream/promises';
import { node } from '../core/node-globals.ts';
import type { AskApp } from '../http/in-process.ts';
import type { Http2 } from '../http/listener.ts';

/** Milliseconds without a frame from a client, pings included. */
const LONGEST_IDLE = 600_000;

/**
 * @param grpc answers calls of gRPC; returns false for any other request
 * @param ask answers those
 */
export const createHttp2 = (
  grpc: (request: Http2ServerRequest, response: Http2ServerResponse) => boolean,
  ask: AskApp,
): Http2 => {
  const server = createServer({ maxSessionMemory: 256 }, (request, response) => {
    if (!grpc(request, response)) answerInProcess(request, ask).catch(() => response.stream.destroy());
  });
  const sessions = new Set<{ close(): void }>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
    // Node keeps the socket of a client whose frames made no sense, even after it has gone. Others connect again.
    session.setTimeout(LONGEST_IDLE, () => session.close());
  });
  server.on('sessionError', () => {});
  return {
    accept: (socket) => {
      socket.allowHalfOpen = false; // a client that sends no more has gone
      server.emit('connection', socket); // node's documented way to give a server a connection
    },
    close: () => {
      for (const session of sessions) session.close();
    },
  };
};

/** Express reads messages of HTTP/1.1 only. */
const answerInProcess = async (
  { method, url, authority, headers, stream }: Http2ServerRequest,
  ask: AskApp,
): Promise<void> => {
  const gone = new node.AbortController();
  stream.once('close', () => gone.abort());
  const fields = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
  const hasBody = !stream.endAfterHeaders;
  const reply = await ask({
    method,
    url,
    headers: {
      host: authority,
      ...(hasBody && headers['content-length'] === undefined && { 'transfer-encoding': 'chunked' }),
      ...Object.fromEntries(fields.map(([name, value]) => [name, String(value)])),
    },
    body: hasBody ? stream : undefined,
    signal: gone.signal,
  });
  stream.respond({ ':status': reply.status, ...Object.fromEntries(reply.headers) });
  await pipeline(reply.body, stream);
};
