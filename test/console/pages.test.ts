/** The files of the console and of the guide, as a mock serves them. */
import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { listeningServer, rawRequest, testServer } from '../support/server.ts';

const server = await listeningServer();
const guarded = testServer({ controlToken: 'sesame' });

const get = (path: string, headers: Record<string, string> = {}) =>
  server.call('GET', path, { token: null, headers });

const guide = readdirSync('src/guide').filter((file) => file.endsWith('.md') && file !== 'index.md');

test.each([
  ...['', 'docs', 'guide/', 'guide/rules'],
  ...guide.map((file) => `guide/${file.replace('.md', '')}`),
])('the page /_mock/%s has no inline script or style, and loads only existing files of this server', async (page) => {
  const { status, headers, text } = await get(`/_mock/${page}`);
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = headers['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/https?:|\*|unsafe|data:/);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(text).not.toMatch(/<script>|<style|style=/);
  const files = [...text.matchAll(/(?:src|href)="(?:\.\.\/)?(assets\/[^"]+)"/g)].map(([, file]) => file);
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) expect([file, (await get(`/_mock/${file}`)).status]).toEqual([file, 200]);
});

test('the mock does not send an unchanged file again', async () => {
  const etag = (await get('/_mock/assets/console.js')).headers.etag ?? '';
  // Sends a raw request, since fetch asks for a fresh copy whenever it sends If-None-Match.
  const answer = await server.raw(
    rawRequest('GET /_mock/assets/console.js HTTP/1.1', ['Accept-Encoding: gzip', `If-None-Match: ${etag}`]),
  );
  expect(answer).toMatch(/^HTTP\/1\.1 304 /);
});

test.each([
  ['/_mock/assets/style.css', 'text/css'],
  ['/_mock/guide/search.json', 'application/json'],
])('%s is compressed for a client that accepts it', async (path, type) => {
  const plain = await server.raw(rawRequest(`GET ${path} HTTP/1.1`));
  const compressed = await server.raw(rawRequest(`GET ${path} HTTP/1.1`, ['Accept-Encoding: gzip']));
  for (const answer of [plain, compressed]) {
    const [head = ''] = answer.split('\r\n\r\n');
    expect(/\r\nContent-Encoding: gzip/i.test(head)).toBe(answer === compressed);
    expect(head.toLowerCase()).toContain(`\r\ncontent-type: ${type}; charset=utf-8`);
    expect(head).toMatch(/\r\nVary: Accept-Encoding/i);
  }
  expect(compressed.length).toBeLessThan(plain.length / 2);
});

test.each([
  '/_mock/assets/nothing.js',
  '/_mock/assets/..%2f..%2f..%2fpackage.json',
  '/_mock/assets/%2e%2e/console.ts',
  '/_mock/assets/package.json',
])('the console does not serve %s', async (path) => {
  expect((await get(path)).status).toBe(404);
});

test('/ redirects browsers and programs to the console, and browsers get their icon', async () => {
  for (const [path, page] of Object.entries({ '/': '', '/_mock': '', '/_mock/guide': 'guide/' })) {
    const { status, headers } = await get(path, { accept: 'text/html,*/*' });
    expect([path, status, headers.location]).toEqual([path, 302, `/_mock/${page}`]);
  }
  expect((await get('/', { accept: 'application/json' })).headers.location).toBe('/_mock/');
  expect((await get('/favicon.ico')).headers['content-type']).toBe('image/svg+xml');
});

test('a first visit to the console loads less than 90 KB', async () => {
  const files = ['', 'assets/console.js', 'assets/style.css', 'assets/icon.svg', 'environments'];
  let size = 0;
  for (const file of [...files, 'environments/development/kinds']) {
    const { status, headers } = await get(`/_mock/${file}`, { 'accept-encoding': 'gzip' });
    expect([file, status]).toEqual([file, 200]);
    size += Number(headers['content-length']);
  }
  expect(size).toBeLessThan(90 * 1024);
});

test('the pages load without a control token, since they ask the user for it', async () => {
  expect((await guarded.control('GET', '/')).status).toBe(200);
  expect((await guarded.control('GET', '/environments')).status).toBe(401);
});
