/** Saved scenarios: short enough to read, and complete. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { createMock, type EnvironmentForm, type MockEnvironment, type MockOptions } from '../../src/index.ts';
import { BEARER } from './start.ts';

const folder = mkdtempSync(join(tmpdir(), 'save-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FILE = join(folder, 'saved.yaml');

const mockOf = (options: MockOptions) => createMock({ log: 'silent', ...options });

/** Members in one order: a file's own comes first, then what changed. */
const textOf = (row: unknown): string =>
  JSON.stringify(row, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort())
      : value,
  );

/** Rows by what is in them: one that lost a member is written as removed and made anew, and so comes last. */
const sorted = (state: EnvironmentForm): object =>
  Object.fromEntries(
    Object.entries(state).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(textOf).sort() : value,
    ]),
  );

/** What the saved file holds, after a check that it gives the same state again. */
const saved = async (env: MockEnvironment, options: MockOptions = {}) => {
  await env.save(FILE);
  const text = readFileSync(FILE, 'utf8');
  const again = mockOf({ ...options, scenario: FILE }).environment();
  const { id: _id, clients: _clients, access_tokens: _tokens, ...state } = env.state();
  expect(sorted(again.state())).toMatchObject(sorted(state));
  return { text, form: parse(text) };
};

test.each([
  'default',
  'verify-flow',
  'invitations',
  'directory',
  'empty',
])('an environment that nobody changed is the scenario it started from: %s', async (name) => {
  const env = mockOf({ scenario: name }).createEnvironment();
  await env.save(FILE);
  expect(parse(readFileSync(FILE, 'utf8'))).toEqual({ extends: name, environments: { development: {} } });
}, 60_000);

test('what was added, changed and removed is said, and nothing else', async () => {
  const mock = mockOf({ scenario: 'default' });
  const env = mock.environment();
  env.accounts.expire('mail/ada@acme.test');
  env.memberships.accept('acme', 'grace@acme.test');
  env.patchSettings({ magic_link_ttl: '5m' });
  env.patchState({
    organizations: [{ id: 'org_1', name: 'initech' }],
    connected_accounts: [{ connector: 'crm', identifier: 'ada@acme.test', remove: true }],
  });
  const { form } = await saved(env);
  expect(Object.keys(form)).toEqual(['extends', 'environments']);
  const { settings, organizations, users, connected_accounts, ...rest } = form.environments.development;
  expect(settings).toEqual({ magic_link_ttl: '5m' });
  expect(organizations).toEqual([{ id: 'org_1', name: 'initech' }]);
  expect(users.map(({ email }: { email?: string }) => email)).toEqual([undefined, 'grace@acme.test']);
  expect(connected_accounts).toEqual([
    { id: 'ca_100000000000000006', remove: true },
    {
      id: 'ca_100000000000000001',
      connector: 'mail',
      identifier: 'ada@acme.test',
      status: 'EXPIRED',
      token_expires_at: expect.any(String),
    },
  ]);
  expect(Object.keys(rest)).toEqual(['authentication_requests']); // the sign-in of who accepted
});

