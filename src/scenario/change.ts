/** Changing the state of an environment that exists: `PATCH` and `PUT .../state` (interface.md). */

import { DEFAULT_SETTINGS, type Settings } from '../domain/settings.ts';
import { readSettings } from '../domain/settings-form.ts';
import type { State } from '../domain/state.ts';
import { buildState } from './build/environment.ts';
import { checkSource } from './check.ts';
import { draftEnvironment, type EnvironmentDraft } from './draft.ts';
import { type Exported, exportEnvironment, type Now } from './export/environment.ts';
import { createFaults, type Faults } from './fault.ts';
import { mergeEnvironments } from './merge.ts';
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
 * @param body what stands under `environments.NAME` in a scenario; plain data that nobody else changes
 * @throws ScenarioError with every fault there is; paths are those of the body
 */
export const mergeState = (environment: Changing, body: unknown, now: Now): Changed => {
  const faults = createFaults();
  const over = draftBody(environment, body, faults);
  const held = withoutDerived(exportEnvironment(environment, now));
  const under = draftEnvironment({ value: held, locate: () => undefined }, environment.name, held, []);
  return rebuild(environment, mergeEnvironments(under, over, faults), faults);
};

/** Puts `body` in the place of what an environment holds. Parameters and errors as for `mergeState`. */
export const replaceState = (environment: Changing, body: unknown): Changed => {
  const faults = createFaults();
  const draft = draftBody(environment, body, faults);
  const none = draftEnvironment({ value: {}, locate: () => undefined }, environment.name, {}, []);
  return rebuild(environment, mergeEnvironments(none, draft, faults), faults);
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
  return draftEnvironment(source, name, source.value as EnvironmentForm, []); // just checked
};

/** Ids go on where the environment's generator stands, so that none is given out twice (behaviour I1). */
const rebuild = ({ id, state }: Changing, draft: EnvironmentDraft, faults: Faults): Changed => {
  const settings = { ...DEFAULT_SETTINGS, ...readSettings(draft.settings) };
  const { generator, reserved } = state;
  const built = buildState(
    draft,
    { environmentId: id, settings, generator, reserved, isFresh: false },
    faults,
  );
  faults.throwIfAny();
  return { state: built, settings };
};
