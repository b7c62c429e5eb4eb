/** `watch`: a scenario is loaded again when its files change, and a broken edit changes nothing. */

import { once } from 'node:events';
import { symlinkSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import type { LogEntry, MockEnvironment } from '#mock';
import { watchFiles } from '../../src/engine/scenario/watch.ts';
import { temporaryFolder } from '../support/folder.ts';
import { start } from './start.ts';

/** Starts a mock that watches a scenario file of its own. `next` returns one log entry after the other. */
const startWatching = async (text: string, folder = temporaryFolder(), name = 'own.yaml') => {
  const file = join(folder, name);
  writeFileSync(file, text);
  const entries: LogEntry[] = [];
  let wake = (): void => {};
  const log = (entry: LogEntry): void => {
    if (entry.event === 'request') return;
    entries.push(entry);
    wake();
  };
  const mock = await start({ scenario: file, watch: true, log });
  const next = async (): Promise<LogEntry> => {
    for (;;) {
      const entry = entries.shift();
      if (entry) return entry;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { mock, folder, file, entries, next };
};

const own = (identifier: string): string => `extends: default
environments:
  development:
    connected_accounts:
      - { connector: mail, identifier: ${identifier} }
`;

const identifiers = async (env: MockEnvironment) =>
  (await env.state()).connected_accounts?.map(({ identifier }) => identifier);

test('watch: a changed scenario is reloaded, and runtime environments keep their data', async () => {
  const { mock, file, next } = await startWatching(own('one@acme.test'));
  const made = await mock.createEnvironment();
  await mock.createEnvironment({ seed: 7 });
  writeFileSync(file, own('two@acme.test'));
  expect(await next()).toMatchObject({ event: 'reloaded' });
  expect(await identifiers(await mock.environment('development'))).toContain('two@acme.test');
  expect(await identifiers(made)).toContain('one@acme.test');
  for (const options of [{}, { seed: 7 }])
    expect(await identifiers(await mock.createEnvironment(options))).toContain('two@acme.test');
});

test('watch: each mistake is reported, and the old state stays until the file is corrected', async () => {
  const { mock, file, next } = await startWatching(own('one@acme.test'));
  for (const [edited, kept] of [
    ['two@acme.test', 'one@acme.test'],
    ['three@acme.test', 'two@acme.test'],
  ] as const) {
    writeFileSync(file, own(edited).replace('connector', 'conector'));
    const message = expect.stringContaining('own.yaml:5:');
    expect(await next()).toMatchObject({ event: 'reload_failed', message });
    expect(await identifiers(await mock.environment('development'))).toContain(kept);
    writeFileSync(file, own(edited));
    expect(await next()).toMatchObject({ event: 'reloaded' });
    expect(await identifiers(await mock.environment('development'))).toContain(edited);
  }
});

test('watch: an invalid scenario is reported once, whatever else changes in its folder', async () => {
  const { folder, file, entries, next } = await startWatching(own('one@acme.test'));
  writeFileSync(file, own('two@acme.test').replace('connector', 'conector'));
  expect(await next()).toMatchObject({ event: 'reload_failed' });
  const other = await startWatching(own('three@acme.test'), folder, 'other.yaml');
  writeFileSync(other.file, own('four@acme.test'));
  expect(await other.next()).toMatchObject({ event: 'reloaded' });
  expect(entries).toEqual([]);
});

test('watch: a scenario that extends a missing file is loaded when that file is there', async () => {
  const { mock, folder, file, entries, next } = await startWatching(own('one@acme.test'));
  writeFileSync(file, own('two@acme.test').replace('default', './base.yaml'));
  expect(await next()).toMatchObject({ event: 'reload_failed' });
  const other = await startWatching(own('three@acme.test'), folder, 'other.yaml');
  writeFileSync(join(folder, 'base.yaml'), 'extends: default\n');
  writeFileSync(other.file, own('four@acme.test'));
  expect(await other.next()).toMatchObject({ event: 'reloaded' });
  expect(entries).toMatchObject([{ event: 'reloaded' }]);
  expect(await identifiers(await mock.environment('development'))).toContain('two@acme.test');
});

test('watch: a file that is a link is reloaded when the file changes that it leads to', async () => {
  const folder = temporaryFolder();
  const target = join(temporaryFolder(), 'target.yaml');
  writeFileSync(target, own('one@acme.test'));
  symlinkSync(target, join(folder, 'own.yaml'));
  const { mock, next } = await startWatching(own('one@acme.test'), folder);
  writeFileSync(target, own('two@acme.test'));
  expect(await next()).toMatchObject({ event: 'reloaded' });
  expect(await identifiers(await mock.environment('development'))).toContain('two@acme.test');
});

test('watch: a changed scenario may add and remove environments, and move clients between them', async () => {
  const written = (first: string, second: string): string => `environments:
  ${first}: { clients: [{ client_id: one, client_secret: s }] }
  ${second}: { clients: [{ client_id: two, client_secret: s }] }
`;
  const { mock, file, next } = await startWatching(written('a', 'b'));
  writeFileSync(file, written('b', 'c'));
  expect(await next()).toMatchObject({ event: 'reloaded' });
  expect((await mock.environments()).map(({ name, credentials }) => [name, credentials.clientId])).toEqual([
    ['b', 'one'],
    ['c', 'two'],
  ]);
});

test('watch: a scenario that conflicts with a runtime environment is not loaded', async () => {
  const { mock, file, next } = await startWatching(own('one@acme.test'));
  await mock.createEnvironment({ name: 'staging' });
  writeFileSync(file, `${own('two@acme.test')}  staging: {}\n`);
  expect(await next()).toMatchObject({
    event: 'reload_failed',
    message: expect.stringContaining('belongs to another environment: staging, created at runtime'),
  });
  expect(await identifiers(await mock.environment('development'))).toContain('one@acme.test');
});

// Which files are watched.

test('a file in another folder that a change adds is watched from then on', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const [first, added] = [join(temporaryFolder(), 'a.yaml'), join(temporaryFolder(), 'b.yaml')];
  for (const file of [first, added]) writeFileSync(file, '');
  const onChange = jest.fn(() => [first, added]);
  const stop = watchFiles([first], onChange);
  /** Writes a file, and lets the pause for further changes pass as soon as anybody can know of it. */
  const write = async (file: string): Promise<void> => {
    const witness = watch(file);
    const seen = once(witness, 'change');
    writeFileSync(file, 'changed');
    await seen;
    witness.close();
    await setImmediate();
    jest.runOnlyPendingTimers();
  };
  const calls: number[] = [];
  for (const file of [first, added]) {
    await write(file);
    calls.push(onChange.mock.calls.length);
  }
  stop();
  jest.useRealTimers();
  expect(calls).toEqual([1, 2]);
});
