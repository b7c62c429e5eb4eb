/** What calls relied on, as a Pact: which interactions it has, and that the comparator and a fresh mock agree with it. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import * as broker from '@pactflow/openapi-pact-comparator';
import { parse } from 'yaml';
import { testServer } from '../../support/server.ts';

interface Problem {
  readonly type: string;
}

/** The package's declarations do not name its class. */
const { Comparator } = broker as unknown as {
  Comparator: new (contract: object) => { compare(pact: object): AsyncIterable<Problem> };
};

const server = testServer();
const fresh = testServer();
const contract = () => parse(readFileSync('openapi.yaml', 'utf8'));
const ACCOUNTS = '/api/v1/connected_accounts';
const CONNECTIONS = '/api/v1/connections';
const MEMBERSHIPS = '/api/v1/memberships/organizations';

type Env = Awaited<ReturnType<typeof server.isolated>>;

/** The Pact of the calls that `make` makes in an environment of its own. */
const pactOf = async (make: (api: Env['api'], env: Env) => Promise<unknown>, scenario = 'default') => {
  const env = await server.isolated({ scenario });
  await make(env.api, env);
  return (await env.control('GET', '/pact')).body;
};

type Interaction = Awaited<ReturnType<typeof pactOf>>['interactions'][number];

const told = ({ interactions }: { readonly interactions: readonly { description: string }[] }) =>
  interactions.map(({ description }) => description);

test('a call that sent other members or parameters, or got another status, is an interaction of its own', async () => {
  const pact = await pactOf(async (api) => {
    await api('GET', CONNECTIONS);
    await api('GET', `${CONNECTIONS}?include=all&domain=acme.test`);
    await api('GET', `${CONNECTIONS}?domain=globex.test&include=all`);
    await api('GET', `${CONNECTIONS}?domain=acme.test`);
    await api('GET', `${ACCOUNTS}/details?id=ca_100000000000000001`);
    await api('GET', `${ACCOUNTS}/details?id=ca_none`);
  });
  expect(told(pact)).toEqual([
    'getConnectedAccountDetails 200 with id',
    'getConnectedAccountDetails 404 with id',
    'listConnections 200',
    'listConnections 200 with domain',
    'listConnections 200 with domain, include=all',
  ]);
  expect(pact.interactions.at(-1)).toMatchObject({
    providerStates: [{ name: 'default' }],
    request: {
      ...{ method: 'GET', path: CONNECTIONS, headers: { Authorization: 'Bearer token' } },
      query: { domain: ['acme.test'], include: ['all'] },
    },
    response: { status: 200, matchingRules: { body: { $: { matchers: [{ match: 'type' }] } } } },
  });
});

test('a list has each kind of item that was sent, and a parameter that repeats has the values of its example', async () => {
  const pact = await pactOf(async (api) => {
    const roles = [{ id: 'role_100000000000000002' }, { name: 'member' }, { name: 'admin' }];
    await api('POST', `${MEMBERSHIPS}/org_100000000000000001/users/usr_100000000000000005`, { roles });
    await api('GET', '/api/v1/logs/authentication/requests?status=PENDING');
  });
  const [created, listed] = pact.interactions;
  expect(created?.description).toBe('createMembership 201 with roles[0].id, roles[1].name');
  expect(created?.request.body).toEqual({ roles: [{ id: expect.any(String) }, { name: 'admin' }] });
  expect(listed?.request.query).toEqual({ status: ['SUCCESS', 'failed'] });
});

test('a reply has the members that the replies to all such calls had, and in a list those that all items had', async () => {
  const replyTo = async (...ids: string[]) => {
    const pact = await pactOf(async (api) => {
      for (const id of ids) await api('GET', `${ACCOUNTS}/auth?id=ca_1000000000000000${id}`);
      await api('GET', `${ACCOUNTS}?page_size=20`);
    });
    return pact.interactions.map(({ response }: Interaction) => response.body);
  };
  const details = (reply: { readonly connected_account: object }) => reply.connected_account;
  const [ofOauth, list] = await replyTo('01');
  const [ofBoth] = await replyTo('01', '06');
  const [inOtherOrder] = await replyTo('06', '01');
  expect(details(ofOauth)).toHaveProperty('authorization_details.oauth_token.access_token');
  expect(details(ofBoth)).toMatchObject({ authorization_details: {}, status: 'ACTIVE' });
  expect(details(ofBoth)).not.toHaveProperty('authorization_details.oauth_token');
  expect(inOtherOrder).toEqual(ofBoth);
  expect(list.connected_accounts).toHaveLength(1);
  expect(list.connected_accounts[0]).not.toHaveProperty('token_expires_at'); // some accounts have none
});

