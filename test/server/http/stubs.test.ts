/** Behaviour X4: stubs answer calls that the contract does not have. */
import { beforeEach, expect, test } from '@jest/globals';
import { testServer } from '../../support/server.ts';

const THINGS = '/api/v1/things';

const { call, control, mock } = testServer({
  scenario: {
    environments: {
      development: {
        access_tokens: ['dev-token'],
        stubs: [
          { method: 'GET', path: `${THINGS}/{id}`, body: { id: 1 }, headers: { 'X-Own': 'yes' } },
          { method: 'POST', path: THINGS, status: 202, auth: false },
          {
            method: 'GET',
            path: '/gone',
            status: 410,
            body: { hint: 'see https://a.test/?access_token=abc123' },
          },
          { method: 'GET', path: '/files/*', body: 'a,b', headers: { 'Content-Type': 'text/csv' } },
        ],
      },
    },
  },
});
const environment = await mock.environment('development');
beforeEach(() => environment.reset());

test('behaviour X4: a stub answers its method and path, with CORS headers and a request id, and the journal names the stub', async () => {
  const { status, body, headers } = await call('GET', `${THINGS}/7?a=1`, {
    headers: { origin: 'http://a.test' },
  });
  expect([status, body]).toEqual([200, { id: 1 }]);
  expect(headers).toMatchObject({
    'x-own': 'yes',
    'access-control-allow-origin': 'http://a.test',
    'x-request-id': expect.stringMatching(/^req_/),
  });
  const [entry] = await environment.requests();
  expect(entry).toMatchObject({ status: 200, stub: `GET ${THINGS}/{id}`, response: { body: { id: 1 } } });
  expect(entry).not.toHaveProperty('operation');
});

test('behaviour X4, R2: the journal masks credentials in the reply of a stub, also if the status is an error', async () => {
  expect((await call('GET', '/gone')).body).toEqual({ hint: 'see https://a.test/?access_token=abc123' });
  const entry = (await environment.requests()).at(-1);
  expect(entry).toMatchObject({ status: 410, stub: 'GET /gone' });
  expect(JSON.stringify(entry)).not.toContain('abc123');
});

test('behaviour X4: a stub needs a token unless it has auth: false, and /* at the end of its path matches every path below', async () => {
  expect((await call('GET', `${THINGS}/7`, { token: null })).status).toBe(401);
  expect((await call('POST', THINGS, { token: null, body: '{' })).status).toBe(202);
  const { text, headers } = await call('GET', '/files/a/b.csv');
  expect([text, headers['content-type']]).toEqual(['a,b', expect.stringContaining('text/csv')]);
});

test('behaviour X4: the rate limit, faults for the path and the Prefer header take precedence over a stub', async () => {
  await environment.faults.add({ operation: '*', match: { path: `${THINGS}/*` }, status: 503, times: 1 });
  expect((await call('GET', `${THINGS}/7`)).body).toMatchObject({ code: 14 });
  expect((await call('GET', `${THINGS}/7`, { headers: { prefer: 'code=409' } })).status).toBe(409);
  const rate_limit = { requests: 1, per: '1m' };
  expect((await control('PATCH', '/environments/development/settings', { rate_limit })).status).toBe(200);
  await call('GET', `${THINGS}/7`);
  expect((await call('GET', `${THINGS}/7`)).status).toBe(429);
});

test('behaviour X4, T4: the 404 for an unknown path shows a stub that would answer the path', async () => {
  const { status, body } = await call('GET', '/api/v1/gadgets');
  expect([status, body.details[0].error_code]).toEqual([404, 'PATH_NOT_FOUND']);
  expect(body.message).toContain('stubs: [{ method: GET, path: "/api/v1/gadgets", status: 200, body: {} }]');
});
