/** Changes the state of an existing environment, for `PATCH .../state` and `PUT .../state`. */
import { absolute } from '../core/moment.ts';
import type { Now } from '../domain/operation.ts';
import { DEFAULT_SETTINGS, readSettings, type Settings } from '../domain/settings.ts';
import { emptyState, type State } from '../domain/state.ts';
import { BODY_LIMITS, checkShape } from './check.ts';
import type { EnvironmentContent } from './export.ts';
import { loadRows } from './load-rows.ts';
import type { LoadContext } from './open-state.ts';
import { Problems } from './problem.ts';
import type { EnvironmentForm } from './sections/index.ts';
import { objectSource, type Source } from './source.ts';
import { UNKNOWN_CLOCK } from './times.ts';

export interface Changed {
  readonly state: State;
  readonly settings: Settings;
}

/**
 * Merges rows and settings into an environment as `extends` does, or changes nothing if there is a problem. The
 * environment keeps its `id`. The merge takes longer for a larger body, but not for a larger environment.
 * @param body plain data, written as under `environments.NAME` in a scenario
 * @throws ScenarioError with every problem of shape or, if the shape is right, with every problem of meaning. Their
 * paths start at the body.
 */
export const mergeState = (environment: EnvironmentContent, body: unknown, at: Now): Changed =>
  change(environment, environment, body, { now: absolute(at.now), instants: [at] });

/**
 * Replaces the content of an environment with `body`. Takes the same parameters and throws the same errors as
 * `mergeState`, but accepts statuses that disagree with the clock, because users can put an export back at any time.
 */
export const replaceState = (environment: EnvironmentContent, body: unknown, { now }: Now): Changed => {
  // The new state keeps the generator, so that no id is drawn twice (behaviour I1).
  const state = { ...emptyState(0), generator: environment.state.generator };
  const context = { now: absolute(now), instants: UNKNOWN_CLOCK };
  return change(environment, { state, settings: DEFAULT_SETTINGS }, body, context);
};

const change = (
  { id }: EnvironmentContent,
  base: Changed,
  body: unknown,
  clock: Pick<LoadContext, 'now' | 'instants'>,
): Changed => {
  const problems = new Problems();
  const source = objectSource(body);
  checkShape([source], 'environment', problems, BODY_LIMITS);
  problems.throwIfAny();
  const checked = source as Source<EnvironmentForm>;
  const settings = { ...base.settings, ...readSettings(checked.value.settings ?? {}) };
  const state = loadRows(base.state, [checked], { environmentId: id, settings, problems, ...clock });
  problems.throwIfAny();
  return { state, settings };
};
