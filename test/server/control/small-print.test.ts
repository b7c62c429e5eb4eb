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

test('a fault that is used up draws no random number, so it does not change what others do', async () => {
  const outcomes = async (isFirst: boolean): Promise<readonly number[]> => {
    const own = await server.isolated();
    const call = async () => (await own.api('GET', '/api/v1/connections')).status;
    const add = (fault: object) => own.control('POST', '/faults', { operation: '*', status: 503, ...fault });
    if (isFirst) {
      await add({ probability: 1, times: 1 });
      await call(); // the first number is for this call
    }
    await add({ probability: 0.5 });
    const statuses: number[] = [];
    for (let nth = 0; nth < 21; nth += 1) statuses.push(await call());
    return isFirst ? statuses.slice(0, 20) : statuses.slice(1);
  };
  expect(await outcomes(true)).toEqual(await outcomes(false));
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

test.each<[method: string, path: string, body: object | undefined]>([
  ...[1, 1_000].map((limit): [string, string, undefined] => ['GET', `/requests?limit=${limit}`, undefined]),
  ['GET', '/requests?wait=0s', undefined],
  ['GET', '/coverage?min=0', undefined],
  ...[400, 599].map((status): [string, string, object] => ['POST', '/faults', { ...FAULT, status }]),
  ...[0, 600_000].map((delay_ms): [string, string, object] => ['POST', '/faults', { ...FAULT, delay_ms }]),
  ...[0, 86_400].map((retry_after): [string, string, object] => [
    'POST',
    '/faults',
    { ...FAULT, retry_after },
  ]),
  ...[0, 1].map((probability): [string, string, object] => ['POST', '/faults', { ...FAULT, probability }]),
  ['POST', '/faults', { ...FAULT, after: 0, times: 1 }],
  ['POST', '/faults', { ...FAULT, match: { client_id: 'c'.repeat(200) } }],
  ['POST', '/snapshots', { name: 'n'.repeat(100) }],
  ['PATCH', '/settings', { rate_limit: { requests: 1, per: '1s' }, access_token_ttl: '1s' }],
  ...[0, 4_294_967_295].map((seed): [string, string, object] => ['PUT', '', { seed }]),
])('a value at its limit is accepted: %s %s %j', async (method, path, body) => {
  const { control } = await server.isolated();
  expect([200, 201]).toContain((await control(method, path, body)).status);
});
