/** `mock.fetch` against `fetch` over a port: two mocks that start the same must answer the same, byte for byte. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createMock, type Mock, startMock } from '../../src/index.ts';

const OPTIONS = {
  scenario: 'default',
  clock: '2026-03-01T12:00:00Z',
  baseUrl: 'http://mock.example.test',
  log: 'silent',
} as const;

let local: Mock;
let served: Mock;
beforeAll(async () => {
  local = createMock(OPTIONS);
  served = await startMock({ ...OPTIONS, port: 0 });
});
afterAll(() => Promise.all([local.close(), served.close()]));
beforeEach(async () => {
  for (const mock of [local, served]) await (await mock.environment('development')).reset({ journal: true });
});

const BEARER = { authorization: 'Bearer dev-token' };
const JSON_BODY = { ...BEARER, 'content-type': 'application/json' };
const NEW_ACCOUNT = JSON.stringify({ connector: 'mail', identifier: 'new@acme.test' });

/** Of the connection, not of the answer. */
const OF_CONNECTION = ['connection', 'keep-alive', 'date', 'transfer-encoding'];

const seen = async (response: Response) => ({
  status: response.status,
  statusText: response.statusText,
  headers: Object.fromEntries([...response.headers].filter(([name]) => !OF_CONNECTION.includes(name))),
  text: await response.text(),
});

const requests: readonly [string, string, RequestInit][] = [
  ['a list', '/api/v1/connected_accounts?page_size=3', { headers: BEARER }],
  [
    'raw reserved characters in a query',
    '/api/v1/connected_accounts?identifier=ada@acme.test&query=a:b',
    { headers: BEARER },
  ],
  ['HEAD', '/api/v1/connections', { method: 'HEAD', headers: BEARER }],
  ['a method in lower case that clients know', '/api/v1/connections', { method: 'get', headers: BEARER }],
  ['a preflight', '/api/v1/connections', { method: 'OPTIONS', headers: { origin: 'http://app.test' } }],
  ['an unknown path', '/api/v1/connectoins', { headers: BEARER }],
  ['a wrong method', '/api/v1/connections', { method: 'DELETE', headers: BEARER }],
  ['no token', '/api/v1/connections', {}],
  ['a create', '/api/v1/connected_accounts', { method: 'POST', headers: JSON_BODY, body: NEW_ACCOUNT }],
  [
    'a body as bytes',
    '/api/v1/connected_accounts',
    { method: 'POST', headers: JSON_BODY, body: Buffer.from(NEW_ACCOUNT) },
  ],
  [
    'a body that is not JSON',
    '/api/v1/connected_accounts',
    { method: 'POST', headers: JSON_BODY, body: '{' },
  ],
  [
    'a body without a media type',
    '/api/v1/connected_accounts',
    { method: 'POST', headers: BEARER, body: NEW_ACCOUNT },
  ],
  ['no body', '/api/v1/connected_accounts', { method: 'POST', headers: BEARER }],
  ['an empty body', '/api/v1/connected_accounts', { method: 'POST', headers: BEARER, body: '' }],
  [
    'a text beyond ASCII',
    '/api/v1/connected_accounts',
    {
      method: 'POST',
      headers: JSON_BODY,
      body: JSON.stringify({ connector: 'mail', identifier: 'žluťoučký-\ud800' }),
    },
  ],
  [
    'a body that is too large',
    '/api/v1/connected_accounts',
    { method: 'POST', headers: JSON_BODY, body: ' '.repeat(2 ** 20 + 1) },
  ],
  ['a preference', '/api/v1/connections', { headers: { ...BEARER, prefer: 'code=429' } }],
  ['a page that is not there', '/connect/nowhere', {}],
  ['the console, for a browser', '/', { headers: { accept: 'text/html' }, redirect: 'manual' }],
  ['the bare address, for a client', '/', {}],
  // The global `fetch` asks for gzip by itself.
  ['the contract', '/openapi.yaml', { headers: { 'accept-encoding': 'identity' } }],
  [
    'a form',
    '/oauth/token',
    {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'dev-client',
        client_secret: 'dev-secret',
      }),
    },
  ],
];

