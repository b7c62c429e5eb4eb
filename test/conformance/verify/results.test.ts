/** What a case of the suite becomes: it fails only for what the API's description promises. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { send } from '../../../src/conformance/verify/client.ts';
import { runSuite } from '../../../src/conformance/verify/run.ts';
import { runVerify } from '../../../src/conformance/verify/verify.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { serveHttp } from '../../support/http-server.ts';
import { listeningServer } from '../../support/server.ts';
import { startAltered } from './altered.ts';

const server = await listeningServer();

test('a reply that breaks a promise fails a promised case, but an inferred case only warns', async () => {
  const altered = await startAltered(server.mock.url, ({ url, body }) => {
    if (body && url.startsWith('/api/v1/connections')) body.connections = 'none';
  });
  const access = { baseUrl: altered.url, clientId: 'dev-client', clientSecret: 'dev-secret', timeout: 60 };
  const { outcomes } = await runSuite({ ...access, operations: new Set(['listConnections']) });
  await altered.close();
  const listing = outcomes.filter(({ case: one }) =>
    /ignores an unknown|each connection has an id/.test(one.name),
  );
  const results = new Set(listing.map(({ case: { basis }, result }) => `${basis} ${result}`));
  expect([...results].sort()).toEqual(['inferred warned', 'promised failed']);
});

test('a promised case that finds a broken promise fails, whatever inferred problems it finds besides', async () => {
  const altered = await startAltered(server.mock.url, ({ url, body }) => {
    if (!body || !/^\/api\/v1\/connected_accounts(?:\?|$)/.test(url)) return;
    body.connected_accounts = 'none';
    delete body.total_size;
  });
  const access = { baseUrl: altered.url, clientId: 'dev-client', clientSecret: 'dev-secret', timeout: 60 };
  const { outcomes } = await runSuite({ ...access, operations: new Set(['listConnectedAccounts']) });
  await altered.close();
  const mixed = outcomes.filter(
    ({ case: { basis }, messages }) =>
      basis === 'promised' && messages.some((text) => /total_size/.test(text)),
  );
  expect(mixed.length).toBeGreaterThan(0);
  expect(new Set(mixed.map(({ result }) => result))).toEqual(new Set(['failed']));
});

test('what a call has created is deleted again, although the service answered with an error of its own', async () => {
  const { credentials } = await server.mock.environment('development');
  const altered = await startAltered(server.mock.url, (reply) => {
    if (reply.method === 'POST' && reply.status === 201) reply.status = 500;
  });
  const access = { baseUrl: altered.url, ...credentials, timeout: 60, connector: 'mail' };
  await runSuite({ ...access, write: true, operations: new Set(['createConnectedAccount']) });
  await altered.close();
  const { body } = await server.call('GET', '/api/v1/connected_accounts');
  expect(body.total_size).toBe(12);
});

const CLIENT = { baseUrl: server.mock.url, clientId: 'dev-client', clientSecret: 'dev-secret', timeout: 60 };
const KEYS = new Set(['getKeys', 'deleteCustomProvider']);

test('a run that is stopped makes no further case, says so, and ends with 1', async () => {
  const stop = new AbortController();
  const seen: string[] = [];
  const onOutcome = (_: unknown, progress: string): void => {
    seen.push(progress);
    stop.abort();
  };
  const report = await runSuite({ ...CLIENT, operations: KEYS, signal: stop.signal, onOutcome });
  expect([report.outcomes.length, report.isStopped]).toEqual([1, true]);
  expect(seen).toEqual([expect.stringMatching(/^1 of \d+ cases$/)]);
  const used = join(temporaryFolder(), 'used.json');
  writeFileSync(
    used,
    JSON.stringify({ format: 1, api: '1', operations: { getKeys: { sends: [], gets: {} } } }),
  );
  const end = (given: object) => runVerify({ ...CLIENT, used, ...given }, { out: () => {}, file: () => {} });
  expect(await end({ signal: AbortSignal.abort() })).toBe(1);
  expect(await end({})).toBe(0);
});

test('a member that the application uses and no reply has ends a run with 1', async () => {
  const used = join(temporaryFolder(), 'used.json');
  const gets = { 200: ['connections[].provider_key'] }; // no case fails without it
  writeFileSync(
    used,
    JSON.stringify({ format: 1, api: '1', operations: { listConnections: { sends: [], gets } } }),
  );
  const altered = await startAltered(server.mock.url, ({ body }) => {
    for (const connection of body?.connections ?? []) delete connection.provider_key;
  });
  const out: string[] = [];
  const print = { out: (text: string) => void out.push(text), file: () => {} };
  const code = await runVerify({ ...CLIENT, baseUrl: `${altered.url}/`, used, json: true }, print);
  await altered.close();
  expect(JSON.parse(out.join('')).used).toMatchObject([{ result: 'differs' }]);
  expect(code).toBe(1);
});

test('with inferred, what an inferred rule says of a promised case fails it too', async () => {
  const altered = await startAltered(server.mock.url, ({ headers }) => delete headers['x-request-id']);
  const results = async (inferred: boolean) => {
    const given = {
      ...CLIENT,
      baseUrl: altered.url,
      operations: new Set(['deleteCustomProvider']),
      inferred,
    };
    const { outcomes } = await runSuite(given);
    return new Set(
      outcomes
        .filter(({ result }) => result !== 'skipped')
        .map(({ case: { basis }, result }) => `${basis} ${result}`),
    );
  };
  expect(await results(false)).toEqual(new Set(['promised warned', 'inferred warned']));
  expect(await results(true)).toEqual(new Set(['promised failed', 'inferred failed']));
  await altered.close();
});

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

test('a call that is answered with 429 is sent three times at most', async () => {
  let calls = 0;
  await using busy = await serveHttp((_request, response) => {
    calls += 1;
    response.writeHead(429, { 'retry-after': '0.1' }).end();
  });
  expect((await send({ ...CLIENT, baseUrl: busy.url, token: 't' }, 'getKeys', {})).status).toBe(429);
  expect(calls).toBe(3);
});
