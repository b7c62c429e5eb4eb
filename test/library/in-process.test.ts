/** `mock.fetch` and `fetch` over a port get the same answers from two mocks with the same options, byte for byte. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import express from 'express';
import { createMock, type Mock, startMock } from '#mock';
import { serveHttp } from '../support/http-server.ts';
import { testServer } from '../support/server.ts';

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
  for (const mock of [local, served]) await (await mock.environment()).reset({ journal: true });
});

const LIST = '/api/v1/connections';
const ACCOUNTS = '/api/v1/connected_accounts';
const EVENTS = '/_mock/environments/development/events';
const BEARER = { authorization: 'Bearer dev-token' };
const JSON_BODY = { ...BEARER, 'content-type': 'application/json' };
const NEW_ACCOUNT = JSON.stringify({ connector: 'mail', identifier: 'new@acme.test' });
const SIGN_IN = { grant_type: 'client_credentials', client_id: 'dev-client', client_secret: 'dev-secret' };

const list = (init: RequestInit = {}): Promise<Response> => local.fetch(LIST, { headers: BEARER, ...init });
const post = (body: RequestInit['body'], headers: Record<string, string> = JSON_BODY): RequestInit => ({
  method: 'POST',
  headers,
  ...(body !== undefined && { body }),
});

/** Headers about the connection, which may differ between the two answers. */
const OF_CONNECTION = ['connection', 'keep-alive', 'date', 'transfer-encoding'];

const seen = async (response: Response) => ({
  status: response.status,
  statusText: response.statusText,
  headers: Object.fromEntries([...response.headers].filter(([name]) => !OF_CONNECTION.includes(name))),
  text: await response.text(),
});

test.each<[string, string, RequestInit]>([
  ['a list', `${ACCOUNTS}?page_size=3`, { headers: BEARER }],
  ['raw reserved characters', `${ACCOUNTS}?identifier=ada@acme.test&query=a:b`, { headers: BEARER }],
  ['HEAD', LIST, { method: 'HEAD', headers: BEARER }],
  ['a well-known method in lower case', LIST, { method: 'get', headers: BEARER }],
  ['a preflight', LIST, { method: 'OPTIONS', headers: { origin: 'http://app.test' } }],
  ['an unknown path', '/api/v1/connectoins', { headers: BEARER }],
  ['a wrong method', LIST, { method: 'DELETE', headers: BEARER }],
  ['no token', LIST, {}],
  ['a create', ACCOUNTS, post(NEW_ACCOUNT)],
  ['a body as bytes', ACCOUNTS, post(Buffer.from(NEW_ACCOUNT))],
  ['a body that is not JSON', ACCOUNTS, post('{')],
  ['a body without a media type', ACCOUNTS, post(NEW_ACCOUNT, BEARER)],
  ['no body', ACCOUNTS, post(undefined, BEARER)],
  ['an empty body', ACCOUNTS, post('', BEARER)],
  ['a text beyond ASCII', ACCOUNTS, post('{ "connector": "mail", "identifier": "žluťoučký-\ud800" }')],
  ['a body that is too large', ACCOUNTS, post(' '.repeat(2 ** 20 + 1))],
  ['a Prefer header', LIST, { headers: { ...BEARER, prefer: 'code=429' } }],
  ['a page that does not exist', '/connect/nowhere', {}],
  ['the root path', '/', { redirect: 'manual' }],
  // Otherwise the global `fetch` asks for gzip.
  ['the contract', '/openapi.yaml', { headers: { 'accept-encoding': 'identity' } }],
  ['a form', '/oauth/token', post(new URLSearchParams(SIGN_IN), {})],
  [
    'a form of another media type',
    '/oauth/token',
    post(new URLSearchParams(SIGN_IN), { 'content-type': 'text/plain' }),
  ],
])('a call has the same answer in process as over HTTP: %s', async (_what, path, init) => {
  const answers = await Promise.all([local.fetch(path, init), fetch(served.url + path, init)]);
  const [inProcess, overHttp] = await Promise.all(answers.map(seen));
  expect(inProcess).toEqual(overHttp);
});

test('the journal shows a call in process as it shows a call over HTTP', async () => {
  const init = post(NEW_ACCOUNT, BEARER); // `fetch` adds the media type, since the body is a string
  await local.fetch(ACCOUNTS, init);
  await fetch(served.url + ACCOUNTS, init);
  const firstOf = async (mock: Mock) => (await (await mock.environment()).requests())[0];
  const [mine, theirs] = [await firstOf(local), await firstOf(served)];
  expect({ ...mine?.request, headers: {} }).toEqual({ ...theirs?.request, headers: {} });
  expect(mine?.request.headers).toMatchObject({
    'content-type': 'text/plain;charset=UTF-8',
    'content-length': '49',
  });
  expect(mine?.response.body).toEqual(theirs?.response.body);
});

