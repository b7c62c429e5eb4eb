/** Refusals end with the address of the section of the guide that a person needs next. */
import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import { createMock } from '#mock';
import { listeningServer } from '../../support/server.ts';

const server = await listeningServer();
await server.control('POST', '/environments/development/faults', {
  operation: 'listConnectedAccounts',
  status: 503,
  match: { query: { connector: 'faulty' } },
});
await server.control('PATCH', '/environments/production/settings', {
  rate_limit: { requests: 1, per: '1h' },
});
await server.call('GET', '/api/v1/connections', { token: 'prod-token' });

const FORM = 'application/x-www-form-urlencoded';
const WRONG = { authorization: `Basic ${btoa('dev-client:wrong')}`, 'content-type': FORM };
const DEV = { authorization: 'Bearer dev-token' };
const PROD = { authorization: 'Bearer prod-token' };
const CONNECTIONS = '/api/v1/connections';
const FAULTY = '/api/v1/connected_accounts?connector=faulty';

test.each<[what: string, method: string, path: string, headers: Record<string, string>, section: string]>([
  ['a call without a token', 'GET', CONNECTIONS, {}, 'troubleshooting#401'],
  ['a token request with a wrong secret', 'POST', '/oauth/token', WRONG, 'troubleshooting#401'],
  ['a path that nothing answers', 'GET', '/api/v1/tools/x', DEV, 'stubs#stubs'],
  ['a fault', 'GET', FAULTY, DEV, 'stubs#let-calls-fail'],
  ['`Prefer`', 'GET', '/keys', { prefer: 'code=503' }, 'stubs#let-calls-fail'],
  ['the rate limit', 'GET', CONNECTIONS, PROD, 'flags#rate-limit'],
  ['a page of another origin', 'GET', '/_mock/health', { origin: 'http://evil.test' }, 'proof#security'],
])('%s links to the guide at the address that the client called', async (_what, method, path, headers, section) => {
  const host = new URL(server.mock.url).host.replace('127.0.0.1', 'localhost');
  const body = method === 'POST' ? new URLSearchParams({ grant_type: 'client_credentials' }) : undefined;
  const answer = await server.call(method, path, { token: null, headers: { ...headers, host }, body });
  const [, page, id] = / The guide: (http:\S+\/_mock\/guide\/[\w-]+(?:#([\w-]+))?)"/.exec(answer.text) ?? [];
  expect([answer.status >= 400, page]).toEqual([true, `http://${host}/_mock/guide/${section}`]);
  const { status, text } = await server.call('GET', new URL(String(page)).pathname, { token: null });
  expect(status).toBe(200);
  if (id !== undefined) expect(text).toContain(`id="${id}"`);
});

test('a missing control token links to the guide, and the address keeps the path of the base URL', async () => {
  await using mock = createMock({
    baseUrl: 'http://mock.test/prefix',
    controlToken: 'secret',
    log: 'silent',
  });
  const get = (path: string) => supertest(createServer(mock.app)).get(path);
  const { hint } = (await get('/prefix/_mock/health').expect(401)).body.error;
  expect(hint).toMatch(
    / The guide: http:\/\/mock\.test\/prefix\/_mock\/guide\/control-plane#who-may-call-it$/,
  );
  const { message } = (await get('/prefix/keys').set('Prefer', 'code=500')).body;
  expect(message).toMatch(/ The guide: http:\/\/mock\.test\/prefix\/_mock\/guide\/stubs#let-calls-fail$/);
});
