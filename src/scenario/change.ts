/** Changing the state of an environment that exists: `PATCH` and `PUT .../state` (interface.md). */
import { defined } from '../core/defined.ts';
import { allRows } from '../core/table.ts';
import { DEFAULT_SETTINGS, type Settings } from '../domain/settings.ts';
import { readSettings } from '../domain/settings-form.ts';
import type { State } from '../domain/state.ts';
import { buildState } from './build/environment.ts';
import { checkSource } from './check.ts';
import { draftEnvironment, type EnvironmentDraft } from './draft.ts';
import { type Exported, exportEnvironment, exportRows, type Now } from './export/environment.ts';
import { createFaults, type Faults } from './fault.ts';
import { mergeEnvironments } from './merge.ts';
import { putPart } from './patch/merge-part.ts';
import { type Beside, besidePart, findPart, keepsIds, rowsOfPart } from './patch/part.ts';
import { objectSource } from './source.ts';
import type { EnvironmentForm } from './written.ts';

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
  const changed = rebuild(environment, mergeInto(environment, held, over, faults), faults);
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
  const built = rebuild(environment, draft, faults, besidePart(state, part));
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
  return mergeEnvironments(
    draftEnvironment({ value, locate: () => undefined }, name, value, []),
    over,
    faults,
  );
};

/** Puts `body` in the place of what an environment holds. Parameters and errors as for `mergeState`. */
export const replaceState = (environment: Changing, body: unknown): Changed => {
  const faults = createFaults();
  const draft = draftBody(environment, body, faults);
  const none = draftEnvironment({ value: {}, locate: () => undefined }, environment.name, {}, []);
  const changed = rebuild(environment, mergeEnvironments(none, draft, faults), faults);
  faults.throwIfAny();
  return changed;
};

/** Accounts by the id of their connection alone: what else they say of it is to follow when the connection changes. */
const withoutDerived = ({ connected_accounts = [], ...held }: EnvironmentForm): EnvironmentForm => ({
  ...held,
  connected_accounts: connected_accounts.map(
    ({ connector: _, provider: _provider, authorization_type: _type, ...account }) => account,
  ),
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
    isFresh: false,
    ...defined({ beside }),
  };
  return { state: buildState(draft, options, faults), settings };
};