test.each(requests)('%s has the same answer in process as over HTTP', async (_what, path, init) => {
  const answers = await Promise.all([local.fetch(path, init), fetch(served.url + path, init)]);
  const [inProcess, overHttp] = await Promise.all(answers.map(seen));
  expect(inProcess).toEqual(overHttp);
});

test('the journal shows a call in process as it shows a call over HTTP', async () => {
  const init = { method: 'POST', headers: JSON_BODY, body: NEW_ACCOUNT };
  await local.fetch('/api/v1/connected_accounts', init);
  await fetch(`${served.url}/api/v1/connected_accounts`, init);
  const firstOf = async (mock: Mock) => (await (await mock.environment('development')).requests())[0];
  const [mine, theirs] = [await firstOf(local), await firstOf(served)];
  expect({ ...mine?.request, headers: {} }).toEqual({ ...theirs?.request, headers: {} });
  expect(mine?.request.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '49' });
  expect(mine?.response.body).toEqual(theirs?.response.body);
});

test('a text without a media type is sent as plain text, as fetch sends it', async () => {
  const init = { method: 'POST', headers: BEARER, body: NEW_ACCOUNT };
  await local.fetch('/api/v1/connected_accounts', init);
  const [call] = await (await local.environment('development')).requests();
  expect(call?.request.headers).toMatchObject({ 'content-type': 'text/plain;charset=UTF-8' });
});

test('a response knows its address and whether it was redirected', async () => {
  const response = await local.fetch('/openapi.json#part');
  expect([response.url, response.redirected]).toEqual(['http://mock.example.test/openapi.json', false]);
});

const openLink = async (body: object): Promise<string> => {
  const response = await local.fetch('/api/v1/connected_accounts/magic_link', {
    method: 'POST',
    headers: JSON_BODY,
    body: JSON.stringify({ connector: 'mail', identifier: 'walk@acme.test', ...body }),
  });
  const { link } = (await response.json()) as { link: string };
  return `${link}?decision=approve`;
};

test('a redirect within the mock is followed, as fetch follows it', async () => {
  const response = await local.fetch(await openLink({}));
  expect([response.status, response.redirected, response.url]).toEqual([
    200,
    true,
    'http://mock.example.test/connect/success',
  ]);
});

test('the option `redirect` returns or refuses a redirect', async () => {
  const manual = await local.fetch(await openLink({ user_verify_url: 'https://app.test/done' }), {
    redirect: 'manual',
  });
  expect(manual.status).toBe(302);
  expect(manual.headers.get('location')).toContain('https://app.test/done?auth_request_id=');
  await expect(local.fetch(await openLink({}), { redirect: 'error' })).rejects.toThrow('fetch failed');
});

test('a redirect to another server is followed over the network, without the credentials of this one', async () => {
  const app = createServer((request, response) => {
    response.end(JSON.stringify({ url: request.url, authorization: request.headers.authorization ?? null }));
  });
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  const { port } = app.address() as AddressInfo; // it listens on TCP
  const link = await openLink({ user_verify_url: `http://127.0.0.1:${port}/done`, state: 's1' });
  const response = await local.fetch(link, { headers: BEARER });
  expect(await response.json()).toEqual({
    url: expect.stringMatching(/^\/done\?auth_request_id=[\w-]+&state=s1$/),
    authorization: null,
  });
  await new Promise((resolve) => app.close(resolve));
});

test('an address of another server is refused before anything is sent', async () => {
  await expect(local.fetch('https://api.example.test/api/v1/connections')).rejects.toThrow(
    'mock.fetch calls only this mock, and https://api.example.test is another server. Give a path, or an address below http://mock.example.test.',
  );
});

test('mock.fetch accepts a Request, and refuses what fetch refuses', async () => {
  const request = new Request('http://mock.example.test/api/v1/connections', { headers: BEARER });
  expect((await local.fetch(request)).status).toBe(200);
  await expect(local.fetch('/api/v1/connections', { body: 'x' })).rejects.toMatchObject({
    name: 'TypeError',
  });
});

