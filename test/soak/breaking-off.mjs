/** Clients that break off in the middle of a call, over HTTP/1.1 and HTTP/2. */
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const AUTHORIZED = 'Host: 127.0.0.1\r\nAuthorization: Bearer dev-token\r\n';
const sized = (body, length = body.length) =>
  `POST /api/v1/connected_accounts HTTP/1.1\r\n${AUTHORIZED}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;

/** What a client sends before it closes the connection: complete requests, and the beginnings of others. */
const BEGUN = [
  `GET /api/v1/connected_accounts?page_size=100 HTTP/1.1\r\n${AUTHORIZED}\r\n`,
  `GET /_mock/environments/development/state HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`.repeat(50),
  `GET /_mock/live?environments=development HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
  `GET /keys HTTP/1.1\r\n${AUTHORIZED}\r\nGET /_mock/live?environments=development HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
  `GET /_mock/live?environments=${'development,'.repeat(660)}development HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
  'CONNECT example.test:443 HTTP/1.1\r\nHost: example.test\r\n\r\n',
  'GET /keys HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  sized('{"connector":"mail","identifier":"'),
  sized('{', 500_000),
  sized(JSON.stringify({ connector: 'a/b', padding: 'x'.repeat(900_000) })),
  sized('x'.repeat(8_000_000)),
];

/** Sends a random item of `BEGUN`, and closes the connection up to 50 milliseconds later. */
export const breakOff = async (port, draw) => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {}); // the server may hang up first
  socket.resume().write(BEGUN[draw(BEGUN.length)]);
  await pause(draw(50));
  socket.resetAndDestroy();
  if (!socket.closed) await once(socket, 'close');
};

/** The paths that an HTTP/2 client requests before it breaks off. Their answers are large and small. */
const ASKED = [
  '/_mock/live?environments=development',
  '/_mock/environments/development/events',
  '/_mock/environments/development/state',
  '/_mock/openapi.json',
  '/api/v1/connected_accounts?page_size=100',
];

/** Requests all paths of `ASKED`, cancels one stream and then closes the connection, after random times. */
export const breakOffHttp2 = async (url, draw) => {
  const session = connectHttp2(url);
  session.on('error', () => {}); // the server may hang up first
  const streams = ASKED.map((path) => session.request({ ':path': path, authorization: 'Bearer dev-token' }));
  for (const stream of streams) stream.on('error', () => {}).on('data', () => {});
  await pause(draw(50));
  streams[draw(streams.length)].close(8); // CANCEL
  await pause(draw(5));
  if (draw(2) === 0) session.socket?.resetAndDestroy();
  session.destroy();
};