const openLink = async (body: object): Promise<string> => {
  const init = post(JSON.stringify({ connector: 'mail', identifier: 'walk@acme.test', ...body }));
  const response = await local.fetch(`${ACCOUNTS}/magic_link`, init);
  const { link } = (await response.json()) as { link: string };
  return `${link}?decision=approve`;
};

test.each([
  ...(['POST', 'PUT'] as const).flatMap((method) =>
    [302, 303, 307].map((status) => [method, status] as const),
  ),
  ['HEAD', 303],
] as const)('a redirect is followed in process as over HTTP: %s, %d', async (method, status) => {
  const stubs = (['GET', 'POST', 'PUT'] as const).flatMap((each) => [
    { method: each, path: '/hop', auth: false, status, headers: { location: '/landing#part' } },
    { method: each, path: '/landing', auth: false },
  ]);
  const init = method === 'HEAD' ? { method } : { ...post('{ "a": 1 }'), method };
  const follow = async (mock: Mock, ask: typeof fetch) => {
    const env = await mock.environment();
    await env.patchState({ stubs });
    const { url, redirected } = await ask(`${mock.url}/hop`, init);
    const calls = (await env.requests()).map(({ request }) => [
      ...[request.method, request.url, request.body, request.headers?.['content-type']],
    ]);
    return { calls, redirected, path: url.slice(mock.url.length) };
  };
  expect(await follow(local, local.fetch)).toEqual(await follow(served, fetch));
});

test('with the option `redirect`, a redirect is returned or refused instead of followed', async () => {
  const link = await openLink({ user_verify_url: 'https://app.test/done' });
  const manual = await local.fetch(link, { redirect: 'manual' });
  expect(manual.status).toBe(302);
  expect(manual.headers.get('location')).toContain('https://app.test/done?auth_request_id=');
  await expect(local.fetch(await openLink({}), { redirect: 'error' })).rejects.toThrow('fetch failed');
});

test('a redirect to another server is followed over the network, without the credentials of the call', async () => {
  await using app = await serveHttp((request, response) => {
    const { authorization = null, cookie = null } = request.headers;
    response.end(JSON.stringify({ url: request.url, authorization, cookie }));
  });
  const link = await openLink({ user_verify_url: `${app.url}/done`, state: 's1' });
  const response = await local.fetch(link, { headers: { ...BEARER, cookie: 'session=1' } });
  expect(await response.json()).toEqual({
    url: expect.stringMatching(/^\/done\?auth_request_id=[\w-]+&state=s1$/),
    authorization: null,
    cookie: null,
  });
});

test('mock.fetch refuses the address of another server, a missing address, and a GET with a body', async () => {
  await expect(local.fetch('https://api.example.test/api/v1/connections')).rejects.toThrow(
    'mock.fetch calls only this mock, and https://api.example.test is another server. Give a path, or an address that starts with http://mock.example.test.',
  );
  for (const host of ['mock.example.test:81', 'production.localhost'])
    await expect(local.fetch(`http://${host}/keys`)).rejects.toThrow('is another server');
  const untyped = local.fetch as () => Promise<Response>;
  await expect(untyped()).rejects.toThrow('fetch needs a path such as /api/v1/connections');
  await expect(list({ body: 'x' })).rejects.toMatchObject({ name: 'TypeError' }); // fetch refuses a GET with a body in the same way
});

test('a Request can be sent only once, as with fetch, and can take the place of the options', async () => {
  const calls = [local.fetch, fetch].map(async (send) => {
    const request = new Request((send === fetch ? served.url : local.url) + ACCOUNTS, post(NEW_ACCOUNT));
    const { status } = await send(request);
    return [status, request.bodyUsed, await send(request).catch(({ name }: Error) => name)];
  });
  for (const call of calls) expect(await call).toEqual([201, true, 'TypeError']);
  const caught = new Request('https://api.example.com/x?x=1', post(NEW_ACCOUNT));
  expect((await local.fetch(ACCOUNTS, caught)).status).toBe(409);
});