test('what calls of the API leave behind is saved with it', async () => {
  const mock = mockOf({ scenario: 'verify-flow' });
  const env = mock.environment();
  const call = async (method: string, path: string, body: object) =>
    mock.fetch(`/api/v1/${path}`, {
      method,
      headers: { ...BEARER.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const pair = { connector: 'mail', identifier: 'late@acme.test' };
  const made = await call('POST', 'connected_accounts/magic_link', pair);
  env.links.approve(((await made.json()) as { link: string }).link);
  await call('POST', 'connected_accounts:delete', { connector: 'mail', identifier: 'active@acme.test' });
  env.advance('2h');
  const { text } = await saved(env);
  expect(text.split('\n').length).toBeLessThan(60);
});

test('another seed, and a setting that a flag gave, are said', async () => {
  const env = mockOf({ scenario: 'verify-flow', seed: 7, strict: true }).environment();
  const { form } = await saved(env);
  expect(form).toEqual({
    extends: 'verify-flow',
    seed: 7,
    environments: { development: { settings: { strict: true } } },
  });
});

/** What API and console show of it. */
const statusesOf = (env: MockEnvironment) => ({
  accounts: env
    .state()
    .connected_accounts?.map(({ identifier, status }) => `${identifier} ${status}`)
    .sort(),
  members: (env.state().users ?? [])
    .flatMap(({ email, memberships = [] }) => memberships.map((one) => `${email} ${one.membership_status}`))
    .sort(),
});

test.each([
  'running',
  'frozen',
] as const)('a %s clock that was moved is said, and so statuses stay', async (mode) => {
  const env = mockOf({ scenario: 'default' }).createEnvironment();
  const soon = {
    connector: 'mail',
    identifier: 'soon@acme.test',
    refresh: 'deny',
    token_expires_at: '+10m',
  } as const;
  env.patchState({ connected_accounts: [soon] });
  env.advance('30d');
  env.setClock({ mode });
  const { form } = await saved(env);
  expect(new Date(form.clock.now ?? form.clock).getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
  const again = mockOf({ scenario: FILE }).environment();
  expect(again.clock().mode).toBe(mode);
  expect(statusesOf(again)).toEqual(statusesOf(env));
  expect(statusesOf(again).accounts).toContain('soon@acme.test EXPIRED');
  expect(statusesOf(again).members).toContain('grace@acme.test INVITE_EXPIRED');
});

test('real time after a frozen start is said', async () => {
  const base = join(folder, 'frozen.yaml');
  writeFileSync(base, `{ extends: default, clock: '2026-03-01T12:00:00Z' }`);
  const env = mockOf({ scenario: base }).environment();
  env.setClock({ mode: 'running', now: new Date().toISOString() });
  const { form } = await saved(env);
  expect(form.clock).toEqual({ mode: 'running' });
});

test('a setting that was taken back is said as null', async () => {
  const base = join(folder, 'base.yaml');
  const url = 'https://app.example.test/done';
  writeFileSync(base, `environments: { own: { settings: { post_user_verify_redirect_url: '${url}' } } }`);
  const env = mockOf({ scenario: base }).environment();
  env.patchSettings({ post_user_verify_redirect_url: null });
  const { form } = await saved(env);
  expect(form).toEqual({
    extends: 'base.yaml',
    environments: { own: { settings: { post_user_verify_redirect_url: null } } },
  });
});

test('an environment of an object says everything', async () => {
  const env = mockOf({ scenario: 'empty' }).createEnvironment({
    scenario: { environments: { own: { organizations: [{ id: 'org_1', name: 'acme' }] } } },
  });
  const { form } = await saved(env);
  expect(form.environments[env.name]).toEqual({
    ...env.state(),
    organizations: [{ id: 'org_1', name: 'acme' }],
  });
});

test('a scenario can be handed on without a file', () => {
  const mock = mockOf({ scenario: 'default' });
  const env = mock.createEnvironment();
  env.accounts.disconnect('mail/ada@acme.test');
  const copy = mock.createEnvironment({ scenario: env.scenario() });
  expect(sorted(copy.state().connected_accounts ? { ...copy.state(), id: '' } : {})).toMatchObject({
    connected_accounts: Reflect.get(sorted(env.state()), 'connected_accounts'),
  });
});

test('a file that cannot be written is named, and what to do', async () => {
  const env = mockOf({}).environment();
  await expect(env.save(join(folder, 'nowhere/mine.yaml'))).rejects.toThrow(
    'nowhere/mine.yaml cannot be written: there is no such folder. Make it first.',
  );
  await expect(env.save(folder)).rejects.toMatchObject({ name: 'MockError', code: 'INVALID_ARGUMENT' });
});
