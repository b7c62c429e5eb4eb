/** Steps on the log, the clock, snapshots and the whole state. */
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { firstWorld, TTL } from '../model/world.ts';
import { command, exportState, type Run, SNAPSHOTS, settle } from '../run.ts';

const setClock = ({ twins }: Run, now: number) =>
  twins.control('PUT', '/clock', { mode: 'frozen', now: new Date(now).toISOString() });

const outcome = fc.constantFrom('success', 'failed', 'pending', 'initiated');
const signIn = command('sign-in', fc.record({ outcome }), async ({ world, twins }, given) => {
  world.logEntries += 1;
  return settle(await twins.control('POST', '/sign-ins', { email: 'ada@acme.test', ...given }), 201);
});

/** Milliseconds: 0 and each lifetime, exactly or with a millisecond less or more. */
const spans = fc
  .tuple(fc.constantFrom(0, ...Object.values(TTL)), fc.constantFrom(-1, 0, 1))
  .map(([span, more]) => Math.max(0, span + more));

const advance = command('advance', spans, async ({ world, twins }, span) => {
  world.now += span;
  return settle(await twins.control('POST', '/clock/advance', { by: `PT${span / 1_000}S` }), 200);
});

const goBack = command('go back', spans, async (run, span) => {
  run.world.now -= span;
  return settle(await setClock(run, run.world.now), 200);
});

const reset = command('reset', fc.constant(''), async (run) => {
  run.world = firstWorld();
  const isDone = settle(await run.twins.control('POST', '/reset', { journal: true }), 200);
  expect(await exportState(run.twins)).toEqual(run.first);
  return isDone;
});

const names = fc.constantFrom(...SNAPSHOTS);

const takeSnapshot = command('snapshot', names, async (run, name) => {
  const isTaken = run.snapshots.has(name);
  if (!isTaken) run.snapshots.set(name, structuredClone(run.world));
  settle(await run.twins.control('POST', '/snapshots', { name }), isTaken ? 409 : 201);
  return false;
});

const restoreSnapshot = command('restore', names, async (run, name) => {
  const taken = run.snapshots.get(name);
  if (taken) run.world = structuredClone(taken);
  return settle(await run.twins.control('POST', `/snapshots/${name}/restore`), taken ? 200 : 404);
});

/** Putting the exported state back changes nothing. */
const roundTrip = command('export and put back', fc.constant(''), async (run) => {
  const isDone = settle(await run.twins.control('PUT', '/state', run.exported), 200);
  expect(await exportState(run.twins)).toEqual(run.exported);
  return isDone;
});

export const OTHER_COMMANDS = [
  ...[signIn, advance, goBack, reset],
  ...[takeSnapshot, restoreSnapshot, roundTrip],
];
