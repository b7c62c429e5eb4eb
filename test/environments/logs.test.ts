import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createCoverage } from '../../src/environments/coverage.ts';
import { withClock } from '../../src/environments/environment-state.ts';
import { firstEnvironment } from '../../src/environments/environments.ts';
import { createLog } from '../../src/environments/log.ts';
import { createSnapshots } from '../../src/environments/snapshots.ts';
import { refusal, START } from '../support/core.ts';
import { environmentsOf, surfaces } from './support.ts';

test('a log keeps the newest items in order, and counts the items that it dropped', () => {
  const log = createLog<number>(3);
  for (const item of [1, 2, 3, 4, 5]) log.add(item);
  expect([log.list(), log.added(), log.dropped()]).toEqual([[3, 4, 5], 5, 2]);
  log.clear();
  expect([log.list(), log.added(), log.dropped()]).toEqual([[], 0, 0]);
});

test('a wait ends with the item that matches, not with another', async () => {
  const log = createLog<string>(10);
  let isOver = false;
  const wait = log
    .wait((item) => item === 'b', 60_000)
    .then(() => {
      isOver = true;
    });
  log.add('a');
  await setImmediate();
  expect(isOver).toBe(false);
  log.add('b');
  await wait;
  expect(isOver).toBe(true);
});

test('a wait ends when the client goes away, and when the log closes', async () => {
  const log = createLog<string>(10);
  const client = new AbortController();
  const never = (): boolean => false;
  const waits = [log.wait(never, 60_000, client.signal), log.wait(never, 60_000)];
  client.abort();
  log.close();
  await expect(Promise.all(waits)).resolves.toEqual([undefined, undefined]);
});

test('followers of a log are told of new items, of a clear, and of the end', () => {
  const log = createLog<number>(10);
  const heard: string[] = [];
  const follow = (name: string) =>
    log.follow({
      onItem: (item) => heard.push(`${name}${item}`),
      onClear: () => heard.push(`${name} clear`),
      onClose: () => heard.push(`${name} close`),
    });
  const leave = follow('a');
  follow('b');
  log.add(1);
  leave();
  log.clear();
  log.add(2);
  log.close();
  log.add(3);
  expect(heard).toEqual(['a1', 'b1', 'b clear', 'b2', 'b close']);
});

test('coverage counts only names of the contract', () => {
  const coverage = createCoverage(surfaces);
  const body = { roles: [{ name: 'admin', unknown: 1 }], metadata: { team: 'core' }, other: 1 };
  coverage.record('createMembership', 201, ['send_invitation_email', 'unknown'], body);
  expect(coverage.byOperation().get('createMembership')).toEqual({
    calls: 1,
    statuses: new Map([[201, 1]]),
    parameters: new Set(['send_invitation_email']),
    members: new Set(['roles', 'roles[].name', 'metadata']),
  });
});

test('coverage accepts any body', () => {
  const coverage = createCoverage(surfaces);
  for (const body of [undefined, null, 'text', [], [null], { roles: null }, { roles: 'x' }])
    coverage.record('createMembership', 400, [], body);
  expect(coverage.byOperation().get('createMembership')?.members).toEqual(new Set(['roles']));
});

test('1,000 snapshots can be kept, and a snapshot of the same name replaces the old one', () => {
  const { current } = firstEnvironment(environmentsOf('one'));
  const snapshots = createSnapshots();
  for (let count = 0; count < 1_000; count += 1) snapshots.take(current, START);
  expect(refusal(() => snapshots.take(current, START)).message).toContain('1000 snapshots');
  expect(snapshots.take(current, START + 1, 'snapshot-1').time).toBe(START + 1);
  expect(snapshots.list()).toHaveLength(1_000);
});

test('a snapshot without a name never takes the place of another', () => {
  const { current } = firstEnvironment(environmentsOf('one'));
  const snapshots = createSnapshots();
  snapshots.take(current, START, 'snapshot-1');
  expect(snapshots.take(current, START).name).toBe('snapshot-2');
});

test('a clock can be set forward and back, but not to a time that timestamps cannot express', () => {
  const { current } = firstEnvironment(environmentsOf('one'));
  expect(withClock(current, { mode: 'frozen', now: START - 1 }).clock).toEqual({
    mode: 'frozen',
    now: START - 1,
  });
  for (const now of [Date.UTC(1899, 0, 1), Date.UTC(9000, 0, 1), Number.NaN])
    expect(refusal(() => withClock(current, { mode: 'frozen', now })).errorCode).toBe('INVALID_ARGUMENT');
});
