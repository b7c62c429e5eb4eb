/** `ca-mock init --from` reads a scenario from a running service. A mock with that scenario lists the same rows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type Mock, startMock } from '#mock';
import { readService } from '../../src/cli/read-service.ts';
import { accountRow, createReplacer } from '../../src/cli/service-rows.ts';
import { requestToken } from '../../src/conformance/verify/client.ts';
import type { ScenarioForm } from '../../src/model/scenario/sections/index.ts';
import { runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { serveHttp } from '../support/http-server.ts';
import { send } from '../support/server.ts';

let service: Mock;
beforeAll(async () => {
  service = await startMock({ scenario: 'default', port: 0, log: 'silent' });
});
afterAll(() => service.close());

const silent = { isAnonymous: false, progress: () => {} };
const credentials = { clientId: 'dev-client', clientSecret: 'dev-secret' };

const read = async (options: Partial<Parameters<typeof readService>[1]> = {}) =>
  (await readService({ baseUrl: service.url, ...credentials }, { ...silent, ...options })).scenario;

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
  const busy = { operation: 'listConnections', status: 429, retry_after: 1, times: 1 } as const;
  await (await many.environment()).faults.add(busy);
  const told: string[] = [];
  const options = { ...silent, progress: (text: string) => told.push(text) };
  const { scenario: got } = await readService({ baseUrl: many.url, ...credentials }, options);
  expect(got.environments?.development?.connected_accounts).toHaveLength(107);
  expect(told).toEqual(expect.arrayContaining(['waiting 1 s, as the service asked', '100 accounts']));
});

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

const TYPE = { type: 'OAUTH', provider: 'GOOGLE', status: 'COMPLETED', enabled: true };
const ORDINARY = { id: 'conn_1', key_id: 'mail', ...TYPE };

/** Starts a service with these rows. An account that has no `connector` has no details either. */
const startOdd = async (rows: {
  connections?: readonly unknown[];
  accounts?: readonly Record<string, unknown>[];
  entries?: readonly unknown[];
}) => {
  const { connections = [ORDINARY], accounts = [], entries = [] } = rows;
  let refusals = 2;
  return serveHttp((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://odd');
    const account = accounts.find(({ id }) => String(id) === searchParams.get('id'));
    const answers: Record<string, unknown> = {
      '/oauth/token': { access_token: 'token' },
      '/api/v1/connections': { connections },
      '/api/v1/connected_accounts': {
        connected_accounts: accounts.map(({ id }) => ({ id })),
        next_page_token: '',
      },
      '/api/v1/connected_accounts/details': account?.connector && { connected_account: account },
      '/api/v1/logs/authentication/requests': { authRequests: entries, next_page_token: '' },
    };
    const answer = refusals > 0 ? undefined : answers[pathname];
    response.statusCode = refusals > 0 ? 503 : answer ? 200 : 404;
    refusals -= 1;
    if (refusals >= 0) response.setHeader('retry-after', '0.1');
    response.end(JSON.stringify(answer ?? { message: '\u001b[31mno dev-secret' }));
  });
};

test.each([
  ['ACTIVE', '2999-01-01T00:00:00Z', true],
  ['ACTIVE', '2001-01-01T00:00:00Z', false],
  ['EXPIRED', '2001-01-01T00:00:00Z', true],
  ['EXPIRED', '2999-01-01T00:00:00Z', false],
])('of an account that is %s, the end of its token %s is kept: %s', (status, end, isKept) => {
  const row = accountRow(account('ca_1', { status, token_expires_at: end }), createReplacer(false, []));
  expect(row).toMatchObject({ status, token_expires_at: isKept ? end : undefined });
});

test('a service is asked again after the longest wait that is allowed, but not after a longer one', async () => {
  const signIn = async (longestWait: number): Promise<string> => {
    await using busy = await startOdd({});
    return await requestToken({ baseUrl: busy.url, ...credentials }, { statuses: [503], longestWait });
  };
  expect(await signIn(0.1)).toBe('token');
  await expect(signIn(0.09)).rejects.toThrow('returned no token: status 503');
});

const folder = temporaryFolder();

