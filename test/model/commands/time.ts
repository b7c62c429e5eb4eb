/** Commands of the control plane on the whole: clock, settings, resets, snapshots, export and import. */
import fc from 'fast-check';
import { forgetLinks } from '../model/authorization.ts';
import { FIRST, type Foreseen, type Model, type Settings } from '../model/world.ts';
import { exportState, settle } from '../run.ts';
import { type Command, command } from './command.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The lengths that things last, and a little less and more. */
const spans = fc
  .record({
    base: fc.constantFrom(0, 10 * MINUTE, 15 * MINUTE, 60 * MINUTE, DAY, 15 * DAY),
    more: fc.constantFrom(-1, 0, 1),
  })
  .map(({ base, more }) => Math.max(0, base + more));

const at = (model: Model, now: number): Foreseen => ({ status: 200, next: () => ({ ...model, now }) });

const advance: fc.Arbitrary<Command> = spans.map((span) =>
  command(`advance by ${span} ms`, async (run, twins) => {
    const answer = await twins.control('POST', '/clock/advance', { by: `PT${span / 1_000}S` });
    const foreseen = at(run.model, run.model.now + span);
    settle(run, foreseen, answer);
    return foreseen;
  }),
);

const setClock: fc.Arbitrary<Command> = spans.map((span) =>
  command(`set the clock back by ${span} ms`, async (run, twins) => {
    const now = run.model.now - span;
    const answer = await twins.control('PUT', '/clock', { mode: 'frozen', now: new Date(now).toISOString() });
    const foreseen = at(run.model, now);
    settle(run, foreseen, answer);
    return foreseen;
  }),
);

const wireSettings = (settings: Settings) => ({
  user_verification: settings.strictVerification ? 'strict' : 'lenient',
  email_delivery: settings.mailFails ? 'fail' : 'ok',
  full_stack_authentication: settings.fullStack,
  invite_ttl: settings.inviteTtl ? '15d' : null,
});

/** Mostly as at the start, so that the way is not barred all the time. */
const switches = fc.constantFrom<Settings>(
  ...[FIRST.settings, FIRST.settings, FIRST.settings],
  { ...FIRST.settings, strictVerification: true },
  { ...FIRST.settings, mailFails: true },
  { ...FIRST.settings, fullStack: false },
  { ...FIRST.settings, inviteTtl: false },
);

const changeSettings: fc.Arbitrary<Command> = switches.map((settings) =>
  command(`settings ${JSON.stringify(settings)}`, async (run, twins) => {
    const answer = await twins.control('PATCH', '/settings', wireSettings(settings));
    const foreseen: Foreseen = { status: 200, next: () => ({ ...run.model, settings }) };
    settle(run, foreseen, answer);
    return foreseen;
  }),
);

const reset: fc.Arbitrary<Command> = fc.constant(
  command('reset', async (run, twins) => {
    const foreseen: Foreseen = { status: 200, next: () => FIRST };
    settle(run, foreseen, await twins.control('POST', '/reset', { journal: true }));
    twins.secrets.clear(); // what is drawn from now on may be drawn for something else
    if ((await exportState(twins)) !== run.first) throw new Error('A reset did not give the first state.');
    return foreseen;
  }),
);

const names = fc.constantFrom('one', 'two');

const takeSnapshot: fc.Arbitrary<Command> = names.map((name) =>
  command(`snapshot ${name}`, async (run, twins) => {
    const foreseen: Foreseen = { status: 201 };
    settle(run, foreseen, await twins.control('POST', '/snapshots', { name }));
    run.snapshots.set(name, run.model);
    return foreseen;
  }),
);

const restoreSnapshot: fc.Arbitrary<Command> = names.map((name) =>
  command(`restore ${name}`, async (run, twins) => {
    const taken = run.snapshots.get(name);
    const foreseen: Foreseen = taken ? { status: 200, next: () => taken } : { status: 404 };
    settle(run, foreseen, await twins.control('POST', `/snapshots/${name}/restore`));
    if (!taken) return foreseen;
    // What is drawn from now on was drawn before for something else, and recorded as that.
    twins.secrets.clear();
    await twins.control('DELETE', '/requests');
    await twins.control('DELETE', '/outbox');
    return foreseen;
  }),
);

/** What was exported, put back: the same state, to the byte. */
const roundTrip: fc.Arbitrary<Command> = fc.constant(
  command('export and put back', async (run, twins) => {
    const next = (): Model => forgetLinks(run.model);
    const foreseen: Foreseen = { status: 200, next };
    settle(run, foreseen, await twins.control('PUT', '/state', JSON.parse(run.exported)));
    return foreseen;
  }),
);

export const TIME_COMMANDS = [
  advance,
  setClock,
  changeSettings,
  reset,
  takeSnapshot,
  restoreSnapshot,
  roundTrip,
];
