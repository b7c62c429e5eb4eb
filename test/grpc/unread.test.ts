/** HTTP/2 clients that do not read what they asked for are disconnected; clients that wait are not. */
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { type AddressInfo, createServer, connect as openSocket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { nextTurn } from '../../src/core/turns.ts';
import { createHttp2 } from '../../src/grpc/http2.ts';
import { withHttp2 } from '../../src/grpc/share-port.ts';
import { createInProcess } from '../../src/server/http/in-process.ts';
import { openListener, PATIENCE } from '../support/http-server.ts';

const patience = { unreadTimeout: 20 };
const app = (): void => {};

const serve = (answer: (request: Http2ServerRequest, response: Http2ServerResponse) => void = app) =>
  createHttp2((request, response) => {
    answer(request, response);
    return true;
  }, createInProcess(app, { IncomingMessage, ServerResponse }).ask);

const open = (answer: Parameters<typeof serve>[0], times = patience) =>
  openListener(app, { patience: times, sharing: withHttp2(async () => serve(answer)) });

test('over TLS, a client that has a choice gets HTTP/2 only from a mock with descriptors', () => {
  const [plain, grpc] = [false, true].map((isServed) => withHttp2(async () => serve(), isServed).protocols);
  expect([plain, grpc]).toEqual([
    ['http/1.1', 'h2'],
    ['h2', 'http/1.1'],
  ]);
});

test('a client that reads nothing of a long answer is disconnected', async () => {
  const listener = await open((_request, response) => void response.end(Buffer.alloc(2 ** 20)));
  const client = connect(listener.url).on('error', () => {});
  client.request().on('error', () => {}); // nobody listens for data, so the client's window stays full
  await once(client, 'close');
  await listener.close();
});

test('a client that reads nothing of a long answer is disconnected, even if it keeps sending pings', async () => {
  const listener = await open((_request, response) => void response.end(Buffer.alloc(2 ** 20)));
  const client = connect(listener.url).on('error', () => {});
  client.request().on('error', () => {});
  const ping = (): void => void client.ping((error) => error ?? ping());
  await once(client, 'connect');
  ping();
  await new Promise((resolve) => client.once('close', resolve)); // `once` would reject when the connection is reset
  await listener.close();
});

test('a client that reads each part of an answer as it comes is not disconnected, however long it takes', async () => {
  const listener = await open(({ stream }, response) => {
    let timeouts = 0;
    stream.session?.on('timeout', () => {
      timeouts += 1;
      if (timeouts === 9) response.end('end');
      else if (timeouts % 3 === 0) response.write(`part ${timeouts}, `);
    });
  });
  const client = connect(listener.url);
  expect(await text(client.request())).toBe('part 3, part 6, end');
  client.destroy();
  await listener.close();
});

test('a client whose bytes have arrived is served, even if the process stood still longer than a client may take', async () => {
  const listener = await openListener((_request, response) => void response.end('served'), {
    patience: { ...patience, headersTimeout: 20 },
    sharing: withHttp2(async () => serve()),
  });
  const client = openSocket(listener.port, '127.0.0.1');
  await once(client, 'connect');
  await nextTurn(); // the server has accepted the connection
  client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 40);
  expect(await text(client)).toMatch(/served$/);
  await listener.close();
});

test('a client that neither calls nor hangs up is disconnected', async () => {
  const http2 = serve();
  const server = createServer((socket) => http2.accept(socket, { ...PATIENCE, ...patience })).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = openSocket({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
  client.write(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1'));
  const [socket] = await once(server, 'connection');
  await once(socket, 'close');
  client.destroy();
  server.close();
});

test('calls that a client sends in one piece begin one by one, and let other clients through', async () => {
  const seen: string[] = [];
  const answer: Parameters<typeof open>[0] = ({ url }, response) => {
    seen.push(url);
    response.end();
  };
  const listener = await open(answer, { unreadTimeout: 60_000 }); // a busy machine may keep the clients waiting
  const clients = ['many', 'one'].map(() => connect(listener.url).on('error', () => {}));
  await Promise.all(clients.map((client) => once(client, 'remoteSettings')));
  const [many, one] = clients;
  for (let nth = 0; nth < 100; nth += 1) many?.request({ ':path': `/${nth}` }).resume();
  one?.request({ ':path': '/other' }).resume();
  while (seen.length < 101) await nextTurn();
  for (const client of clients) client.destroy();
  await listener.close();
  expect(seen.indexOf('/other')).toBeLessThan(50);
});
