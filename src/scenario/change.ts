/** Changing the state of an environment that exists: `PATCH` and `PUT .../state` (interface.md). */
import { defined } from '../core/defined.ts';
import { absolute, hasEnded } from '../core/moment.ts';
import { allRows } from '../core/table.ts';
import { DEFAULT_SETTINGS, type Settings } from '../domain/settings.ts';
import { readSettings } from '../domain/settings-form.ts';
import type { State } from '../domain/state.ts';
import type { BuildClock } from './build/build.ts';
import { buildState } from './build/environment.ts';
import { checkSource } from './check.ts';
import { draftEnvironment, type EnvironmentDraft } from './draft.ts';
import { type Exported, exportEnvironment, exportRows, type Now } from './export/environment.ts';
import { createFaults, type Faults } from './fault.ts';
import { mergeEnvironments } from './merge.ts';
import { putPart } from './patch/merge-part.ts';
import { type Beside, besidePart, findPart, keepsIds, rowsOfPart } from './patch/part.ts';
import { heldSource, objectSource } from './source.ts';
import type { AccountForm, EnvironmentForm, MembershipForm } from './written.ts';

/** An environment that is to change. */
export interface Changing extends Exported {
  readonly name: string;
}

export interface Changed {
  readonly state: State;
  readonly settings: Settings;
}

/**
 * Puts rows and settings on top of what an environment holds, by the rule of `extends`, all or nothing. Its `id` stays.
 * Costs what is written, not what the environment holds, unless rows beside those written follow from them: then, and
 * to tell what is wrong, all of it is built anew.
 * @param body what stands under `environments.NAME` in a scenario; plain data that nobody else changes
 * @throws ScenarioError with every fault there is; paths are those of the body
 */
export const mergeState = (environment: Changing, body: unknown, now: Now): Changed =>
  mergePart(environment, body, now) ?? mergeWhole(environment, body, now);

/** Does what `mergeState` does by building every row anew. */
export const mergeWhole = (environment: Changing, body: unknown, now: Now): Changed => {
  const faults = createFaults();
  const over = draftBody(environment, body, faults);
  const held = exportEnvironment(environment, now);
  const changed = rebuild(environment, mergeInto(environment, held, over, faults), clockAt(now), faults);
  faults.throwIfAny();
  return changed;
};

/** Builds only what the patch is about; undefined where that will not do, or where something is wrong. */
const mergePart = (environment: Changing, body: unknown, now: Now): Changed | undefined => {
  const { state } = environment;
  const faults = createFaults();
  const over = draftBody(environment, body, faults);
  if (!faults.isEmpty() || !keepsIds(state, over)) return undefined;
  const part = findPart(state, over);
  const held = exportRows(environment, now, rowsOfPart(part, allRows));
  const draft = mergeInto(environment, held, over, faults);
  const built = rebuild(environment, draft, clockAt(now), faults, besidePart(state, part));
  const merged = faults.isEmpty() ? putPart(state, part, built.state, over) : undefined;
  return merged && { ...built, state: merged };
};

const mergeInto = (
  { name }: Changing,
  held: EnvironmentForm,
  over: EnvironmentDraft,
  faults: Faults,
): EnvironmentDraft => {
  const value = withoutDerived(held);
  return mergeEnvironments(draftEnvironment(heldSource(name, value), name, value, []), over, faults);
};

/**
 * Puts `body` in the place of what an environment holds. Parameters and errors as for `mergeState`. Statuses are not
 * held against the clock: an export can be put back at any time, and shows what that makes of it.
 */
export const replaceState = (environment: Changing, body: unknown, { now }: Now): Changed => {
  const faults = createFaults();
  const draft = draftBody(environment, body, faults);
  const none = draftEnvironment({ value: {}, locate: () => undefined }, environment.name, {}, []);
  const clock = { now: absolute(now), hasPassed: () => undefined };
  const changed = rebuild(environment, mergeEnvironments(none, draft, faults), clock, faults);
  faults.throwIfAny();
  return changed;
};

/** Rows as they were, where nothing overtakes them, and otherwise without what would stand in the way of that. */
const withoutDerived = ({
  users = [],
  connected_accounts = [],
  ...held
}: EnvironmentForm): EnvironmentForm => ({
  ...held,
  users: users.map(({ memberships = [], ...user }) => ({
    ...user,
    memberships: memberships.map(withoutNever),
  })),
  connected_accounts: connected_accounts.map(withoutConnection),
});

/**
 * By the id of the connection alone: what else is said of it is to follow when the connection changes. Its status is
 * what it is beside clock and requests, which tell the rest: so another can be written in the place of it.
 */
const withoutConnection = ({
  connector: _connector,
  provider: _provider,
  authorization_type: _type,
  standing,
  ...account
}: AccountForm): AccountForm => ({ ...account, ...defined({ status: standing ?? account.status }) });

/** Whoever becomes ACTIVE joins. */
const withoutNever = (membership: MembershipForm): MembershipForm => {
  const { accepted_at: _accepted, join_time: _joined, ...rest } = membership;
  const { membership_status: status } = rest;
  return status === 'PENDING_INVITE' || status === 'INVITE_EXPIRED' ? rest : membership;
};

const clockAt = (at: Now): BuildClock => ({
  now: absolute(at.now),
  hasPassed: (moment) => hasEnded(moment, at),
});

const draftBody = ({ name }: Changing, body: unknown, faults: Faults): EnvironmentDraft => {
  const source = checkSource(objectSource(body, faults), 'environment', faults);
  if (faults.isFull()) faults.throwIfAny();
  return draftEnvironment(source, name, source.value as EnvironmentForm, []); // just checked
};

/** Ids go on where the environment's generator stands, so that none is given out twice (behaviour I1). */
const rebuild = (
  { id, state }: Changing,
  draft: EnvironmentDraft,
  clock: BuildClock,
  faults: Faults,
  beside?: Beside,
): Changed => {
  const settings = { ...DEFAULT_SETTINGS, ...readSettings(draft.settings) };
  const { generator, reserved } = state;
  const options = {
    environmentId: id,
    settings,
    generator,
    reserved,
    clock,
    ...defined({ beside }),
  };
  return { state: buildState(draft, options, faults), settings };
};
