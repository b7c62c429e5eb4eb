/** Every method of an environment, in process and over `/_mock`: the same walk gives the same results. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectMock, createMock, type Mock, type RemoteMock, startMock } from '../../src/index.ts';

const OPTIONS = { scenario: 'default', clock: '2026-03-01T12:00:00Z', log: 'silent' } as const;

let local: Mock;
let served: Mock;
let remote: RemoteMock;
beforeAll(async () => {
  local = createMock({ ...OPTIONS, baseUrl: 'http://mock.example.test' });
  served = await startMock({
    ...OPTIONS,
    baseUrl: 'http://mock.example.test',
    port: 0,
    controlToken: 'secret',
  });
  remote = await connectMock(served.url, { controlToken: 'secret' });
});
afterAll(() => Promise.all([local.close(), served.close()]));

const ADA = 'usr_100000000000000001';
const GRACE = 'usr_100000000000000002';
const ACME = 'org_100000000000000001';
const MAIL = 'ca_100000000000000001';

/** What both kinds of mock can do, awaited alike. */
type Walked = Pick<Mock, 'createEnvironment' | 'fetch'> | Pick<RemoteMock, 'createEnvironment' | 'fetch'>;
type Walk = (mock: Walked) => Promise<unknown>;

const isolated = async (mock: Walked) => {
  const env = await mock.createEnvironment();
  const call = async (method: string, path: string, body?: object) => {
    const response = await mock.fetch(`/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${env.credentials.accessToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    // Bodies are read member by member in expectations, which fail on anything unexpected.
    return { status: response.status, body: (await response.json()) as ReturnType<typeof JSON.parse> };
  };
  return { env, call };
};

const total = async (call: Awaited<ReturnType<typeof isolated>>['call']): Promise<number> =>
  (await call('GET', 'connected_accounts')).body.total_size;

const NEW_ACCOUNT = { connector: 'mail', identifier: 'new@acme.test' };

const walks: readonly [string, Walk, unknown][] = [
  [
    'reset goes back to the start, and ids repeat',
    async (mock) => {
      const { env, call } = await isolated(mock);
      const first = await call('POST', 'connected_accounts', NEW_ACCOUNT);
      await env.reset();
      const again = await call('POST', 'connected_accounts', NEW_ACCOUNT);
      return [first.status, again.body.connected_account.id === first.body.connected_account.id];
    },
    [201, true],
  ],
  [
    'reset switches to another scenario and clears the journal when told to',
    async (mock) => {
      const { env, call } = await isolated(mock);
      await call('GET', 'connections');
      await env.reset({ scenario: 'empty', journal: true });
      return [await total(call), (await env.requests()).length];
    },
    [0, 1],
  ],
  [
    'snapshots keep state, and are restored, listed and deleted by name or as they are',
    async (mock) => {
      const { env, call } = await isolated(mock);
      const before = await env.snapshot();
      await env.snapshot('named');
      await call('POST', 'connected_accounts', NEW_ACCOUNT);
      await env.restore(before);
      const restored = await total(call);
      await env.restore('named');
      await env.deleteSnapshot(before);
      return [before.name, restored, (await env.snapshots()).map(({ name }) => name)];
    },
    ['snapshot-1', 12, ['named']],
  ],
  [
    'advance and setClock move time in both directions',
    async (mock) => {
      const { env, call } = await isolated(mock);
      const account = async () =>
        (await call('GET', 'connected_accounts/details?id=ca_100000000000000004')).body;
      const pending = (await account()).connected_account.status;
      const clocks = [await env.clock(), await env.advance('15d'), await env.setClock({ mode: 'frozen' })];
      return [pending, clocks.map(({ now }) => now)];
    },
    [
      'PENDING_VERIFICATION',
      ['2026-03-01T12:00:00.000Z', '2026-03-16T12:00:00.000Z', '2026-03-16T12:00:00.000Z'],
    ],
  ],
  [
    'settings are read and changed',
    async (mock) => {
      const { env } = await isolated(mock);
      const changed = await env.patchSettings({ hosted: 'approve', magic_link_ttl: '1h' });
      return [changed.hosted, changed.magic_link_ttl, (await env.settings()).invite_ttl];
    },
    ['approve', '1h', '15d'],
  ],
  [
    'state is exported, added to, and put back',
    async (mock) => {
      const { env, call } = await isolated(mock);
      const before = await env.state();
      await env.patchState({ connected_accounts: [NEW_ACCOUNT] });
      const more = await total(call);
      await env.setState(before);
      return [more, await total(call), before.connected_accounts?.length];
    },
    [13, 12, 12],
  ],
  [
    'faults are added, listed with their strikes, removed and cleared',
    async (mock) => {
      const { env, call } = await isolated(mock);
      const fault = await env.faults.add({ operation: 'listConnections', status: 429, times: 1 });
      const statuses = [(await call('GET', 'connections')).status, (await call('GET', 'connections')).status];
      const [struck] = await env.faults.list();
      await env.faults.remove(fault.id);
      await env.faults.add({ operation: '*', status: 500 });
      await env.faults.clear();
      return [statuses, struck?.strikes, await env.faults.list()];
    },
    [[429, 200], 1, []],
  ],
  [
    'the journal is filtered, exported as an archive, and cleared',
    async (mock) => {
      const { env, call } = await isolated(mock);
      await call('GET', 'connections');
      await call('GET', 'connected_accounts/details?id=ca_0');
      const missed = await env.requests({ status: 404 });
      const archive = await env.har({ operation: 'listConnections' });
      await env.clearRequests();
      const { entries } = archive.log as { entries: unknown[] };
      return [missed.map(({ operation }) => operation), entries.length, await env.requests()];
    },
    [['getConnectedAccountDetails'], 1, []],
  ],
  [
    'coverage counts and is cleared',
    async (mock) => {
      const { env, call } = await isolated(mock);
      await call('GET', 'connections?domain=acme.test');
      const { operations, parameters } = await env.coverage();
      await env.clearCoverage();
      return [operations.seen, parameters.seen, (await env.coverage()).operations.seen];
    },
    [1, 1, 0],
  ],
  [
    'e-mails are read, filtered, waited for and cleared',
    async (mock) => {
      const { env, call } = await isolated(mock);
      const waited = env.waitForEmail({ to: 'GRACE@acme.test', timeout: '10s' });
      await call('PATCH', `invites/organizations/${ACME}/users/${GRACE}/resend`);
      const { kind } = await waited;
      const counts = [(await env.outbox()).length, (await env.outbox({ kind: 'invitation' })).length];
      await env.clearOutbox();
      return [kind, counts, await env.outbox()];
    },
    ['reminder', [1, 0], []],
  ],
  [
    'an e-mail that does not come is told in words',
    async (mock) => {
      const { env } = await isolated(mock);
      return Promise.resolve(env.waitForEmail({ timeout: '1ms' })).catch((error: Error) => error.message);
    },
    'No e-mail that matches was sent in time. outbox() tells which ones were.',
  ],
  [
    'accounts expire, are granted again, revoked and disconnected',
    async (mock) => {
      const { env } = await isolated(mock);
      const moved = [
        await env.accounts.expire(MAIL),
        await env.accounts.grant(MAIL),
        await env.accounts.revoke(MAIL),
        await env.accounts.disconnect(MAIL),
      ];
      return [moved.map(({ status }) => status), (await env.events()).map(({ from, to }) => `${from} ${to}`)];
    },
    [
      ['EXPIRED', 'ACTIVE', 'EXPIRED', 'DISCONNECTED'],
      ['ACTIVE EXPIRED', 'EXPIRED ACTIVE', 'ACTIVE EXPIRED', 'EXPIRED DISCONNECTED'],
    ],
  ],
  [
    'a link is approved or denied by its address, without a browser',
    async (mock) => {
      const { env, call } = await isolated(mock);
      const link = async () =>
        (
          await call('POST', 'connected_accounts/magic_link', {
            ...NEW_ACCOUNT,
            user_verify_url: 'https://app.test/done',
          })
        ).body.link;
      const approved = await env.links.approve(await link());
      const denied = await env.links.deny(await link());
      const verified = await call('POST', 'connected_accounts/user/verify', {
        auth_request_id: approved.auth_request_id,
        identifier: NEW_ACCOUNT.identifier,
      });
      return [verified.status, denied.redirect_url];
    },
    [200, expect.stringContaining('https://app.test/done?error=access_denied')],
  ],
  [
    'memberships are accepted, deactivated, activated, and their invitations expired',
    async (mock) => {
      const { env } = await isolated(mock);
      const expired = await env.memberships.expire(ACME, 'usr_100000000000000006');
      const moved = [
        await env.memberships.accept(ACME, GRACE),
        await env.memberships.deactivate(ACME, GRACE),
        await env.memberships.activate(ACME, GRACE),
      ];
      return [expired, ...moved].map(({ membership_status }) => membership_status);
    },
    ['INVITE_EXPIRED', 'ACTIVE', 'INACTIVE', 'ACTIVE'],
  ],
  [
    'a sign-in is logged',
    async (mock) => {
      const { env, call } = await isolated(mock);
      const entry = await env.signIn({ email: 'ada@acme.test', outcome: 'failed' });
      const { body } = await call('GET', 'logs/authentication/requests?status=FAILED&page_size=1');
      return [entry.status, JSON.stringify(body).includes('ada@acme.test')];
    },
    ['FAILED', true],
  ],
  [
    'what is refused says what to do',
    async (mock) => {
      const { env } = await isolated(mock);
      const attempts = [
        () => env.advance('15x'),
        () => env.restore('nothing'),
        () => env.accounts.expire('ca_0'),
        () => env.patchState({ users: [{ email: 'no address' }] }),
      ];
      const refusals = attempts.map((attempt) =>
        Promise.resolve()
          .then((): unknown => attempt())
          .catch(({ name, code }: { name: string; code: string }) => `${name} ${code}`),
      );
      return Promise.all(refusals);
    },
    [
      'MockError INVALID_ARGUMENT',
      'MockError NOT_FOUND',
      'MockError NOT_FOUND',
      'MockError INVALID_ARGUMENT',
    ],
  ],
  [
    'a deleted environment is gone, with its token',
    async (mock) => {
      const { env, call } = await isolated(mock);
      await env.delete();
      const left = await Promise.resolve()
        .then(() => env.clock())
        .catch(({ code }: { code: string }) => code);
      return [(await call('GET', 'connections')).status, left];
    },
    [401, 'NOT_FOUND'],
  ],
];

test.each(walks)('in process: %s', async (_what, walk, expected) => {
  expect(await walk(local)).toEqual(expected);
});

test.each(walks)('over HTTP: %s', async (_what, walk, expected) => {
  expect(await walk(remote)).toEqual(expected);
});

test('the same environment is seen from both sides', async () => {
  const made = await remote.createEnvironment({ name: 'both-sides' });
  expect(served.environment('both-sides').credentials).toEqual(made.credentials);
  expect((await remote.environments()).map(({ name }) => name)).toEqual(
    served.environments().map(({ name }) => name),
  );
  expect((await remote.environment()).name).toBe('development');
});

test('coverage over all environments counts deleted ones, and is cleared', async () => {
  for (const mock of [local, remote]) {
    await mock.clearCoverage();
    const { env, call } = await isolated(mock);
    await call('GET', 'connections');
    await env.delete();
    expect((await mock.coverage()).operations.seen).toBe(1);
  }
});

test('an environment is made from what its options say', () => {
  const env = local.createEnvironment({
    scenario: 'empty',
    name: 'made',
    clock: { mode: 'frozen', now: '2030-01-01T00:00:00Z' },
    settings: { hosted: 'deny' },
  });
  expect([env.name, env.clock().now, env.settings().hosted]).toEqual([
    'made',
    '2030-01-01T00:00:00.000Z',
    'deny',
  ]);
  expect(local.createEnvironment({ from: 'production' }).state().organizations).toHaveLength(1);
  expect(() => local.createEnvironment({ name: 'made' })).toThrow('belongs to another environment');
});

test('options of an environment that do not exist are refused with the name that was meant', () => {
  const options = { settigns: {} } as object; // as a caller without types could write it
  expect(() => local.createEnvironment(options)).toThrow('settings');
});

test('an unknown environment is refused with the name that was meant', () => {
  expect(() => local.environment('developmnt')).toThrow(
    'There is no environment "developmnt". Did you mean "development"?',
  );
});

test('connecting says what is wrong with an address or a token', async () => {
  await expect(connectMock('http://127.0.0.1:1')).rejects.toThrow('Nothing answers at http://127.0.0.1:1.');
  await expect(connectMock(served.url)).rejects.toMatchObject({ name: 'MockError', code: 'UNAUTHENTICATED' });
  await expect(connectMock(`${served.url}/api`, { controlToken: 'secret' })).rejects.toThrow(
    'but not as a mock does',
  );
});

test('the users of one environment are those its scenario has', () => {
  expect(local.environment('development').state().users?.[0]?.id).toBe(ADA);
});
