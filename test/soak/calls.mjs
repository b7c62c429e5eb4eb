/** The calls of the soak test, and the random number generator that chooses among them. */

/** A random number generator (mulberry32) that can be repeated. It draws whole numbers from 0 to below its argument. */
export const seeded = (seed) => {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

const CONNECTORS = ['mail', 'crm', 'warehouse', 'weather', 'chat'];

const account = (draw) => ({
  connector: CONNECTORS[draw(CONNECTORS.length)],
  identifier: `user-${draw(2_000)}@soak.test`,
});

const MEMBERSHIP = '/api/v1/memberships/organizations/org_100000000000000002/users/usr_100000000000000005';

/** The kinds of calls: each returns the method, the path, the body and the expected statuses. */
export const CALLS = [
  () => ['GET', '/api/v1/connected_accounts?page_size=20', undefined, [200]],
  () => ['GET', '/api/v1/connected_accounts:search?query=test', undefined, [200]],
  () => ['GET', '/api/v1/connections', undefined, [200]],
  () => ['GET', '/api/v1/logs/authentication/requests', undefined, [200]],
  (draw) => ['POST', '/api/v1/connected_accounts', account(draw), [201, 409]],
  (draw) => [
    'PUT',
    '/api/v1/connected_accounts',
    { ...account(draw), connected_account: { api_config: { at: draw(9) } } },
    [200, 404],
  ],
  (draw) => ['POST', '/api/v1/connected_accounts:delete', account(draw), [200, 404]],
  (draw) => ['POST', '/api/v1/connected_accounts/magic_link', { ...account(draw), connector: 'mail' }, [200]],
  (draw) => [
    'GET',
    `/api/v1/connected_accounts/auth?${new URLSearchParams(account(draw))}`,
    undefined,
    [200, 404],
  ],
  () => ['POST', MEMBERSHIP, {}, [201, 409]],
  () => ['DELETE', MEMBERSHIP, undefined, [200, 404]],
  () => [
    'PATCH',
    '/api/v1/invites/organizations/org_100000000000000001/users/usr_100000000000000002/resend',
    {},
    [200],
  ],
  () => ['GET', '/api/v1/nothing', undefined, [404]],
  () => ['POST', '/api/v1/connected_accounts', { connector: 'a/b', padding: 'x'.repeat(20_000) }, [400]],
];

/** Control calls that each environment gets now and then: method, path in the environment, and body. */
export const MOVES = [
  ['POST', 'reset', {}],
  ['POST', 'clock/advance', { by: '1h' }],
  ['PUT', 'clock', { mode: 'frozen', now: '2026-01-15T09:30:00Z' }],
  ['PUT', 'clock', { mode: 'running', now: '2036-01-15T09:30:00Z' }],
  ['POST', 'snapshots', { name: 'soak' }],
  ['GET', 'requests'],
  ['GET', 'state'],
  ['GET', 'events'],
];
