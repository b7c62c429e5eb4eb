/** Clients that do not read what they asked for are disconnected; clients that wait are not. */
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect, jest, test } from '@jest/globals';
import type { Response } from 'express';
import { nextTurn } from '../../../src/core/turns.ts';
import { streamEvents } from '../../../src/server/http/event-stream.ts';
import { openListener } from '../../support/http-server.ts';

const open = (app: RequestListener) => openListener(app, { patience: { unreadTimeout: 20 } });

test('a client that reads nothing of a long answer is disconnected', async () => {
  let closed = (): void => {};
  const isClosed = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const listener = await open((_request, response) => {
    response.once('close', closed).end(Buffer.alloc(64 * 1024 * 1024));
  });
  const client = connect(listener.port, '127.0.0.1').pause();
  client.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await isClosed;
  client.destroy();
  await listener.close();
});

test('a client that waits for an answer is not disconnected, however long it takes', async () => {
  const listener = await open(({ socket }, response) => {
    let timeouts = 0;
    socket.on('timeout', () => {
      timeouts += 1;
      if (timeouts === 3) response.end('late');
    });
  });
  const answer = await fetch(listener.url);
  expect(await answer.text()).toBe('late');
  await listener.close();
});

/** A response over a socket of which the client reads only on demand. */
const openResponse = () => {
  const unread: (() => void)[] = [];
  const socket = new Duplex({ read: () => {}, write: (_bytes, _encoding, done) => void unread.push(done) });
  const response = new ServerResponse(new IncomingMessage(socket as Socket));
  response.assignSocket(socket as Socket);
  return {
    response,
    read: () => {
      while (unread.length > 0) unread.shift()?.();
    },
  };
};

test('an event stream of which nothing is read ends after a few heartbeats, and a stream that is read goes on', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const idle = openResponse();
  const busy = openResponse();
  const signal = new AbortController().signal;
  for (const { response } of [idle, busy]) streamEvents(response as Response, () => () => {}, signal);
  for (let beat = 0; beat < 10; beat += 1) {
    jest.advanceTimersByTime(15_000);
    busy.read();
    await nextTurn();
  }
  expect([idle.response.destroyed, busy.response.destroyed]).toEqual([true, false]);
  busy.response.destroy();
  jest.useRealTimers();
});