const init = (url: string, file: string, ...flags: readonly string[]) =>
  runCommand(['init', join(folder, file), '--from', url, ...CLIENT, ...flags], { cwd: folder });
const CLIENT = ['--client-id', 'dev-client', '--client-secret', 'dev-secret'];

const account = (id: string, more: object = {}): Record<string, unknown> => {
  const identifier = `${id}@a.test`;
  return { id, connector: 'mail', identifier, status: 'PENDING_AUTH', ...more };
};
const entry = (id: string, more: object = {}) => {
  const made = { timestamp: '2026-01-01T00:00:00Z', status: 'SUCCESS', email: 'ada@a.test' };
  return { auth_request_id: id, ...made, ...more };
};

test('rows that a scenario cannot have are left out or lose the member, the rest is written, and a list says which and why', async () => {
  await using odd = await startOdd({
    connections: [
      ORDINARY,
      { ...ORDINARY, id: 'conn_2', key_id: 'strange', type: 'TELEPATHY' },
      { ...ORDINARY, id: 'conn_3', key_id: 'shop', provider: 'NEW_SHOP' },
      ORDINARY,
      null,
    ],
    accounts: [
      account('ca_1'),
      account('ca_2', { status: 'HIBERNATING' }),
      account('ca_3', { connector: 'nowhere' }),
      account('ca_4', { identifier: 'x'.repeat(101) }),
      account('ca_5', { identifier: 'Bob', last_used_at: null }),
      account('ca_6', { identifier: 'bob' }),
      account('acc-7'),
      account('ca_8', { connector: undefined }),
      account('ca_1'),
      account('ca_9', { api_config: JSON.parse('['.repeat(200) + ']'.repeat(200)) }),
    ],
    entries: [
      ...[entry('r1'), entry('r1'), entry('r2', { status: 'MAYBE' })],
      entry('r3', { connection_id: 'conn_none' }),
    ],
  });
  const { code, out, err } = await init(odd.url, 'odd.yaml');
  expect(code).toBe(0);
  for (const line of [
    /an item of connections: it is not an object/,
    /connections conn_1: the service lists it twice/,
    /connections conn_2, type: .*TELEPATHY/,
    /connections conn_3, provider: .*NEW_SHOP/,
    /connected_accounts ca_1: the service lists it twice/,
    /connected_accounts ca_2, status: .*HIBERNATING/,
    /connected_accounts ca_3: .*nowhere/,
    /connected_accounts ca_4: .*100/,
    /connected_accounts acc-7, id: /,
    /connected_accounts ca_8: its details were answered with 404/,
    /authentication_requests r1: the service lists it twice/,
    /authentication_requests r2, status: .*MAYBE/,
    /authentication_requests r3, connection_id: .*conn_none/,
  ])
    expect(err).toMatch(line);
  for (const hidden of ['\u001b', 'dev-secret']) expect(err).not.toContain(hidden); // the service sends both
  expect(out).toMatch(
    /Read 0 organizations, 1 users, 3 connections, 6 connected_accounts, 3 authentication_requests; 14 left out/,
  );
  await using mock = await startMock({ scenario: join(folder, 'odd.yaml'), port: 0, log: 'silent' });
  const { accounts } = await listed(mock.url, 'my-token');
  expect(accounts.map(({ identifier }) => identifier)).toEqual(
    expect.arrayContaining(['ca_1@a.test', 'ca_2@a.test', 'Bob', 'bob', 'acc-7@a.test']),
  );
});

const UMBRELLA = { organization_id: 'org_1', organization_name: 'Umbrella Corp' };

test('an anonymous scenario hides the host, clients, resources, and organizations in names', async () => {
  const connections = [ORDINARY, { ...ORDINARY, id: 'conn_2', key_id: 'Umbrella-files' }];
  await using odd = await startOdd({
    connections,
    accounts: [
      account('ca_1', { identifier: 'Bob' }),
      account('ca_2', { identifier: 'bob', connector: 'Umbrella-files', api_config: { umbrella: 'x' } }),
    ],
    entries: [entry('r1', { ...UMBRELLA, client_id: 'secret-app', resource_id: 'vault' })],
  });
  expect(await init(odd.url, 'anonymous.yaml', '--anonymize')).toMatchObject({ code: 0 });
  const text = readFileSync(join(folder, 'anonymous.yaml'), 'utf8');
  expect(text).not.toMatch(/umbrella|127\.0\.0\.1|secret-app|vault|bob/i);
  await using mock = await startMock({ scenario: join(folder, 'anonymous.yaml'), port: 0, log: 'silent' });
  const { accounts } = await listed(mock.url, 'my-token');
  expect(new Set(accounts.map(({ identifier }) => identifier)).size).toBe(2);
  expect(accounts[1]?.connector).toMatch(/^connection-/);
});

