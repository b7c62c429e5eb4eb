import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createCoverage } from '../../src/environments/coverage.ts';
import { withClock } from '../../src/environments/environment-state.ts';
import { firstEnvironment } from '../../src/environments/environments.ts';
import { createEventLog } from '../../src/environments/event-log.ts';
import { createOutbox } from '../../src/environments/outbox.ts';
import { createSnapshots } from '../../src/environments/snapshots.ts';
import { refusal, START } from '../support/core.ts';
import { environmentsOf, surfaces } from './support.ts';

const email = (to: string) => ({ to, subject: 's', kind: 'invitation', link: 'l' }) as const;
const change = { type: 'connected_account.updated', resource: { id: 'ca_1' } } as const;

test('the outbox and the event log keep the last ten thousand', () => {
  const outbox = createOutbox();
  const events = createEventLog();
  for (let count = 1; count <= 10_010; count += 1) {
    outbox.add(email(`u${count}@x.test`), START);
    events.add(change, START);
  }
  expect(outbox.list()).toHaveLength(10_000);
  expect(outbox.list()[0]?.to).toBe('u11@x.test');
  expect(events.list()[0]?.sequence).toBe(11);
  expect(events.list().at(-1)?.sequence).toBe(10_010);
});

test('a wait ends with the e-mail that matches, not with another', async () => {
  const outbox = createOutbox();
  let isOver = false;
  const wait = outbox
    .wait(({ to }) => to === 'b', 60_000)
    .then(() => {
      isOver = true;
    });
  outbox.add(email('a'), START);
  await setImmediate();
  expect(isOver).toBe(false);
  outbox.add(email('b'), START);
  await wait;
  expect(isOver).toBe(true);
});

test('a wait ends when the client goes away, and when the outbox closes', async () => {
  const outbox = createOutbox();
  const client = new AbortController();
  const never = (): boolean => false;
  const waits = [outbox.wait(never, 60_000, client.signal), outbox.wait(never, 60_000)];
  client.abort();
  outbox.close();
  await expect(Promise.all(waits)).resolves.toEqual([undefined, undefined]);
});

test('subscribers see changes until they leave, resets, and the end', () => {
  const events = createEventLog();
  const seen: string[] = [];
  const subscribe = (name: string) =>
    events.subscribe({
      onChange: ({ sequence }) => seen.push(`${name}${sequence}`),
      onReset: () => seen.push(`${name} reset`),
      onClose: () => seen.push(`${name} close`),
    });
  const leave = subscribe('a');
  subscribe('b');
  events.add(change, START);
  leave();
  events.clear();
  events.add(change, START);
  events.close();
  events.add(change, START);
  expect(seen).toEqual(['a1', 'b1', 'b reset', 'b1', 'b close']);
});

test('coverage keeps what the contract names and nothing else', () => {
  const coverage = createCoverage(surfaces);
  const body = { roles: [{ name: 'admin', unknown: 1 }], metadata: { team: 'core' }, other: 1 };
  coverage.record('createMembership', 201, ['send_invitation_email', 'unknown'], body);
  expect(coverage.tallies().get('createMembership')).toEqual({
    calls: 1,
    statuses: new Map([[201, 1]]),
    parameters: new Set(['send_invitation_email']),
    members: new Set(['roles', 'roles[].name', 'metadata']),
  });
});

test('coverage takes any body', () => {
  const coverage = createCoverage(surfaces);
  for (const body of [undefined, null, 'text', [], [null], { roles: null }, { roles: 'x' }])
    coverage.record('createMembership', 400, [], body);
  expect(coverage.tallies().get('createMembership')?.members).toEqual(new Set(['roles']));
});

test('up to a thousand snapshots are kept; one of the same name takes no room', () => {
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

test('a clock is set forth and back, and not where timestamps cannot be written', () => {
  const { current } = firstEnvironment(environmentsOf('one'));
  expect(withClock(current, { mode: 'frozen', now: START - 1 }).clock).toEqual({
    mode: 'frozen',
    now: START - 1,
  });
  for (const now of [Date.UTC(1899, 0, 1), Date.UTC(9000, 0, 1), Number.NaN])
    expect(refusal(() => withClock(current, { mode: 'frozen', now })).errorCode).toBe('INVALID_ARGUMENT');
});
