/** HTTP/2 on the port of HTTP/1.1: calls of gRPC, and everything else that the app answers. */

import { createServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { node } from '../core/node-globals.ts';
import type { Http2 } from '../http/listener.ts';
import type { GrpcListener } from './serve.ts';

/** Milliseconds without a frame from a client, pings included. */
const LONGEST_IDLE = 600_000;

/** @param fetch answers what is none of gRPC, in process */
export const createHttp2 = (grpc: GrpcListener, fetch: typeof globalThis.fetch): Http2 => {
  const server = createServer({ maxSessionMemory: 256 }, (request, response) => {
    if (!grpc(request, response))
      answerByFetch(request, response, fetch).catch(() => response.stream.destroy());
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
const answerByFetch = async (
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  fetch: typeof globalThis.fetch,
): Promise<void> => {
  const { method, url, authority, headers } = request;
  const gone = new node.AbortController();
  response.once('close', () => gone.abort());
  const fields = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
  const body = method === 'GET' || method === 'HEAD' ? null : await buffer(request);
  const reply = await fetch(url, {
    method,
    headers: [['host', authority], ...fields.map(([name, value]): [string, string] => [name, String(value)])],
    body,
    redirect: 'manual',
    signal: gone.signal,
  });
  const own = [...reply.headers].filter(([name]) => !OF_HTTP1.includes(name));
  response.writeHead(reply.status, Object.fromEntries(own));
  if (reply.body) Readable.fromWeb(reply.body as Parameters<typeof Readable.fromWeb>[0]).pipe(response);
  else response.end();
};

const OF_HTTP1 = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade'];
