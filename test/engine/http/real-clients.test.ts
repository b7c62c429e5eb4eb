/** What real clients, frameworks and proxies send or expect, beside what the contract's examples show. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import supertest from 'supertest';
import { createMock, startMock } from '../../../src/index.ts';
import { fieldsOf, testServer, violationsOf } from '../../support/server.ts';

const ACCOUNTS = '/api/v1/connected_accounts';
const server = testServer();

const readAll: RequestHandler = async (request, _response, next) => {
  await text(request);
  next();
};

/** What a serverless host does: it reads the body, and leaves it in a member of the request. */
const host =
  (member: 'body' | 'rawBody', toValue: (text: string) => unknown): RequestHandler =>
  async (request, _response, next) => {
    Object.assign(request, { [member]: toValue(await text(request)) });
    next();
  };

const withoutLength: RequestHandler = ({ headers }, _response, next) => {
  delete headers['content-length'];
  next();
};

let created = 0;
const createBehind = (before: RequestHandler[], more: object = {}) => {
  const app = express();
  app.use('/mock', ...before, server.mock.app as unknown as RequestHandler);
  const call = supertest(app).post(`/mock${ACCOUNTS}`).set({ authorization: 'Bearer dev-token' });
  created += 1;
  return call.send({ connector: 'mail', identifier: `behind-${created}@acme.test`, ...more });
};

test.each<[string, RequestHandler[]]>([
  ['nothing', []],
  ['express.json()', [express.json()]],
  ['express.urlencoded()', [express.urlencoded({ extended: true })]],
  ['both', [express.json(), express.urlencoded({ extended: false })]],
  ['express.text()', [express.text({ type: () => true })]],
  ['express.raw()', [express.raw({ type: () => true })]],
  ['a host that leaves an object', [host('body', JSON.parse)]],
  ['a host that leaves an object, but no length', [host('body', JSON.parse), withoutLength]],
  ['a host that leaves a text', [host('body', String)]],
  ['a host that leaves the bytes', [express.json(), host('rawBody', () => undefined)]],
])('a mock that is mounted behind %s gets the body of a create', async (_what, before) => {
  expect(await createBehind(before)).toMatchObject({ status: 201 });
  expect((await createBehind(before, { more: 'x'.repeat(2 ** 20) })).status).toBe(413);
});

test('a token request works behind express.urlencoded(), and a lost body is reported instead of counted as empty', async () => {
  const app = express().use(
    express.urlencoded({ extended: true }),
    server.mock.app as unknown as RequestHandler,
  );
  const form = { grant_type: 'client_credentials', client_id: 'dev-client', client_secret: 'dev-secret' };
  const ask = (body: object) => supertest(app).post('/oauth/token').type('form').send(body);
  await ask(form).expect(200);
  const twice = await ask({ ...form, client_id: ['a', 'b'] });
  expect(twice.body.error_description).toContain('client_id');
  expect((await createBehind([readAll])).body.message).toMatch(
    /^The body was read before it reached the mock/,
  );
});

test.each([
  'application/json; charset=utf-8',
  'Application/JSON;charset="UTF-8"',
  "application/json; charset = 'utf8'",
  'application/json; charset = "utf-8" ; profile=x',
])('the content type %j says UTF-8, and a byte order mark before JSON is left out', async (type) => {
  const body = Buffer.from('\uFEFF{"connector":"mail"}').toString();
  const answer = await server.call('POST', ACCOUNTS, { body, headers: { 'content-type': type } });
  expect(fieldsOf(answer)).toEqual(['identifier']);
});

test('a compressed body is read, and its limit counts the bytes after decompression', async () => {
  const send = (body: string | Buffer, encoding = 'gzip') =>
    server.call('POST', ACCOUNTS, { body, headers: { 'content-encoding': encoding } });
  const small = gzipSync('{"connector":"mail","identifier":"zipped@acme.test"}');
  expect((await send(small)).status).toBe(201);
  expect((await send(gzipSync(' '.repeat(2 ** 20 + 1)))).status).toBe(413);
  const [broken, unknown] = [await send('{}'), await send('{}', 'compress')].map(violationsOf);
  expect(broken?.[0]?.description).toMatch(/^The body could not be read: .*Send it again\.$/);
  expect(unknown?.[0]?.description).toContain('gzip, deflate or br');
});

