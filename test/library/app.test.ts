/** `mock.app`, mounted in an Express app below a prefix. */
import { afterAll, expect, test } from '@jest/globals';
import express from 'express';
import { createMock } from '#mock';
import { serveHttp } from '../support/http-server.ts';
import { testServer } from '../support/server.ts';

const OPTIONS = { scenario: 'default', log: 'silent' } as const;
const BEARER = { authorization: 'Bearer dev-token' };

const behindProxy = testServer({ baseUrl: 'http://h.test/mock' });

const app = express();
const server = await serveHttp(app);
const base = `${server.url}/mock`;
const mock = createMock({ ...OPTIONS, baseUrl: base });
app.use('/mock', mock.app);
app.get('/own', (_request, response) => {
  response.json({ own: true });
});
afterAll(() => Promise.all([mock.close(), server.close()]));

test('a mounted mock answers below its prefix, and leaves other paths to the outer app', async () => {
  expect((await fetch(`${base}/api/v1/connections`, { headers: BEARER })).status).toBe(200);
  expect((await fetch(new URL('/api/v1/connections', base), { headers: BEARER })).status).toBe(404);
  expect(await (await fetch(new URL('/own', base))).json()).toEqual({ own: true });
  const unknown = await fetch(`${base}/api/v1/nowhere`, { headers: BEARER });
  expect([unknown.status, await unknown.json()]).toEqual([404, expect.objectContaining({ code: 5 })]);
});

test('the authorization links of a mounted mock, and the pages that they open, are below its prefix', async () => {
  const created = await fetch(`${base}/api/v1/connected_accounts/magic_link`, {
    method: 'POST',
    headers: { ...BEARER, 'content-type': 'application/json' },
    body: JSON.stringify({ connector: 'mail', identifier: 'walk@acme.test' }),
  });
  const { link } = JSON.parse(await created.text());
  expect(link).toMatch(`${base}/magicLink/`);
  const page = await fetch(link);
  expect(await page.text()).toContain('<form method="post"');
  const decided = await fetch(link, {
    method: 'POST',
    headers: { origin: new URL(base).origin },
    body: new URLSearchParams({ decision: 'approve' }),
  });
  expect([decided.status, decided.url]).toEqual([200, `${base}/connect/success`]);
});

test('the console of a mounted mock loads its files and reaches the control plane', async () => {
  const page = await fetch(`${base}/`, { headers: { accept: 'text/html' } });
  expect([page.status, page.url]).toEqual([200, `${base}/_mock/`]);
  expect((await fetch(`${base}/_mock`)).url).toBe(`${base}/_mock/`);
  const files = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, file = '']) => new URL(file, page.url),
  );
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) expect([file.href, (await fetch(file)).status]).toEqual([file.href, 200]);
  expect((await fetch(new URL('environments', page.url))).status).toBe(200);
});

test.each([
  ['/mock/keys', 200],
  ['/keys', 200],
  ['/mockkeys', 404],
  ['/mock/mock/keys', 404],
  ['/mock', 302],
  ['/mock?a=b', 302],
  ['/', 302],
  ['/mock/_mock', 302],
  ['/_mock', 302],
])('a proxy may leave the path of the base URL in front or take it off: %s is answered with %d', async (path, status) => {
  const answer = await behindProxy.call('GET', path, { token: null });
  expect([answer.status, answer.headers.location]).toEqual([
    status,
    status === 302 ? '/mock/_mock/' : undefined,
  ]);
});

test('the guide behind a proxy stays below the path of the base URL', async () => {
  for (const [path, location] of [
    ['/_mock/guide', '/mock/_mock/guide/'],
    ['/_mock/guide/faults.md', '/mock/_mock/guide/faults'],
  ] as const)
    expect((await behindProxy.call('GET', path, { token: null })).headers.location).toBe(location);
});
