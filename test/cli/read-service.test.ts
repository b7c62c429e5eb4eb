/** `ca-mock init --from` reads a scenario from a running service. A mock with that scenario lists the same rows. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type Mock, startMock } from '#mock';
import { readService } from '../../src/cli/read-service.ts';
import type { ScenarioForm } from '../../src/model/scenario/sections/index.ts';
import { send } from '../support/server.ts';

let service: Mock;
beforeAll(async () => {
  service = await startMock({ scenario: 'default', port: 0, log: 'silent' });
});
afterAll(() => service.close());

const silent = { isAnonymous: false, progress: () => {} };
const credentials = { clientId: 'dev-client', clientSecret: 'dev-secret' };

const read = (options: Partial<Parameters<typeof readService>[1]> = {}) =>
  readService({ baseUrl: service.url, ...credentials }, { ...silent, ...options });

/** What a server lists: connections, accounts with status and configuration, and sign-ins. */
const listed = async (url: string, token: string) => {
  const get = async (path: string, list: string): Promise<Record<string, unknown>[]> =>
    (await send(url, 'GET', `/api/v1/${path}`, { token })).body[list];
  const accounts = await get('connected_accounts?page_size=100', 'connected_accounts');
  const entries = await get('logs/authentication/requests?page_size=100', 'authRequests');
  return {
    connections: await get('connections?include=all', 'connections'),
    accounts: accounts.map(({ token_expires_at: _, ...account }) => account),
    authRequests: entries.map(({ environment_id: _, connection_details: _details, ...entry }) => entry),
  };
};

const serve = async (scenario: ScenarioForm) => {
  await using mock = await startMock({ scenario, port: 0, log: 'silent' });
  return await listed(mock.url, 'my-token');
};

test('a mock with the scenario that was read lists the same connections, accounts and sign-ins as the service', async () => {
  const scenario = await read();
  expect(await serve(scenario)).toEqual(await listed(service.url, 'dev-token'));
  expect(JSON.stringify(scenario)).not.toMatch(/access-token-of-ada|crm-key-of-ada|dev-secret|dev-token/);
});

test('all pages of accounts are read, with a pause when the service asks for one', async () => {
  const row = { repeat: 95, connector: 'mail', identifier: 'many-{n}@a.test', status: 'ACTIVE' as const };
  const scenario = { extends: 'default', environments: { development: { connected_accounts: [row] } } };
  await using many = await startMock({ port: 0, log: 'silent', scenario });
  await (await many.environment()).faults.add({
    operation: 'listConnections',
    status: 429,
    retry_after: 1,
    times: 1,
  });
  const told: string[] = [];
  const options = { ...silent, progress: (text: string) => told.push(text) };
  const { environments } = await readService({ baseUrl: many.url, ...credentials }, options);
  expect(environments?.development?.connected_accounts).toHaveLength(107);
  expect(told).toEqual(expect.arrayContaining(['waiting 1 s, as the service asked', '101 accounts']));
}, 240_000);

test('an anonymous scenario has other addresses, names and configuration, and equal values stay equal', async () => {
  const scenario = await read({ isAnonymous: true });
  const text = JSON.stringify(scenario);
  expect(text).not.toMatch(/ada@|grace|linus|acme\.test|globex\.test|Acme Corp|archive|Web application/);
  const { connected_accounts = [], users = [] } = scenario.environments?.development ?? {};
  const ada = connected_accounts.find(({ id }) => id === 'ca_100000000000000001')?.identifier;
  expect(connected_accounts.filter(({ identifier }) => identifier === ada)).toHaveLength(7);
  expect(users.map(({ email }) => email)).toContain(ada);
  const served = await serve(scenario);
  const own = await listed(service.url, 'dev-token');
  expect(served.accounts.map(({ status }) => status)).toEqual(own.accounts.map(({ status }) => status));
});

test.each([
  [{}, 'The answer of the service has no list of connections.'],
  [
    { connections: [], connected_accounts: [], next_page_token: 'again' },
    'The service returned the same page of accounts twice.',
  ],
])('a service that answers %j causes one message, never an endless read or an empty scenario', async (answer, message) => {
  const fetch = jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => Response.json({ access_token: 'a', ...answer }));
  await expect(read()).rejects.toThrow(message);
  fetch.mockRestore();
});

test('a service that refuses or does not answer causes one message', async () => {
  const wrong = { baseUrl: service.url, clientId: 'dev-client', clientSecret: 'wrong' };
  await expect(readService(wrong, silent)).rejects.toThrow('/oauth/token returned no token: status 401');
  const nowhere = { baseUrl: 'http://127.0.0.1:9', ...credentials };
  await expect(readService(nowhere, silent)).rejects.toThrow('POST http://127.0.0.1:9/oauth/token: ');
});
