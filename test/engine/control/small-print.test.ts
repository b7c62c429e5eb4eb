/** Small promises that nobody would notice the loss of, except in a test that relies on them. */
import { expect, test } from '@jest/globals';
import { testServer } from '../../support/server.ts';

const server = testServer();

test('the outbox lists e-mails since a time, e-mails of that very time included, and to an address in any letter case', async () => {
  const own = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  const path = '/api/v1/memberships/organizations/org_100000000000000002/users/usr_100000000000000005';
  await own.control('PATCH', '/state', { users: [{ id: path.slice(-22), email: 'Bo@Acme.test' }] });
  await own.api('POST', path, {});
  const since = async (time: string) => (await own.control('GET', `/outbox?since=${time}`)).body.emails;
  const [sent] = await since('2026-03-01T12:00:00.000Z');
  const to = (address: string) => own.control('GET', `/outbox?to=${encodeURIComponent(address)}`);
  expect((await to('bO@acme.test')).body.emails).toEqual([sent]);
  expect(await since('2026-03-01T12:00:00.001Z')).toHaveLength(0);
  const of = async (kind: string) => (await own.control('GET', `/outbox?kind=${kind}`)).body.emails;
  expect([await of('invitation'), await of('reminder')]).toEqual([[sent], []]);
  await own.control('DELETE', '/outbox');
  expect((await own.control('GET', '/outbox')).body.emails).toEqual([]);
});

test('in a relative export, a time more than a hundred years away stays as it is', async () => {
  const own = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  const times = ['2190-01-01T00:00:00.000Z', '2026-03-02T12:00:00.000Z'];
  const links = times.map((expires_at) => ({ account: 'ca_100000000000000001', expires_at }));
  await own.control('PATCH', '/state', { authorization_links: links });
  const { body } = await own.control('GET', '/scenario?relative=true');
  const [environment] = Object.values<{ authorization_links: { expires_at: string }[] }>(body.environments);
  const written = environment?.authorization_links.map(({ expires_at }) => expires_at);
  expect(written?.slice(-2)).toEqual(['2190-01-01T00:00:00.000Z', '+24h']);
});

const FAULT = { operation: 'getKeys', status: 503 };
const SIGN_IN = { email: 'ada@acme.test', outcome: 'success' };

type Call = [method: string, path: string, body?: object];
const text = (length: number): string => 'x'.repeat(length);
const fault = (more: object): Call => ['POST', '/faults', { ...FAULT, ...more }];

test.each<[what: string, most: number, callWith: (value: number) => Call]>([
  ['limit', 1_000, (limit) => ['GET', `/requests?limit=${limit}`]],
  ['text', 1_000, (length) => ['GET', `/requests?text=${text(length)}`]],
  ['query', 4_000, (length) => ['GET', `/requests?query=${text(length)}`]],
  ['identifier', 200, (length) => ['GET', `/requests?identifier=${text(length)}`]],
  ['min', 100, (min) => ['GET', `/coverage?min=${min}`]],
  ['to', 254, (length) => ['GET', `/outbox?to=${text(length)}`]],
  ['status', 599, (status) => fault({ status })],
  ['the length of status', 100, (length) => fault({ status: Array(length).fill(503) })],
  ['delay_ms', 600_000, (delay_ms) => fault({ delay_ms })],
  ['retry_after', 86_400, (retry_after) => fault({ retry_after })],
  ['client_id', 200, (length) => fault({ match: { client_id: text(length) } })],
  ['identifier', 200, (length) => fault({ match: { identifier: text(length) } })],
  ['path', 2_000, (length) => fault({ match: { path: `/${text(length - 1)}` } })],
  ['body', 2 ** 20, (length) => fault({ body: text(length) })],
  ['the name of a snapshot', 100, (length) => ['POST', '/snapshots', { name: text(length) }]],
  ['seed', 4_294_967_295, (seed) => ['PUT', '', { seed }]],
  ['scopes', 100, (length) => ['POST', '/links/x/approve', { scopes: Array(length).fill('a') }]],
  [
    'the words of a denial',
    1_000,
    (length) => ['POST', '/links/x/deny', { error_description: text(length) }],
  ],
  [
    'the client of a sign-in',
    200,
    (length) => ['POST', '/sign-ins', { ...SIGN_IN, client_id: text(length) }],
  ],
  ['a connection', 400, (length) => ['POST', '/sign-ins', { ...SIGN_IN, connection_id: text(length) }]],
])('%s may be %i, and no more', async (_what, most, callWith) => {
  const { control } = await server.isolated();
  const statusOf = async (value: number) => (await control(...callWith(value))).status;
  expect(await statusOf(most)).not.toBe(400);
  expect(await statusOf(most + 1)).toBe(400);
});

test.each<[what: string, least: number, callWith: (value: number) => Call]>([
  ['limit', 1, (limit) => ['GET', `/requests?limit=${limit}`]],
  ['min', 0, (min) => ['GET', `/coverage?min=${min}`]],
  ['status', 400, (status) => fault({ status })],
  ['delay_ms', 0, (delay_ms) => fault({ delay_ms })],
  ['retry_after', 0, (retry_after) => fault({ retry_after })],
  ['after', 0, (after) => fault({ after })],
  ['times', 1, (times) => fault({ times })],
  ['seed', 0, (seed) => ['PUT', '', { seed }]],
  ['requests', 1, (requests) => ['PATCH', '/settings', { rate_limit: { requests, per: '1s' } }]],
  ['access_token_ttl', 1, (ttl) => ['PATCH', '/settings', { access_token_ttl: `${ttl}s` }]],
])('%s may be %i, and no less', async (_what, least, callWith) => {
  const { control } = await server.isolated();
  const statusOf = async (value: number) => (await control(...callWith(value))).status;
  expect([200, 201]).toContain(await statusOf(least));
  expect(await statusOf(least - 1)).toBe(400);
});

test('an environment has a name of at most 63 characters, and a Pact a consumer of at most 200', async () => {
  const named = async (name: string) => (await server.control('POST', '/environments', { name })).status;
  expect([await named(text(63)), await named(text(64))]).toEqual([201, 400]);
  const of = async (name: string) => (await server.control('GET', `/pact?consumer=${name}`)).status;
  expect([await of(text(200)), await of(text(201))]).toEqual([200, 400]);
});