test('events arrive as a stream until the reader cancels, and a stream ends when the mock closes', async () => {
  const mock = createMock(OPTIONS);
  const headers = { accept: 'text/event-stream' };
  const response = await mock.fetch(EVENTS, { headers });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  await (await mock.environment()).accounts.expire('ca_100000000000000001');
  let text = '';
  while (!text.includes('connected_account.updated')) text += (await reader?.read())?.value ?? '';
  await reader?.cancel();
  expect(text).toContain('"from":"ACTIVE","to":"EXPIRED"');
  const other = (await mock.fetch(EVENTS, { headers })).text();
  await (await mock.environment()).faults.add({ operation: 'getKeys', delay_ms: 60_000, status: 503 });
  const underWay = mock.fetch('/keys').then(({ status }) => status);
  const closing = mock.close();
  expect(await Promise.race([underWay, closing])).toBe(503); // a mock closes after its calls
  await closing;
  await other;
});

test('a call with an aborted signal is not made, and a running call is rejected when its signal is aborted', async () => {
  const env = await local.environment();
  const gone = AbortSignal.abort(new Error('changed my mind'));
  await expect(list({ signal: gone })).rejects.toThrow('changed my mind');
  const request = new Request(local.url + LIST, { headers: BEARER, signal: gone });
  await expect(local.fetch(request)).rejects.toThrow('changed my mind');
  expect(await env.requests()).toEqual([]);
  await env.faults.add({ operation: 'listConnections', delay_ms: 60_000 });
  const later = new AbortController();
  const call = list({ signal: later.signal });
  later.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  // A call that a fault aborts is rejected as by fetch.
  for (const mock of [local, served]) {
    await (await mock.environment()).faults.add({ operation: 'getKeys', abort: true });
    const ask = mock === local ? mock.fetch : fetch;
    await expect(ask(`${mock === local ? '' : mock.url}/keys`)).rejects.toThrow('fetch failed');
  }
});

test('calls in process need neither timers nor the global fetch, and interceptors of HTTP clients do not see them', async () => {
  jest.useFakeTimers();
  const replaced = jest.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network here'));
  const count = jest.fn();
  subscribe('http.client.request.start', count);
  try {
    const answer = await list();
    expect([answer.status, (await answer.text()).length]).toEqual([200, expect.any(Number)]);
  } finally {
    unsubscribe('http.client.request.start', count);
    replaced.mockRestore();
    jest.useRealTimers();
  }
  expect(count).not.toHaveBeenCalled();
});

// `mock.app`, mounted in an Express app below a prefix.

const MOUNTED = { scenario: 'default', log: 'silent' } as const;

const behindProxy = testServer({ baseUrl: 'http://h.test/mock' });

const app = express();
const server = await serveHttp(app);
const base = `${server.url}/mock`;
const mock = createMock({ ...MOUNTED, baseUrl: base });
app.use('/mock', mock.app);
app.get('/own', (_request, response) => {
  response.json({ own: true });
});
afterAll(() => Promise.all([mock.close(), server.close()]));

test('a mounted mock and its links answer below its prefix, and leave other paths to the outer app', async () => {
  expect((await fetch(new URL('/api/v1/connections', base), { headers: BEARER })).status).toBe(404);
  expect(await (await fetch(new URL('/own', base))).json()).toEqual({ own: true });
  const unknown = await fetch(`${base}/api/v1/nowhere`, { headers: BEARER });
  expect([unknown.status, await unknown.json()]).toEqual([404, expect.objectContaining({ code: 5 })]);
  const form = JSON.stringify({ connector: 'mail', identifier: 'walk@acme.test' });
  const created = await fetch(`${base}/api/v1/connected_accounts/magic_link`, post(form));
  const { link } = JSON.parse(await created.text());
  expect(link).toMatch(`${base}/magicLink/`);
  const page = await fetch(link);
  expect(await page.text()).toContain('<form method="post"');
  const headers = { origin: new URL(base).origin };
  const decided = await fetch(link, post(new URLSearchParams({ decision: 'approve' }), headers));
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
  ...['/mock/keys', '/keys'].map((path) => [path, 200] as const),
  ...['/mockkeys', '/mock/mock/keys'].map((path) => [path, 404] as const),
  ...['/mock', '/mock?a=b', '/', '/mock/_mock', '/_mock'].map((path) => [path, 302, '/mock/_mock/'] as const),
  ['/_mock/guide', 302, '/mock/_mock/guide/'],
])('a proxy may leave the path of the base URL in front or take it off: %s is answered with %d', async (path, status, location = undefined) => {
  const answer = await behindProxy.call('GET', path, { token: null });
  expect([answer.status, answer.headers.location]).toEqual([status, location]);
});
