/** Environments that survive a restart (`--save-dir`). */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createMock, type LogEntry, type Mock, type MockOptions } from '#mock';
import { callsOf } from '../support/server.ts';

let folder: string;
let mocks: Mock[];
let said: LogEntry[];
let onSaid: () => void = () => {};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ca-mock-saved-'));
  mocks = [];
  said = [];
});
afterEach(async () => {
  await Promise.all(mocks.map((mock) => mock.close()));
  rmSync(folder, { recursive: true });
});

const start = (options: MockOptions = {}): Mock => {
  const mock = createMock({
    scenario: 'default',
    saveDir: folder,
    log: (entry) => {
      if (entry.event !== 'request') said.push(entry);
      onSaid();
    },
    ...options,
  });
  mocks.push(mock);
  return mock;
};

const restart = async (mock: Mock, options: MockOptions = {}): Promise<Mock> => {
  await mock.close();
  return start(options);
};

/** The names of the saved files, without the lock. */
const files = (): string[] =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort();

/** Resolves when the mock logs the event. */
const saying = (event: LogEntry['event']): Promise<void> =>
  new Promise((resolve) => {
    onSaid = () => said.some((entry) => entry.event === event) && resolve();
  });

/** Resolves when the file appears in the folder. */
const appearing = (file: string): Promise<void> =>
  new Promise((resolve) => {
    const watcher = watch(folder, (_event, name) => {
      if (name !== file) return;
      watcher.close();
      resolve();
    });
  });

const call = async (mock: Mock, token: string, path: string, method = 'GET', body?: object, headers = {}) => {
  const answer = await callsOf(mock).call(method, `/api/v1${path}`, { token, body, headers });
  return { status: answer.status, body: answer.body };
};

const NEW = { connector: 'mail', identifier: 'new@acme.test' };

test('data, clock and settings survive a restart', async () => {
  const before = start();
  const env = await before.environment('development');
  await call(before, 'dev-token', '/connected_accounts', 'POST', NEW);
  await env.patchSettings({ magic_link_ttl: '5m' });
  await env.setClock({ mode: 'frozen', now: '2030-01-15T09:30:00Z' });
  const accounts = await call(before, 'dev-token', '/connected_accounts?page_size=50');
  const users = (await env.state()).users;

  const after = await restart(before);
  const same = await after.environment('development');
  expect(await same.clock()).toEqual({ mode: 'frozen', now: '2030-01-15T09:30:00.000Z' });
  expect((await same.settings()).magic_link_ttl).toBe('5m');
  expect(await call(after, 'dev-token', '/connected_accounts?page_size=50')).toEqual(accounts);
  expect((await same.state()).users).toEqual(users);
  expect(said).toEqual([]);
});

test('a runtime environment survives a restart with its credentials and links, and can still be reset to its start', async () => {
  const before = start();
  const made = await before.createEnvironment({ scenario: 'verify-flow', name: 'test-1' });
  const { accessToken } = made.credentials;
  const { body } = await call(before, accessToken, '/connected_accounts/magic_link', 'POST', {
    ...NEW,
    identifier: 'brand-new@acme.test',
  });
  const { total_size } = (await call(before, accessToken, '/connected_accounts')).body;

  const after = await restart(before);
  const same = await after.environment('test-1');
  expect(same.credentials).toEqual(made.credentials);
  const again = await call(after, accessToken, '/connected_accounts/magic_link', 'POST', NEW);
  expect(again.body.link).not.toBe(body.link); // the random tokens from before the restart are not drawn again
  expect(new URL((await same.links.approve(body.link)).redirect_url).pathname).toBe('/connect/success');
  const named = { 'x-mock-environment': 'test-1' };
  expect((await call(after, 'dev-token', '/connections', 'GET', undefined, named)).status).toBe(200);
  await same.reset();
  expect((await call(after, accessToken, '/connected_accounts')).body.total_size).toBe(total_size - 1);
});

test('a deleted environment stays deleted, and an unchanged environment has no file', async () => {
  const before = start();
  await (await before.createEnvironment({ name: 'gone' })).advance('1h');
  await (await before.createEnvironment({ name: 'kept' })).advance('1h');
  const after = await restart(before);
  expect(files()).toEqual(['gone.json', 'kept.json']);
  await (await after.environment('gone')).delete();
  await after.close();
  expect(readdirSync(folder)).toEqual(['kept.json']);
});

