/** `verify` ends on its own, with a sentence and the right exit code, whatever it answers. */
import type { RequestListener, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { serveHttp } from '../support/http-server.ts';
import { program } from './program.ts';

/** A service that issues tokens, and answers everything else as `listener` does. */
const hostile = (listener: RequestListener) =>
  serveHttp(
    (request, response) => {
      if (request.url === '/oauth/token') json(response, { access_token: 'a', expires_in: 9 });
      else listener(request, response);
    },
    { maxHeaderSize: 2 ** 16 },
  );

const json = (response: ServerResponse, body: unknown): void =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));

const endless = (response: ServerResponse): void => {
  const chunk = Buffer.alloc(2 ** 16, ' ');
  const pour = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pour);
  pour();
};

let pages = 0;
const nextPage = (items: unknown): object => {
  pages += 1;
  return { connections: [], connected_accounts: items, authRequests: [], next_page_token: `page-${pages}` };
};

const BOMB = gzipSync(Buffer.alloc(300 * 2 ** 20, ' '), { level: 1 });
const DEEP = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;

const SERVICES: readonly [what: string, listener: RequestListener][] = [
  ['never ends its body', (_, response) => endless(response)],
  [
    'redirects in circles',
    ({ url = '/' }, response) => void response.writeHead(302, { location: url }).end(),
  ],
  ['answers HTML', (_, response) => void response.setHeader('content-type', 'text/html').end('<html>')],
  ['sends a gzip bomb', (_, response) => void response.setHeader('content-encoding', 'gzip').end(BOMB)],
  ['nests 100,000 levels', (_, response) => void response.end(DEEP)],
  ['sends a header of a megabyte', (_, response) => void response.setHeader('x', 'y'.repeat(2 ** 20)).end()],
  ['resets the connection', ({ socket }) => void socket.resetAndDestroy()],
  [
    'breaks off its body',
    (_, response) =>
      void response.writeHead(200, { 'content-length': 9 }).write('{', () => response.destroy()),
  ],
  ['answers a status that does not exist', ({ socket }) => void socket.end('HTTP/1.1 999 ?\r\n\r\n')],
  [
    'lists 300,000 things that are not rows',
    (_, response) => json(response, nextPage(Array(300_000).fill(1))),
  ],
  ['fills endless pages', (_, response) => json(response, nextPage([{ id: 'x'.repeat(2 ** 20) }]))],
];

/** What a message must not show, and that it is one sentence or a few, not the trace of an error. */
const requireSentence = (text: string): void => {
  expect(text).toMatch(/^[^\n]{10,600}\n$/);
  expect(text).not.toMatch(/\bat \S+:\d+|undefined|\[object|a-secret/);
};

test.each(SERVICES)('a service that %s ends verify with 1 or 2, and a sentence', async (_what, listener) => {
  await using service = await hostile(listener);
  const flags = ['--client-id', 'a', '--client-secret', 'a-secret', '--timeout', '2'];
  const verify = await program.run(['verify', '--base-url', service.url, ...flags]);
  expect([1, 2]).toContain(verify.code);
  if (verify.code === 2) requireSentence(verify.stderr);
  expect(verify.stdout + verify.stderr).not.toMatch(/\n {4}at |a-secret/);
});

test('a service that answers a byte a second ends verify after --timeout', async () => {
  await using service = await hostile((_, response) => {
    const timer = setInterval(() => response.write(' '), 1_000);
    response.once('close', () => clearInterval(timer));
  });
  const verify = ['verify', '--base-url', service.url, '--timeout', '1'];
  const { code, stderr } = await program.run([...verify, '--client-id', 'a', '--client-secret', 'a-secret']);
  expect(code).toBe(2);
  requireSentence(stderr);
  expect(stderr).toContain('no reply within 1 s');
});