test('refusals of the contract, faults, cut connections, stubs and unknown paths are left out', async () => {
  const stubs = [{ path: '/api/v1/other', reply: { body: {} } }];
  const pact = await pactOf(async (api, { control }) => {
    await control('PATCH', '/state', { stubs });
    await api('GET', '/api/v1/other');
    await api('GET', '/api/v1/unknown');
    await api('POST', ACCOUNTS, { connector: 7 });
    await api('POST', ACCOUNTS, { connector: 'mail', identifier: 'x'.repeat(2 ** 20) });
    await api('GET', CONNECTIONS, undefined, { prefer: 'code=503' });
    await control('POST', '/faults', { operation: 'listConnections', status: 429, times: 1 });
    await api('GET', CONNECTIONS);
    await control('POST', '/faults', { operation: 'listConnections', body: { connections: [] }, times: 1 });
    await api('GET', CONNECTIONS);
    await control('POST', '/faults', { operation: 'listConnections', abort: true, times: 1 });
    await expect(api('GET', CONNECTIONS)).rejects.toThrow();
    await control('POST', '/faults', { operation: 'getKeys', delay_ms: 1 });
    await api('GET', '/keys');
  });
  expect(told(pact)).toEqual(['getKeys 200']); // a delay alone leaves the answer as it is
});

test('the Pact of all environments has deleted ones, outlives resets, and names each scenario', async () => {
  const [one, other] = [await fresh.isolated(), await fresh.isolated({ scenario: 'empty' })];
  for (const { api } of [one, other, one]) await api('GET', CONNECTIONS);
  await one.control('POST', '/reset', { journal: true });
  await fresh.control('DELETE', `/environments/${other.name}`);
  const { body } = await fresh.control('GET', '/pact?consumer=shop&provider=accounts');
  expect(body).toMatchObject({
    consumer: { name: 'shop' },
    provider: { name: 'accounts' },
    interactions: [{ providerStates: [{ name: 'default' }] }, { providerStates: [{ name: 'empty' }] }],
    metadata: { pactSpecification: { version: '3.0.0' } },
  });
  const unnamed = await one.get('/pact');
  expect([unnamed.consumer.name, unnamed.provider.name]).toEqual(['application', contract().info.title]);
  expect(unnamed.interactions).toHaveLength(1);
});

const tokenForm = (more: object = {}) => new URLSearchParams({ grant_type: 'client_credentials', ...more });
const CLIENT = { client_id: 'dev-client', client_secret: 'dev-secret' };
const PAIR = { connector: 'crm', identifier: 'secret-name@acme.test' };
const BRING = { authorization_details: { static_auth: { details: { api_key: 'canary' } } } };
const UPDATE = { connected_account: { api_config: { a: 1 } } };
const VERIFY = {
  auth_request_id: 'pending-grace-00000000000000000000000000000',
  identifier: 'grace@acme.test',
};
const LINK = { connector: 'chat', identifier: 'ada@acme.test', state: 'x' };
const PROVIDER = {
  ...{ display_name: 'My Notes', proxy_url: 'https://my.notes.test' },
  auth_patterns: [{ type: 'API_KEY' }],
};
const OWN_PROVIDER = '/api/v1/custom-providers/MY_NOTES:{environment}';
const OWN_USER = `${MEMBERSHIPS}/org_100000000000000002/users/usr_100000000000000005`;

