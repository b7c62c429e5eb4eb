/** What a case of the suite becomes: it fails only for what the API's description promises. */
import { expect, test } from '@jest/globals';
import { runSuite } from '../../../src/conformance/verify/run.ts';
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