test('a Request can be used once, as with fetch', async () => {
  const init = { method: 'POST', headers: JSON_BODY, body: NEW_ACCOUNT };
  const calls = [local.fetch, fetch].map(async (send) => {
    const request = new Request(`${send === fetch ? served.url : local.url}/api/v1/connected_accounts`, init);
    const { status } = await send(request);
    return [status, request.bodyUsed, await send(request).catch(({ name }: Error) => name)];
  });
  const [inProcess, overHttp] = await Promise.all(calls);
  expect(inProcess).toEqual(overHttp);
  expect(inProcess).toEqual([201, true, 'TypeError']);
});

test('events arrive as a stream until the reader leaves', async () => {
  const response = await local.fetch('/_mock/environments/development/events', {
    headers: { accept: 'text/event-stream' },
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  await (await local.environment('development')).accounts.expire('ca_100000000000000001');
  let text = '';
  while (!text.includes('connected_account.updated')) text += (await reader?.read())?.value ?? '';
  await reader?.cancel();
  expect(text).toContain('"from":"ACTIVE","to":"EXPIRED"');
});

test('a stream ends when the mock closes', async () => {
  const mock = createMock(OPTIONS);
  const response = await mock.fetch('/_mock/environments/development/events', {
    headers: { accept: 'text/event-stream' },
  });
  const all = response.text();
  await mock.close();
  expect(await all).not.toContain('connected_account');
});

test('a Request can be given in place of the options of a call', async () => {
  await using mock = createMock({ log: 'silent' });
  const caught = new Request('https://api.example.com/api/v1/connected_accounts?x=1', {
    method: 'POST',
    headers: { authorization: 'Bearer dev-token', 'content-type': 'application/json' },
    body: JSON.stringify({ connector: 'mail', identifier: 'caught@acme.test' }),
  });
  expect((await mock.fetch('/api/v1/connected_accounts', caught)).status).toBe(201);
});

test('an aborted signal prevents a call, and a later abort rejects it with the reason', async () => {
  const gone = AbortSignal.abort(new Error('changed my mind'));
  await expect(local.fetch('/api/v1/connections', { headers: BEARER, signal: gone })).rejects.toThrow(
    'changed my mind',
  );
  expect(await (await local.environment('development')).requests()).toEqual([]);
  await (await local.environment('development')).faults.add({
    operation: 'listConnections',
    delay_ms: 60_000,
  });
  const later = new AbortController();
  const call = local.fetch('/api/v1/connections', { headers: BEARER, signal: later.signal });
  later.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
});

test('a call that a fault aborts rejects as fetch does', async () => {
  for (const mock of [local, served])
    await (await mock.environment('development')).faults.add({ operation: 'listConnections', abort: true });
  await expect(local.fetch('/api/v1/connections', { headers: BEARER })).rejects.toThrow('fetch failed');
  await expect(fetch(`${served.url}/api/v1/connections`, { headers: BEARER })).rejects.toThrow(
    'fetch failed',
  );
});

test('closing a mock waits for running calls, and refuses later calls', async () => {
  const mock = createMock(OPTIONS);
  await (await mock.environment('development')).faults.add({ operation: 'listConnections', delay_ms: 30 });
  const call = mock.fetch('/api/v1/connections', { headers: BEARER });
  await mock.close();
  expect((await call).status).toBe(200);
  await expect(mock.fetch('/api/v1/connections')).rejects.toThrow('fetch failed');
});

test.each<[string, () => Promise<unknown>]>([
  ['lists', async () => (await local.fetch('/api/v1/connections', { headers: BEARER })).text()],
  ['steps of the clock', async () => (await local.environment('development')).advance('1s')],
  ['looks at the faults', async () => (await local.environment('development')).faults.list()],
])('a loop of %s in process lets timers fire', async (_what, call) => {
  for (let warm = 0; warm < 3; warm += 1) await call();
  let hasFired = false;
  setTimeout(() => {
    hasFired = true;
  }, 1);
  for (let calls = 0; calls < 2_000 && !hasFired; calls += 1) await call();
  expect(hasFired).toBe(true);
});