/** Calls with an application's own values, each with these bodies, one after another: every operation in every way. */
const SUITE: readonly (readonly [call: string, ...bodies: unknown[]])[] = [
  ['POST /oauth/token', tokenForm(CLIENT), tokenForm({ ...CLIENT, client_secret: 'wrong' })],
  ['GET /keys'],
  ['GET /.well-known/openid-configuration'],
  ...['', '?include=all', '?organization_id=org_100000000000000001'].map(
    (query) => [`GET ${CONNECTIONS}${query}`] as const,
  ),
  ...['', '?page_size=2&connector=mail', '?connection_names=mail&connection_names=crm']
    .concat('?connection_names=none', ':search?query=ada')
    .map((query) => [`GET ${ACCOUNTS}${query}`] as const),
  ['GET /api/v1/logs/authentication/requests?status=SUCCESS&page_size=5'],
  [`POST ${ACCOUNTS}`, PAIR, ...Array(2).fill({ ...PAIR, connected_account: BRING })],
  ...[String(new URLSearchParams(PAIR)), 'id=ca_100000000000000001', 'id=ca_none'].flatMap((account) =>
    ['auth', 'details'].map((what) => [`GET ${ACCOUNTS}/${what}?${account}`] as const),
  ),
  [`PUT ${ACCOUNTS}`, { ...PAIR, ...UPDATE }, { id: 'ca_none', ...UPDATE }],
  [`POST ${ACCOUNTS}/magic_link`, LINK],
  [`POST ${ACCOUNTS}/user/verify`, { ...VERIFY, identifier: 'ada@acme.test' }, VERIFY, VERIFY],
  [`POST ${ACCOUNTS}:delete`, PAIR, PAIR],
  ['POST /api/v1/custom-providers', PROVIDER],
  [`PUT ${OWN_PROVIDER}`, { description: 'Mine.' }],
  [`DELETE ${OWN_PROVIDER}`, undefined, undefined],
  ...[OWN_USER, OWN_USER.replace('/users/usr_100000000000000005', '/users:external/ext-barbara')].flatMap(
    (member) =>
      [
        [`POST ${member}`, ...Array(2).fill({ roles: [{ name: 'member' }] })],
        [`PATCH ${member}`, { roles: [{ name: 'admin' }] }],
        [`PATCH ${OWN_USER.replace('/memberships/', '/invites/')}/resend`],
        [`DELETE ${member}`, undefined, undefined],
        [`PATCH ${member}`, { metadata: { team: 'a' } }],
      ] as const,
  ),
];

const suite = async (api: Env['api'], { name, get }: Env): Promise<void> => {
  const environment = (await get('')).id.slice('env_'.length);
  const named = { 'x-mock-environment': name }; // which then takes the credentials of its original (behaviour E7)
  for (const [call, ...bodies] of SUITE) {
    const [method = '', path = ''] = call.replace('{environment}', environment).split(' ');
    for (const body of bodies.length > 0 ? bodies : [undefined]) await api(method, path, body, named);
  }
  const authorization = `Basic ${btoa('dev-client:dev-secret')}`;
  await api('POST', '/oauth/token', tokenForm(), { ...named, authorization });
  await api('GET', CONNECTIONS, undefined, { ...named, authorization: 'Bearer wrong' });
};

const pact = await pactOf(suite);

/** What a body lacks of the shape of another: of a list, each item has the shape of the first. */
const lacks = (wanted: unknown, body: unknown, place = ''): readonly string[] => {
  if (Array.isArray(wanted))
    return Array.isArray(body)
      ? body.flatMap((item, nth) => (wanted.length > 0 ? lacks(wanted[0], item, `${place}[${nth}]`) : []))
      : [`${place} is not a list`];
  if (typeof wanted !== 'object' || wanted === null)
    return typeof wanted === typeof body ? [] : [`${place} is ${typeof body}`];
  return Object.entries(wanted).flatMap(([name, part]) =>
    Object.hasOwn(Object(body), name)
      ? lacks(part, Reflect.get(Object(body), name), `${place}.${name}`)
      : [`${place} has no ${name}`],
  );
};

