/** Behaviour X4: what lies beside the contract is answered by the stubs of its environment. */
import { beforeEach, expect, test } from '@jest/globals';
import type { StubRow } from '../../src/domain/rows.ts';
import { DEFAULT_SETTINGS } from '../../src/domain/settings.ts';
import { apiPlane } from '../support/api-plane.ts';
import { stateOf } from '../support/core.ts';
import { send } from '../support/server.ts';

const stub = (row: Partial<StubRow>): StubRow => ({
  method: 'GET',
  path: '/api/v1/things/{id}',
  status: 200,
  body: {},
  headers: {},
  delay_ms: 0,
  auth: true,
  ...row,
});

const ROWS = [
  stub({ body: { id: 1 }, headers: { 'X-Own': 'yes' } }),
  stub({ method: 'POST', path: '/api/v1/things', status: 202, auth: false }),
  stub({ path: '/files/*', body: 'a,b', headers: { 'Content-Type': 'text/csv' } }),
];

const { app, environment, unforeseen, reset } = apiPlane(stateOf({ stubs: ROWS }));

beforeEach(reset);

test('behaviour X4: a stub answers its method and path with CORS and a request id, and is in the journal', async () => {
  const { status, body, headers } = await send(app, 'GET', '/api/v1/things/7?a=1', {
    headers: { origin: 'http://a.test' },
  });
  expect([status, body]).toEqual([200, { id: 1 }]);
  expect(headers).toMatchObject({
    'x-own': 'yes',
    'access-control-allow-origin': 'http://a.test',
    'x-request-id': expect.stringMatching(/^req_/),
  });
  const [entry] = environment.journal.list();
  expect(entry).toMatchObject({
    status: 200,
    stub: 'GET /api/v1/things/{id}',
    response: { body: { id: 1 } },
  });
  expect(entry && 'operation' in entry).toBe(false);
});

test('behaviour X4: a stub needs a token unless it has auth: false, and /* in its path matches any rest', async () => {
  expect((await send(app, 'GET', '/api/v1/things/7', { token: null })).status).toBe(401);
  expect((await send(app, 'POST', '/api/v1/things', { token: null, body: '{' })).status).toBe(202);
  const { text, headers } = await send(app, 'GET', '/files/a/b.csv');
  expect([text, headers['content-type']]).toEqual(['a,b', expect.stringContaining('text/csv')]);
});

test('behaviour X4: rate limit, faults by path or for all operations, and Prefer come before a stub', async () => {
  environment.faults.add({ operation: '*', match: { path: '/api/v1/things/*' }, status: 503, times: 1 });
  expect((await send(app, 'GET', '/api/v1/things/7')).body).toMatchObject({ code: 14 });
  const preferred = await send(app, 'GET', '/api/v1/things/7', { headers: { prefer: 'code=409' } });
  expect(preferred.status).toBe(409);
  environment.current = {
    ...environment.current,
    settings: { ...DEFAULT_SETTINGS, rate_limit: { requests: 1, per: 60_000 } },
  };
  await send(app, 'GET', '/api/v1/things/7');
  expect((await send(app, 'GET', '/api/v1/things/7')).status).toBe(429);
});

test('behaviour X4, T4: the 404 for an unknown path shows the stub to write', async () => {
  const { status, body } = await send(app, 'GET', '/api/v1/gadgets');
  expect([status, body.details[0].error_code]).toEqual([404, 'PATH_NOT_FOUND']);
  expect(body.message).toContain('stubs: [{ method: GET, path: "/api/v1/gadgets", status: 200, body: {} }]');
  expect(unforeseen).toEqual([]);
});
