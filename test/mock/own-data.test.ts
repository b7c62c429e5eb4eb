/** Data of one's own for a test: a scenario as an object or a file, and rows named as people name them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  connectMock,
  createMock,
  type Mock,
  type RemoteMock,
  type ScenarioForm,
  startMock,
} from '../../src/index.ts';

const OPTIONS = { scenario: 'default', log: 'silent', controlToken: 'secret' } as const;

const files = mkdtempSync(join(tmpdir(), 'own-data-'));
const write = (name: string, text: string): string => {
  writeFileSync(join(files, name), text);
  return join(files, name);
};

const mocks: { local?: Mock; served?: Mock; remote?: RemoteMock } = {};
beforeAll(async () => {
  mocks.local = createMock(OPTIONS);
  mocks.served = await startMock({ ...OPTIONS, port: 0 });
  mocks.remote = await connectMock(mocks.served.url, { controlToken: 'secret' });
});
afterAll(async () => {
  rmSync(files, { recursive: true });
  await Promise.all([mocks.local?.close(), mocks.served?.close()]);
});

const KINDS = ['local', 'remote'] as const;
const mockOf = (kind: (typeof KINDS)[number]): Mock | RemoteMock => {
  const mock = mocks[kind];
  if (!mock) throw new Error(`${kind} was not started.`);
  return mock;
};

const ACME: ScenarioForm = {
  environments: { mine: { organizations: [{ id: 'org_1', name: 'acme' }] } },
};
const namesIn = async (env: { state(): unknown }) =>
  ((await env.state()) as { organizations?: { name: string }[] }).organizations?.map(({ name }) => name);

test.each(KINDS)('an environment starts from an object, and reset keeps it (%s)', async (kind) => {
  const env = await mockOf(kind).createEnvironment({ scenario: ACME });
  await env.patchState({ organizations: [{ name: 'globex' }] });
  expect(await namesIn(env)).toEqual(['acme', 'globex']);
  await env.reset();
  expect(await namesIn(env)).toEqual(['acme']);
});

test.each(
  KINDS,
)('an object can extend scenarios, and later scenarios override earlier ones (%s)', async (kind) => {
  const scenario: ScenarioForm = {
    extends: ['empty', ACME, { environments: { mine: { organizations: [{ name: 'initech' }] } } }],
    environments: { mine: { organizations: [{ id: 'org_1', display_name: 'Acme & Sons' }] } },
  };
  const env = await mockOf(kind).createEnvironment({ scenario, from: 'mine' });
  expect((await env.state()).organizations).toMatchObject([
    { id: 'org_1', name: 'acme', display_name: 'Acme & Sons' },
    { name: 'initech' },
  ]);
});

test.each(KINDS)('an environment starts from a file, with all that it extends (%s)', async (kind) => {
  write('named.yaml', 'environments: { mine: { organizations: [{ name: named }] } }');
  write('base.json', JSON.stringify(ACME));
  const file = write(
    'mine.yaml',
    'extends: [named, ./base.json]\nenvironments: { mine: { organizations: [{ name: own }] } }',
  );
  const mock = kind === 'local' ? createMock({ ...OPTIONS, fixtures: files }) : mockOf(kind);
  const env = await mock.createEnvironment({ scenario: file });
  expect(await namesIn(env)).toEqual(['named', 'acme', 'own']);
  await env.reset({ scenario: 'empty' });
  expect(await namesIn(env)).toBeUndefined();
  await env.reset({ scenario: file });
  expect(await namesIn(env)).toEqual(['named', 'acme', 'own']);
});

test.each(KINDS)('the error for a mistake in a file has its place (%s)', async (kind) => {
  const file = write('wrong.yaml', 'environments:\n  mine:\n    organizations:\n      - { nam: acme }\n');
  const make = async () => mockOf(kind).createEnvironment({ scenario: file });
  await expect(make()).rejects.toMatchObject({
    name: 'MockError',
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining(
      `${file}:4:11: environments.mine.organizations[0].nam: there is no member`,
    ),
  });
  const missing = async () => mockOf(kind).createEnvironment({ scenario: './missing.yaml' });
  await expect(missing()).rejects.toThrow('there is no file missing.yaml');
});

test.each(KINDS)('the error for a mistake in a nested object has its path (%s)', async (kind) => {
  const wrong = { environments: { mine: { users: [{ email: 'ada' }] } } };
  const lost = { environments: { mine: { connected_accounts: [{ connector: 'mail', identifier: 'a' }] } } };
  const make = async (extended: object) =>
    mockOf(kind).createEnvironment({ scenario: { extends: [extended], ...ACME } });
  await expect(make(wrong)).rejects.toThrow('extends[0].environments.mine.users[0].email: "ada" must be');
  await expect(make(lost)).rejects.toThrow(
    'extends[0].environments.mine.connected_accounts[0].connector: there is no connection "mail"',
  );
});

test('a call over HTTP cannot name a file', async () => {
  const response = await fetch(`${mocks.served?.url}/_mock/environments`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
    body: JSON.stringify({ scenario: { extends: [{ extends: './package.json' }], ...ACME } }),
  });
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringContaining('only names of the fixtures folder can be used here'),
  ]);
});

test.each(KINDS)('rows can name each other by natural keys (%s)', async (kind) => {
  const env = await mockOf(kind).createEnvironment();
  expect((await env.accounts.expire('mail/ada@acme.test')).status).toBe('EXPIRED');
  expect((await env.accounts.grant('MAIL/ada@acme.test')).status).toBe('ACTIVE');
  expect((await env.accounts.disconnect('crm/ada@acme.test')).status).toBe('DISCONNECTED');
  const accepted = await env.memberships.accept('acme', 'Grace@acme.test');
  expect(accepted.membership_status).toBe('ACTIVE');
  const entry = await env.signIn({ email: 'ada@acme.test', connection_id: 'acme-oidc', outcome: 'success' });
  expect(entry.connection_id).toBe('conn_100000000000000015');
  const unknown = async () => env.accounts.expire('mail/nobody@acme.test');
  await expect(unknown()).rejects.toThrow('mail/nobody@acme.test');
});

test('paths of the control plane accept URL-encoded natural keys', async () => {
  const act = async (path: string): Promise<number> => {
    const response = await fetch(`${mocks.served?.url}/_mock/environments/production/${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer secret' },
    });
    return response.status;
  };
  const production = await mocks.served?.environment('production');
  await production?.patchState({
    connected_accounts: [{ connector: 'mail', identifier: 'a/b c@acme.test', status: 'ACTIVE' }],
    users: [
      { email: 'ada+1@acme.test', memberships: [{ name: 'acme', membership_status: 'PENDING_INVITE' }] },
    ],
  });
  expect(await act('connected_accounts/mail%2Fa%2Fb%20c%40acme.test/expire')).toBe(200);
  expect(await act('memberships/acme/ada%2B1%40acme.test/accept')).toBe(200);
});