/** Makes the call of an interaction with a token that is valid, but for a 401. @returns what is not as the Pact says */
const replay = async ({ request, response }: Interaction): Promise<readonly string[]> => {
  const { api } = await server.isolated();
  const { method, path, query = {}, headers, body } = request;
  const pairs = Object.entries<string[]>(query).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const search = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
  const { Authorization, 'Content-Type': type } = headers;
  const isReplaced = Authorization === 'Bearer token' && response.status !== 401;
  const given = {
    ...(Authorization !== undefined && !isReplaced && { authorization: Authorization }),
    ...(type !== undefined && { 'content-type': type }),
  };
  const sent = typeof body === 'string' ? new URLSearchParams(body) : body;
  const reply = await api(method, `${path}${search}`, sent, given);
  if (reply.status !== response.status) return [`status ${reply.status}`];
  return lacks(response.body, reply.body);
};

/**
 * Interactions that need a provider state of their own: something that is there already, a user who is another, and rows
 * that had a member which other rows of the scenario lack.
 */
const NEED_A_STATE = [
  'createConnectedAccount 409',
  'createMembership 409',
  'createMembershipByExternalId 409',
  'listAuthenticationRequests 200',
  'updateMembership 200',
  'verifyConnectedAccountUser 403',
];

test('a mock of the same scenario answers each interaction with its status and shape, but for some that need their own state', async () => {
  const operations = new Set(told(pact).map((name) => name.split(' ')[0]));
  expect(operations.size).toBe(24);
  expect(told(pact).length).toBeGreaterThan(45);
  const wrong: string[] = [];
  for (const one of pact.interactions)
    for (const problem of await replay(one)) wrong.push(`${one.description}: ${problem}`);
  const others = wrong.filter((line) => !NEED_A_STATE.some((name) => line.startsWith(name)));
  expect(others).toEqual([]);
  expect(new Set(wrong.map((line) => line.split(' ', 2).join(' ').replace(':', '')))).toEqual(
    new Set(NEED_A_STATE),
  );
});

const problemsIn = async (document: object, pact: object): Promise<readonly Problem[]> => {
  const problems: Problem[] = [];
  for await (const one of new Comparator(document).compare(pact)) problems.push(one);
  return problems;
};

test('a Pact agrees with the contract, holds no data, and has the same bytes after the same calls', async () => {
  expect(JSON.stringify(pact)).not.toMatch(/secret-name|canary|My Notes/);
  expect(await problemsIn(contract(), pact)).toEqual([]);
  expect(JSON.stringify(await pactOf(suite))).toBe(JSON.stringify(pact));
});

type Document = ReturnType<typeof contract>;

// biome-ignore format: one line for each change
const CHANGES: readonly (readonly [operation: string, change: string, make: (document: Document) => unknown])[] = [
  ['listConnections', 'a removed path', ({ paths }) => delete paths['/api/v1/connections']],
  ['createMagicLink', 'a removed reply member', ({ components: { schemas: { MagicLink } } }) => { delete MagicLink.properties.expiry; Object.assign(MagicLink, { additionalProperties: false, required: ['link'] }); }],
  ['listConnections', 'a new required parameter', ({ paths }) => paths['/api/v1/connections'].get.parameters.push({ name: 'tenant', in: 'query', required: true, schema: { type: 'string' } })],
  ['listConnections', 'a removed value of a parameter', ({ components }) => { components.parameters.IncludeConnections.schema.enum = ['none']; }],
  ['getConnectedAccountDetails', 'a removed value of a reply member', ({ components }) => { components.schemas.ConnectedAccountStatus.enum = ['GONE']; }],
  ['createConnectedAccount', 'a narrower pattern', ({ components }) => { components.schemas.ConnectorName.pattern = '^[0-9]+$'; }],
  ['createConnectedAccount', 'a removed status', ({ paths }) => { for (const status of ['409', 'default']) delete paths['/api/v1/connected_accounts'].post.responses[status]; }],
];

test.each(CHANGES)('the comparator finds in the interactions of %s %s', async (operation, _change, make) => {
  const document = contract();
  make(document);
  const interactions = pact.interactions.filter((one: Interaction) => one.description.startsWith(operation));
  const problems = await problemsIn(document, { ...pact, interactions });
  expect(problems.some(({ type }) => type === 'error')).toBe(true);
});
