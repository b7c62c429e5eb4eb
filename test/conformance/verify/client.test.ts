/** How `ca-mock verify` calls a service, and its messages when the service does not answer. */
import { expect, test } from '@jest/globals';
import { exchange, requestToken, send } from '../../../src/conformance/verify/client.ts';
import { serveHttp } from '../../support/http-server.ts';

const CLIENT = { clientId: 'me & you', clientSecret: 'dev-secret', timeout: 60 };

test('a call is sent as the contract writes it: parts of the path encoded, a list repeated, a token where it takes one', async () => {
  const sent: string[] = [];
  await using echo = await serveHttp((request, response) => {
    sent.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'}`);
    response.end('{}');
  });
  const access = { ...CLIENT, baseUrl: `${echo.url}//`, token: 't' };
  await send(access, 'deleteCustomProvider', { path: { identifier: 'A:1/b' } });
  await send(access, 'listAuthenticationRequests', {
    query: { status: ['a', 'b'], email: undefined, page_size: 0 },
  });
  await send(access, 'listConnections', { token: null });
  await send(access, 'getKeys', {});
  await send(access, 'getKeys', { method: 'PUT', url: '/x', token: 'own' });
  expect(sent).toEqual([
    'DELETE /api/v1/custom-providers/A%3A1%2Fb Bearer t',
    'GET /api/v1/logs/authentication/requests?status=a&status=b&page_size=0 Bearer t',
    'GET /api/v1/connections -',
    'GET /keys -',
    'PUT /x Bearer own',
  ]);
});

test('a call that is answered with 429 is sent three times at most, and once if it must wait longer than 30 s', async () => {
  const sent: string[] = [];
  await using busy = await serveHttp(({ url = '' }, response) => {
    sent.push(url);
    response.writeHead(429, { 'retry-after': url === '/keys' ? '0.1' : '31' }).end();
  });
  const access = { ...CLIENT, baseUrl: busy.url, token: 't' };
  expect((await send(access, 'getKeys', {})).status).toBe(429);
  expect((await send(access, 'getKeys', { url: '/later' })).status).toBe(429);
  expect(sent).toEqual(['/keys', '/keys', '/keys', '/later']);
});

test('a body is sent as JSON, a string or form as it is, and given headers stand over the usual ones', async () => {
  const sent: string[] = [];
  await using echo = await serveHttp(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    sent.push(`${request.method} ${request.headers['content-type'] ?? '-'} ${body}`.trim());
    response.end();
  });
  const access = { ...CLIENT, baseUrl: echo.url, token: 't' };
  for (const call of [
    {},
    { body: { a: [1] } },
    { body: [] },
    { body: '{"a": ' },
    { body: 'a', headers: { 'content-type': 'text/plain' } },
    { body: new URLSearchParams({ a: 'b c' }) },
  ])
    await send(access, 'deleteConnectedAccount', call);
  const form = 'application/x-www-form-urlencoded;charset=UTF-8';
  expect(sent).toEqual([
    'POST -',
    'POST application/json {"a":[1]}',
    'POST application/json []',
    'POST application/json {"a":',
    'POST text/plain a',
    `POST ${form} a=b+c`,
  ]);
});

test('a token is asked for with the id and the secret in a form; a reply without one is refused', async () => {
  const sent: string[] = [];
  let answer: readonly [status: number, body: string] = [200, '{"access_token":"t"}'];
  await using echo = await serveHttp(async (request, response) => {
    const form = Buffer.concat(await request.toArray()).toString();
    sent.push(`${request.method} ${request.url} ${request.headers['content-type']?.split(';')[0]} ${form}`);
    response.writeHead(answer[0]).end(answer[1]);
  });
  const access = { ...CLIENT, baseUrl: `${echo.url}/` };
  expect(await requestToken(access)).toBe('t');
  expect(sent).toEqual([
    'POST /oauth/token application/x-www-form-urlencoded grant_type=client_credentials&client_id=me+%26+you&client_secret=dev-secret',
  ]);
  for (const [status, body, reason] of [
    [200, '<html>', 'its answer has no member "access_token"'],
    [200, '{"access_token":""}', 'its answer has no member "access_token"'],
    [201, '{"access_token":"t"}', 'status 201'],
    [401, '{}', 'status 401'],
  ] as const) {
    answer = [status, body];
    const advice = 'Check the address, --client-id and --client-secret.';
    await expect(requestToken(access)).rejects.toThrow(
      `${echo.url}/oauth/token returned no token: ${reason}. ${advice}`,
    );
  }
});

test('a call without a reply says why, and what to check, without the query', async () => {
  await using silent = await serveHttp((request, response) => {
    if (request.url === '/large') response.end('x'.repeat(8 * 1024 * 1024 + 1));
    if (request.url === '/moved') response.writeHead(302, { Location: '/other' }).end('{"a":1}');
  });
  const advice = 'Check that the server is running and that the address is right.';
  const call = (path: string, init: RequestInit, timeout = 60) =>
    exchange(`${silent.url}${path}`, init, { ...CLIENT, baseUrl: silent.url, timeout });
  await expect(call('/a?b=c', {}, 0.05)).rejects.toThrow(
    `GET ${silent.url}/a: no reply within 0.05 s. ${advice}`,
  );
  await expect(call('/large', { method: 'PUT' })).rejects.toThrow(
    `PUT ${silent.url}/large: the reply is larger than 8 MiB. ${advice}`,
  );
  const moved = await call('/moved', {});
  expect([moved.status, moved.headers.location, moved.body]).toEqual([302, '/other', { a: 1 }]);
});
