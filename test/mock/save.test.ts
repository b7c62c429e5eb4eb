/** Saved scenarios give the same state again. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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

/** Rows sorted by content: a row that lost a member is written as removed and made anew, and so comes last. */
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
  const again = await mockOf({ ...options, scenario: FILE }).environment();
  const { id: _id, clients: _clients, access_tokens: _tokens, ...state } = await env.state();
  expect(sorted(await again.state())).toMatchObject(sorted(state));
  return { form: parse(text) };
};

test('env.save saves the data that calls of the API created', async () => {
  const mock = mockOf({ scenario: 'verify-flow' });
  const env = await mock.environment();
  const call = async (method: string, path: string, body: object) =>
    mock.fetch(`/api/v1/${path}`, {
      method,
      headers: { ...BEARER.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const pair = { connector: 'mail', identifier: 'late@acme.test' };
  const made = await call('POST', 'connected_accounts/magic_link', pair);
  await env.links.approve(((await made.json()) as { link: string }).link);
  await call('POST', 'connected_accounts:delete', { connector: 'mail', identifier: 'active@acme.test' });
  await env.advance('2h');
  const { form } = await saved(env);
  expect(Object.keys(form)).toEqual(['clock', 'environments']);
});

/** What API and console show of it. */
const statusesOf = async (env: MockEnvironment) => ({
  accounts: (await env.state()).connected_accounts
    ?.map(({ identifier, status }) => `${identifier} ${status}`)
    .sort(),
  members: ((await env.state()).users ?? [])
    .flatMap(({ email, memberships = [] }) => memberships.map((one) => `${email} ${one.membership_status}`))
    .sort(),
});

test.each([
  'running',
  'frozen',
] as const)('a saved file has the time of a %s clock that was moved, so statuses stay', async (mode) => {
  const env = await mockOf({ scenario: 'default' }).createEnvironment();
  const soon = {
    connector: 'mail',
    identifier: 'soon@acme.test',
    refresh: 'deny',
    token_expires_at: '+10m',
  } as const;
  await env.patchState({ connected_accounts: [soon] });
  await env.advance('30d');
  await env.setClock({ mode });
  const { form } = await saved(env);
  expect(new Date(form.clock.now ?? form.clock).getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
  const again = await mockOf({ scenario: FILE }).environment();
  expect((await again.clock()).mode).toBe(mode);
  expect(await statusesOf(again)).toEqual(await statusesOf(env));
  expect((await statusesOf(again)).accounts).toContain('soon@acme.test EXPIRED');
  expect((await statusesOf(again)).members).toContain('grace@acme.test INVITE_EXPIRED');
});

test('a saved scenario can be used without a file', async () => {
  const mock = mockOf({ scenario: 'default' });
  const env = await mock.createEnvironment();
  await env.accounts.disconnect('mail/ada@acme.test');
  const copy = await mock.createEnvironment({ scenario: await env.scenario() });
  const accountsOf = async (one: MockEnvironment) =>
    Reflect.get(sorted(await one.state()), 'connected_accounts');
  expect(await accountsOf(copy)).toEqual(await accountsOf(env));
});

test('the error for a file that cannot be written names the file and what to do', async () => {
  const env = await mockOf({}).environment();
  await expect(env.save(join(folder, 'nowhere/mine.yaml'))).rejects.toThrow(
    'nowhere/mine.yaml cannot be written: there is no such folder. Make it first.',
  );
  await expect(env.save(folder)).rejects.toMatchObject({ name: 'MockError', code: 'INVALID_ARGUMENT' });
});