test('an anonymous user has one address, in whatever letter case the service logs it', async () => {
  const entries = ['Bob@b.test', 'bob@b.test'].map((email, nth) => entry(`r${nth}`, { email }));
  await using odd = await startOdd({ entries });
  expect(await init(odd.url, 'cases.yaml', '--anonymize')).toMatchObject({ code: 0 });
  const addresses = readFileSync(join(folder, 'cases.yaml'), 'utf8').match(/user-\d+@/g);
  expect(addresses).toEqual(['user-1@', 'user-1@', 'user-1@']);
});

test('a file that is there is not replaced, and the service is not even asked', async () => {
  await using odd = await startOdd({});
  expect(await init(odd.url, 'first.yaml')).toMatchObject({ code: 0, err: '' });
  const again = await init('http://127.0.0.1:9', 'first.yaml');
  expect(again).toMatchObject({ code: 1, out: '', err: expect.stringContaining('already exists') });
});

test('the list of rows left out has 200 lines at most, and says how many others there are', async () => {
  await using odd = await startOdd({ connections: [ORDINARY, ...Array(203).fill(null)] });
  const { out, err } = await init(odd.url, 'long.yaml');
  const line = '  an item of connections: it is not an object';
  expect(err.split('\n')).toEqual([
    'Left out, since the service has it and a scenario cannot:',
    ...[...Array(200).fill(line), '  and 3 more', ''],
  ]);
  expect(out).toContain('; 203 left out.\n');
});

test.each([
  ['no dev-secret', ': no ***'],
  ['\u001b[31mgone', ':  [31mgone'],
  ['client_secret=abc', ''],
  [5, ''],
])('if a list is refused with the message %j, the error tells it without credentials', async (message, told) => {
  await using service = await serveHttp((request, response) => {
    const isToken = request.url === '/oauth/token';
    response.statusCode = isToken ? 200 : 404;
    response.end(JSON.stringify(isToken ? { access_token: 'token' } : { message }));
  });
  expect(await init(service.url, 'refused.yaml')).toEqual({
    code: 2,
    out: '',
    err: `GET /api/v1/connections was answered with 404${told}. Nothing was written.\n`,
  });
});

test('sign-ins of the last seven days are read, in the order in which they happened', async () => {
  await using own = await startMock({ scenario: 'default', port: 0, log: 'silent' });
  const rows = ['-8d', '-6d', '-1m'].map((timestamp, nth) => ({
    ...{ auth_request_id: `r${nth}`, timestamp, status: 'SUCCESS' as const, email: 'ada@acme.test' },
  }));
  await (await own.environment()).patchState({ authentication_requests: rows });
  const { scenario } = await readService({ baseUrl: own.url, ...credentials }, silent);
  expect(scenario.description).toBe(`Read from ${new URL(own.url).host}`);
  const read = scenario.environments?.development?.authentication_requests?.map((row) => row.auth_request_id);
  expect(read?.filter((id) => /^r\d$/.test(String(id)))).toEqual(['r1', 'r2']);
});

test('init --from shows on a terminal how far it is, and needs both credentials', async () => {
  await using odd = await startOdd({});
  const from = ['init', join(folder, 'shown.yaml'), '--from', odd.url, ...CLIENT];
  const { err } = await runCommand(from, { isTTY: true });
  expect(err).toMatch(/^\rReading: waiting .*\rReading: 0 sign-ins +\n$/s);
  for (const flags of [from.slice(0, -2), from.toSpliced(4, 2)])
    expect((await runCommand(flags)).err).toContain('--from needs --client-id and --client-secret.');
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
