/** A walk for every method of an environment: what it does, and what it gives in process and over `/_mock` alike. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import { createMock, type EnvironmentForm } from '../../src/index.ts';
import { isolated, total, type Walk } from './walk.ts';

const GRACE = 'usr_100000000000000002';
const ACME = 'org_100000000000000001';
const MAIL = 'ca_100000000000000001';

/** Without what is an environment's own. */
const dataOf = ({ id: _id, clients: _clients, access_tokens: _tokens, ...data }: EnvironmentForm) => data;

const NEW_ACCOUNT = { connector: 'mail', identifier: 'new@acme.test' };

export const walks: readonly [string, Walk, unknown][] = [
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
    'a state is saved as a scenario that gives it again, in YAML or JSON',
    async (mock) => {
      const { env, call } = await isolated(mock);
      await call('POST', 'connected_accounts', NEW_ACCOUNT);
      const folder = mkdtempSync(join(tmpdir(), 'ca-mock-'));
      const states = ['mine.yaml', 'mine.json'].map(async (name) => {
        await env.save(join(folder, name));
        const again = createMock({ scenario: join(folder, name), log: 'silent' }).environment('development');
        return isDeepStrictEqual(dataOf(again.state()), dataOf(await env.state()));
      });
      const same = await Promise.all(states);
      const lines = readFileSync(join(folder, 'mine.yaml'), 'utf8').split('\n');
      rmSync(folder, { recursive: true });
      return [same, lines.filter((line) => line.includes('new@acme.test')).length];
    },
    [[true, true], 1],
  ],
  [
    'faults are added, listed with how often they took effect, removed and cleared',
    async (mock) => {
      const { env, call } = await isolated(mock);
      const fault = await env.faults.add({ operation: 'listConnections', status: 429, times: 1 });
      const statuses = [(await call('GET', 'connections')).status, (await call('GET', 'connections')).status];
      const [struck] = await env.faults.list();
      await env.faults.remove(fault.id);
      await env.faults.add({ operation: '*', status: 500 });
      await env.faults.clear();
      return [statuses, struck?.applied, await env.faults.list()];
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
    'a call is waited for, by its parts, and one that does not come is told in words',
    async (mock) => {
      const { env, call } = await isolated(mock);
      const waited = env.waitForRequest({ body: { connector: 'mail' }, query: { a: 'b' }, timeout: '10s' });
      await call('POST', 'connected_accounts', NEW_ACCOUNT);
      await call('POST', 'connected_accounts?a=b', NEW_ACCOUNT);
      const { status } = await waited;
      const late = env.waitForRequest({ identifier: 'nobody@acme.test', timeout: '1ms' });
      const message = await Promise.resolve(late).catch((error: Error) => error.message);
      return [status, (await env.requests({ path: '/api/v1/*', query: { a: 'b' } })).length, message];
    },
    [409, 1, 'No call that matches was made in time. requests() tells which ones were.'],
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
    'an account is waited for until it has a status, by its id or its natural key',
    async (mock) => {
      const { env, call } = await isolated(mock);
      const waited = env.waitForStatus('mail/new@acme.test', 'PENDING_AUTH');
      await call('POST', 'connected_accounts', NEW_ACCOUNT);
      const { id } = await waited;
      const later = env.waitForStatus(id, 'EXPIRED', { timeout: '10s' });
      await env.accounts.expire(id);
      return (await later).identifier;
    },
    'new@acme.test',
  ],
  [
    'an account that does not get there in time is told with its status',
    async (mock) => {
      const { env } = await isolated(mock);
      const words = (wait: () => Promise<unknown>) => wait().catch((error: Error) => error.message);
      return [
        await words(() => env.waitForStatus(MAIL, 'EXPIRED', { timeout: '1ms' })),
        await words(() => env.waitForStatus('mail/x', 'EXPIRED', { timeout: '1ms' })),
        await words(() => env.waitForStatus(MAIL, 'EXPIRED', { timeout: 'soon' })),
      ];
    },
    [
      `The account ${MAIL} is ACTIVE. It did not become EXPIRED within 1ms; events() tells what happened.`,
      'There is no account mail/x. It did not become EXPIRED within 1ms; events() tells what happened.',
      expect.stringContaining('timeout is "soon", but must be a duration.'),
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
