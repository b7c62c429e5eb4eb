/** Environments that survive a restart (`--save`). */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createMock, type LogEntry, type Mock, type MockOptions, startMock } from '#mock';
import { makeFifo, temporaryFolder } from '../support/folder.ts';
import { serveHttp } from '../support/http-server.ts';
import { callsOf } from '../support/server.ts';

let folder: string;
let file: string;
let mocks: Mock[];
let said: LogEntry[];
let onSaid: () => void = () => {};
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'state.json');
  mocks = [];
  said = [];
});
afterEach(() => Promise.all(mocks.map((mock) => mock.close())));

const start = (options: MockOptions = {}): Mock => {
  const mock = createMock({
    scenario: 'default',
    save: file,
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

/** Resolves when the mock logs that it could not save. */
const complaint = (before = said.length): Promise<void> =>
  new Promise((resolve) => {
    onSaid = () => said.length > before && resolve();
  });

/** Resolves when the file appears in the folder. */
const appearing = (name: string): Promise<void> =>
  new Promise((resolve) => {
    const watcher = watch(folder, (_event, changed) => {
      if (changed !== name) return;
      watcher.close();
      resolve();
    });
  });

const call = async (mock: Mock, token: string, path: string, method = 'GET', body?: object) => {
  const answer = await callsOf(mock).call(method, `/api/v1${path}`, { token, body });
  return { status: answer.status, body: answer.body };
};

const NEW = { connector: 'mail', identifier: 'new@acme.test' };

test('data, clocks and settings of all environments survive a restart, in one scenario file for the owner alone', async () => {
  const before = start();
  const env = await before.environment('development');
  await call(before, 'dev-token', '/connected_accounts', 'POST', NEW);
  await env.patchSettings({ magic_link_ttl: '5m' });
  await env.setClock({ mode: 'frozen', now: '2030-01-15T09:30:00Z' });
  const made = await before.createEnvironment({ scenario: 'verify-flow', name: 'test-1' });
  await made.setClock({ mode: 'running', now: '2031-01-01T00:00:00Z' });
  const past = await before.createEnvironment({ name: 'test-2' });
  await past.setClock({ mode: 'running', now: '2021-01-01T00:00:00Z' });
  await (await before.environment('production')).delete();
  const accounts = await call(before, 'dev-token', '/connected_accounts?page_size=50');
  const users = (await env.state()).users;

  const after = await restart(before, { scenario: 'empty', seed: 1 });
  const same = await after.environment('development');
  expect(await same.clock()).toEqual({ mode: 'frozen', now: '2030-01-15T09:30:00.000Z' });
  expect((await same.settings()).magic_link_ttl).toBe('5m');
  expect(await call(after, 'dev-token', '/connected_accounts?page_size=50')).toEqual(accounts);
  expect((await same.state()).users).toEqual(users);
  expect((await after.environments()).map(({ name }) => name)).toEqual(['development', 'test-1', 'test-2']);
  const other = await after.environment('test-1');
  expect(other.credentials).toEqual(made.credentials);
  expect(other.traceHeaders).toEqual(made.traceHeaders); // behaviour E9
  expect((await other.clock()).now).toMatch(/^2031-01-01T00/);
  expect((await (await after.environment('test-2')).clock()).now).toMatch(/^2021-01-01T00/);
  expect(said.filter(({ event }) => event !== 'warning')).toEqual([]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['state.json', 'state.json.lock']);
  const served = createMock({ scenario: file, log: 'silent' });
  mocks.push(served);
  expect(await call(served, 'dev-token', '/connected_accounts?page_size=50')).toEqual(accounts);
});

test.each([
  'development',
  'production',
])('an environment that was saved and is deleted stays deleted: %s', async (name) => {
  const saved = await restart(start());
  await (await saved.environment(name)).delete();
  const after = await restart(saved);
  expect((await after.environments()).map((one) => one.name)).not.toContain(name);
});

test('behaviour X6, X7: sequences of stubs and faults go on after a restart, and begin anew with a reset', async () => {
  const replies = ['one', 'two', 'three'].map((body) => ({ body }));
  const stubs = [{ method: 'POST' as const, path: '/model', replies }];
  const faults = [{ operation: 'listConnections' as const, status: [503, 429, 504] }];
  const before = start({ scenario: { environments: { own: { access_tokens: ['t'], stubs, faults } } } });
  const list = async (mock: Mock) =>
    (await callsOf(mock).call('GET', '/api/v1/connections', { token: 't' })).status;
  expect(await list(before)).toBe(503);
  const ask = async (mock: Mock) => (await callsOf(mock).call('POST', '/model', { token: 't' })).body;
  expect(await ask(before)).toBe('one');
  const after = await restart(before);
  expect(await ask(after)).toBe('two');
  expect(await ask(after)).toBe('three');
  expect([await list(after), await list(after), await list(after)]).toEqual([429, 504, 200]);
  await (await after.environment('own')).reset();
  expect([await ask(after), await list(after)]).toEqual(['two', 429]); // back to what was loaded
});

test('a reset goes back to what was loaded, and no token from before the restart is drawn again', async () => {
  const before = start();
  const link = (mock: Mock) => call(mock, 'dev-token', '/connected_accounts/magic_link', 'POST', NEW);
  const { body } = await link(before);
  const { total_size } = (await call(before, 'dev-token', '/connected_accounts')).body;

  const after = await restart(before, { seed: 1 });
  const env = await after.environment('development');
  expect((await link(after)).body.link).not.toBe(body.link);
  expect(new URL((await env.links.approve(body.link)).redirect_url).pathname).toBe('/connect/success');
  await call(after, 'dev-token', '/connected_accounts', 'POST', { ...NEW, identifier: 'b@acme.test' });
  await appearing('state.json');
  await env.reset();
  expect((await call(after, 'dev-token', '/connected_accounts')).body.total_size).toBe(total_size);
  const copy = await after.createEnvironment({ seed: 7 });
  expect((await copy.state()).connected_accounts).toHaveLength(total_size);
});

test('without a change, an existing file stays as it is, and a missing one is made at the end', async () => {
  const text = 'environments: { own: { access_tokens: [own-token] } } # mine\n';
  file = join(folder, 'state.yaml');
  await start().close();
  expect(readFileSync(file, 'utf8')).toContain('dev-client');
  writeFileSync(file, text);
  await start().close();
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('the problems of a file are reported with line and column, and the file stays unlocked', () => {
  writeFileSync(file, '{ "environments": {\n  "own": { "users": [{ "email": "a" }] } } }');
  expect(() => start()).toThrow(`${file}:2:33: environments.own.users[0].email`);
  writeFileSync(file, '{ "environments": {\n  "own": { "connected_accounts": [{ "connector": "x" }] } } }');
  expect(() => start()).toThrow(`${file}:2:50: environments.own.connected_accounts[0].connector`);
  writeFileSync(file, '{ "environments": {\n  "own": { "usrs": [] } } }');
  expect(() => start()).toThrow(`${file}:2:12: environments.own.usrs`);
  expect(readdirSync(folder)).toEqual(['state.json']);
});

test('a failed write is reported once, the mock tries again until it succeeds, and no unfinished file stays', async () => {
  const mock = start();
  const create = (identifier: string) =>
    call(mock, 'dev-token', '/connected_accounts', 'POST', { ...NEW, identifier });
  mkdirSync(file); // in the place of the file, so that it cannot be written
  const told = complaint();
  await create('new@acme.test');
  await told;
  expect(readdirSync(folder)).toEqual(['state.json', 'state.json.lock']);
  await create('other@acme.test');
  rmSync(file, { recursive: true });
  await appearing('state.json');
  expect(readFileSync(file, 'utf8')).toContain('other@acme.test');
  expect(said).toHaveLength(1);
  rmSync(file);
  mkdirSync(file);
  await create('third@acme.test');
  await mock.close(); // saves; the same failure is news after a success
  expect(said).toHaveLength(2);
});

test('two mocks cannot use the same file at the same time, not even by another path', async () => {
  const first = start();
  const alias = join(folder, 'alias');
  symlinkSync(folder, alias);
  for (const save of [file, join(alias, 'state.json')])
    expect(() => start({ save })).toThrow(`is in use by process ${process.pid}`);
  await first.close();
  const link = join(folder, 'link.json');
  symlinkSync(file, link);
  const second = start({ save: link });
  expect(() => start()).toThrow(`is in use by process ${process.pid}`);
  await second.close();
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  for (const [pid, host] of [
    [process.ppid, hostname()],
    [1, 'another-container'],
  ] as const) {
    writeFileSync(`${file}.lock`, `${pid} ${host}\n`);
    expect(() => start()).toThrow(
      `is in use by process ${pid} on ${host}. Give this mock a file of its own, or end that process. If no mock uses the file, delete ${file}.lock.`,
    );
  }
});

test('after a process was killed, another mock can use its file, and replaces the unfinished one', async () => {
  const ended = Number(execFileSync(process.execPath, ['--print', 'process.pid']));
  // The processes of a container all have the same number.
  for (const pid of [ended, process.pid]) {
    writeFileSync(`${file}.lock`, `${pid} ${hostname()}\n`);
    writeFileSync(`${file}.new`, '{ "environ');
    await start().close();
    expect(readdirSync(folder)).toEqual(['state.json']);
    rmSync(file);
  }
});

test.each<[string, () => string, string]>([
  ['a folder', () => folder, 'is a folder'],
  ['a device', () => '/dev/null', 'is not a regular file'],
  ['a fifo', makeFifo, 'is not a regular file'],
  ['a file in no folder', () => join(folder, 'none/state.json'), 'Create the folder first.'],
  ['a file below a file', () => join(process.execPath, 'state.json'), 'it is below a file'],
  ['a file in a folder without files', () => '/proc/state.json', 'cannot write to the folder /proc'],
])('the mock does not start if it is to save to %s, and the error names the path', (_what, path, reason) => {
  const save = path();
  expect(() => start({ save })).toThrow(reason);
  expect(() => start({ save })).toThrow(save);
});

test('a scenario is not watched while it is saved, and only a scenario file has clocks in its environments', async () => {
  expect(() => start({ watch: true })).toThrow('save and watch exclude each other.');
  const env = await start().environment('development');
  await expect(env.patchState({ clock: '2030-01-01T00:00:00Z' })).rejects.toThrow(
    'clock: only a scenario file can have a clock here',
  );
});

test('a warning at the start names the options that the file replaces (behaviour N1)', async () => {
  const first = start({ seed: 5 });
  expect(said).toEqual([]);
  await restart(await restart(first, { seed: 5 }));
  const rest = `: the mock starts with ${file}, which is there. Delete it to start anew`;
  expect(said).toEqual([
    { event: 'warning', message: `No effect of scenario and seed${rest}` },
    { event: 'warning', message: `No effect of scenario${rest}` },
  ]);
});

test('a saved scenario keeps its description, and its own seed, whatever seed is given then', async () => {
  const scenario = { description: 'Mine', environments: { own: { access_tokens: ['t'] } } };
  const first = start({ scenario });
  await first.close();
  expect(JSON.parse(readFileSync(file, 'utf8')).description).toBe('Mine');
  const save = join(folder, 'copy.json');
  copyFileSync(file, save);
  const drawn = [start({ seed: 7 }), start({ save })].map(async (mock) =>
    (await mock.environment()).patchState({ organizations: [{ name: 'new' }] }),
  );
  expect(await drawn[0]).toEqual(await drawn[1]);
});

test('`watch: false` beside `save` excludes nothing, and a mock that cannot listen unlocks its file', async () => {
  await start({ watch: false }).close();
  await using server = await serveHttp(() => {});
  await expect(startMock({ port: server.port, save: file, log: 'silent' })).rejects.toThrow('is in use');
  expect(readdirSync(folder)).toEqual(['state.json']);
});