test('corrupt files are reported without their text and moved aside, and the other files are loaded', async () => {
  await (await start().createEnvironment({ name: 'kept' })).advance('1h');
  const file = join(folder, 'broken.json');
  for (const text of ['{ "access_tokens": ["first-secret"', '{ "access_tokens": ["other-secret"']) {
    await mocks.at(-1)?.close();
    writeFileSync(file, text);
    start();
  }
  const names = (await mocks.at(-1)?.environments())?.map(({ name }) => name);
  expect(names).toEqual(['development', 'production', 'kept']);
  expect(readFileSync(`${file}.unreadable`, 'utf8')).toContain('first-secret');
  expect(readFileSync(`${file}.unreadable-2`, 'utf8')).toContain('other-secret');
  const message = expect.stringContaining('broken.json');
  expect(said).toEqual([
    { event: 'not_restored', file: `${file}.unreadable`, message },
    { event: 'not_restored', file: `${file}.unreadable-2`, message },
  ]);
  expect(JSON.stringify(said)).not.toContain('secret');
});

/** Puts a folder in the place of a file, so that a change cannot be written. Returns the path of the folder. */
const fail = async (mock: Mock, obstacle: string): Promise<string> => {
  mkdirSync(join(folder, obstacle));
  await call(mock, 'dev-token', '/connected_accounts', 'POST', NEW);
  await saying('not_saved');
  return join(folder, obstacle);
};

test('a failed write is reported once, and the mock tries again until it succeeds', async () => {
  const mock = start();
  const obstacle = await fail(mock, 'development.json.new');
  await call(mock, 'dev-token', '/connected_accounts', 'POST', { ...NEW, identifier: 'other@acme.test' });
  rmSync(obstacle, { recursive: true });
  await appearing('development.json');
  expect(readFileSync(join(folder, 'development.json'), 'utf8')).toContain('other@acme.test');
  expect(said).toHaveLength(1);
});

test('after a failed write the unfinished file is removed, and the environment is saved when the mock closes', async () => {
  const mock = start();
  const obstacle = await fail(mock, 'development.json');
  expect(files()).toEqual(['development.json']);
  rmSync(obstacle, { recursive: true });
  await mock.close();
  expect(readFileSync(obstacle, 'utf8')).toContain(NEW.identifier);
});

test('a saved file may exceed the size limit of scenario files', async () => {
  const before = start();
  await (await before.createEnvironment({ name: 'large' })).advance('1h');
  await before.close();
  const file = join(folder, 'large.json');
  writeFileSync(file, readFileSync(file, 'utf8') + ' '.repeat(65 * 2 ** 20));
  const names = (await start().environments()).map(({ name }) => name);
  expect(names).toEqual(['development', 'production', 'large']);
  expect(said).toEqual([]);
});

test('other calls are answered while a large environment is written', async () => {
  const mock = start();
  const env = await mock.environment('development');
  const accounts = [
    { repeat: 5_000, connector: 'mail', identifier: 'user-{n}@acme.test', status: 'ACTIVE' as const },
  ];
  await env.patchState({ connected_accounts: accounts });
  // CPU time in microseconds of the turns of the event loop that take more than 200.
  const turns: number[] = [];
  let last = process.cpuUsage();
  const measure = (): void => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    if (user + system > 200) turns.push(user + system);
    next = setImmediate(measure);
  };
  let next = setImmediate(measure);
  await mock.close();
  clearImmediate(next);
  const whole = turns.reduce((sum, turn) => sum + turn, 0);
  expect(Math.max(...turns)).toBeLessThan(whole / 3);
  expect(await (await start().environment('development')).state()).toMatchObject({
    connected_accounts: { length: 5_012 },
  });
});

test('two mocks cannot use the same folder at the same time', async () => {
  const first = start();
  expect(() => start()).toThrow(`is in use by process ${process.pid}`);
  await first.close();
  writeFileSync(join(folder, '.ca-mock.lock'), String(process.ppid));
  expect(() => start()).toThrow(`is in use by process ${process.ppid}`);
});

test('after a process was killed, another mock can use its folder, and removes the unfinished file', async () => {
  writeFileSync(join(folder, '.ca-mock.lock'), String(2 ** 30)); // higher than the id of any process
  writeFileSync(join(folder, 'development.json.new'), '{ "environ');
  await start().close();
  expect(readdirSync(folder)).toEqual([]);
});

test('the mock does not start if it cannot make or write the folder, and the error names the folder', () => {
  const file = join(folder, 'taken');
  writeFileSync(file, '');
  for (const saveDir of [join(file, 'below'), '/proc/nowhere/below', '/proc/self'])
    expect(() => start({ saveDir })).toThrow(
      `cannot write to the folder ${saveDir}, so nothing can be saved`,
    );
});

test('only the owner can read a saved file, and a mock can use the file as its scenario', async () => {
  const mock = start();
  await call(mock, 'dev-token', '/connected_accounts', 'POST', NEW);
  await mock.close();
  const file = join(folder, 'development.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const other = createMock({ scenario: file, log: 'silent' });
  mocks.push(other);
  expect((await call(other, 'dev-token', '/connected_accounts')).body.total_size).toBe(13);
});