test.each([
  ['plain', (text: string) => text],
  ['encoded', encodeURIComponent],
])('behaviour E3: a client id and secret with special characters may be sent %s by HTTP Basic', async (_how, encode) => {
  const client = { client_id: 'a+b%41', client_secret: 'p%2Fq:+r s' };
  const scenario = { environments: { test: { clients: [client] } } };
  const mock = createMock({ scenario, log: 'silent' });
  const pair = `${encode(client.client_id)}:${encode(client.client_secret)}`;
  const { status } = await mock.fetch('/oauth/token', {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  await mock.close();
  expect(status).toBe(200);
});

test.each([
  ['[::1]', undefined, /^http:\/\/\[::1\]:\d+$/],
  ['::1', undefined, /^http:\/\/\[::1\]:\d+$/],
  ['::', 'secret', /^http:\/\/localhost:\d+$/],
])('a mock listens on the host %s with the control token %s, if any, and says how to call it', async (host, controlToken, url) => {
  // A machine without IPv6 has no such address.
  const given = { host, controlToken, port: 0, log: 'silent' } as const;
  const mock = await startMock(given).catch(({ code }) => String(code));
  if (typeof mock === 'string') return expect(['EADDRNOTAVAIL', 'EAFNOSUPPORT']).toContain(mock);
  expect(mock.url).toMatch(url);
  await mock.close();
});

const warningsOf = async (): Promise<string[]> =>
  (await server.control('GET', '/environments/development/requests?limit=1')).body.requests[0].warnings;

test('behaviour A2: a warning names what differs beside an id, and nothing else', async () => {
  const id = 'ca_100000000000000001';
  const read = (query: string) => server.call('GET', `${ACCOUNTS}/details?id=${id}&${query}`);
  expect((await read('connector=MAIL&identifier=ada@acme.test')).status).toBe(200);
  expect(await warningsOf()).toEqual([]);
  expect((await read('connector=mail&identifier=grace@acme.test')).status).toBe(200);
  expect(await warningsOf()).toEqual([
    'identifier was ignored: the request has the id ca_100000000000000001, whose identifier is "ada@acme.test", not "grace@acme.test".',
  ]);
  const named = {
    connections: [{ key_id: 'Team', type: 'NO_AUTH' }],
    connected_accounts: [{ id: 'ca_900000000000000001', connector: 'Team', identifier: 'ada' }],
  };
  expect((await server.control('PATCH', '/environments/development/state', named)).status).toBe(200);
  const details = `${ACCOUNTS}/details?id=ca_900000000000000001&connector=team`;
  expect((await server.call('GET', details)).status).toBe(200);
  expect(await warningsOf()).toEqual([]);
});

test('behaviour N1: every header, member of baggage and preference without effect is a warning', async () => {
  const headers = {
    'x-mock-strct': '1',
    'x-mock-env': 'development',
    'x-mock-strict': '0',
    baggage: 'mock-environment=development, mock-strict=1, mock-env=development',
    prefer: 'code=200',
  };
  expect((await server.call('GET', '/api/v1/connections', { headers })).status).toBe(200);
  const told = ['header x-mock-strct', 'header x-mock-env', 'mock-strict in', 'mock-env in', 'code=200'];
  expect(await warningsOf()).toEqual(told.map((name) => expect.stringContaining(`${name} `)));
});

test('the control plane answers under the host of the base URL, and under no other name', async () => {
  const mock = createMock({ baseUrl: 'http://mock.test:4720', log: 'silent' });
  const get = (name: string) => supertest(createServer(mock.app)).get('/_mock/health').set({ host: name });
  await get('mock.test:4720').expect(200);
  await get('development.mock.test:4720').expect(403);
  await get('evil.test:4720').expect(403);
  await mock.close();
});

test.each([
  ['POST', '/reset', 'POST /_mock/environments/current/reset'],
  ['GET', '/requests', 'GET /_mock/environments/current/requests'],
  ['GET', '/reset', 'POST /_mock/environments/current/reset'],
  ['POST', '/clock/advance', 'POST /_mock/environments/current/clock/advance'],
  ['DELETE', '/faults', 'DELETE /_mock/environments/current/faults'],
])('%s /_mock%s names the call that is meant', async (method, path, meant) => {
  const { status, body } = await server.control(method, path);
  expect([status, body.error.hint]).toEqual([404, `Did you mean ${meant}?`]);
});
