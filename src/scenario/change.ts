/** Changing the state of an environment that exists: `PATCH` and `PUT .../state` (interface.md). */
import { absolute, hasEnded } from '../core/moment.ts';
import type { Now } from '../domain/operation.ts';
import { DEFAULT_SETTINGS, readSettings, type Settings } from '../domain/settings.ts';
import { emptyState, type State } from '../domain/state.ts';
import { BODY_LIMITS, checkShape } from './check.ts';
import type { Exported } from './export.ts';
import { createProblems } from './problem.ts';
import { putParts } from './put.ts';
import type { EnvironmentForm } from './sections/index.ts';
import { objectSource } from './source.ts';
import type { WritingClock } from './writing.ts';

export interface Changed {
  readonly state: State;
  readonly settings: Settings;
}

/**
 * Puts rows and settings on top of what an environment holds, by the rule of `extends`, all or nothing. Its `id` stays.
 * Costs what is written, not what the environment holds.
 * @param body what is under `environments.NAME` in a scenario; plain data that is not changed meanwhile
 * @throws ScenarioError with every problem of its shape; if there is none, with every problem of what it means. Paths
 * are those of the body.
 */
export const mergeState = (environment: Exported, body: unknown, at: Now): Changed =>
  change(environment, environment, body, { now: absolute(at.now), hasPassed: (end) => hasEnded(end, at) });

/**
 * Puts `body` in the place of what an environment holds. Parameters and errors as for `mergeState`. Statuses are not
 * compared with the clock: an export can be put back at any time, and shows what that makes of it.
 */
export const replaceState = (environment: Exported, body: unknown, { now }: Now): Changed => {
  const { generator } = environment.state;
  // Ids go on where the generator was, so that none is given out twice (behaviour I1).
  const state = { ...emptyState(0), generator };
  return change(environment, { state, settings: DEFAULT_SETTINGS }, body, {
    now: absolute(now),
    hasPassed: (end) => (end === undefined ? false : undefined),
  });
};

const change = ({ id }: Exported, base: Changed, body: unknown, clock: WritingClock): Changed => {
  const problems = createProblems();
  const source = objectSource(body);
  checkShape([source], 'environment', problems, BODY_LIMITS);
  problems.throwIfAny();
  const form = body as EnvironmentForm; // compared with the schema
  const settings = { ...base.settings, ...readSettings(form.settings ?? {}) };
  const parts = [{ source, form, path: [] }];
  const state = putParts(base.state, parts, { environmentId: id, settings, clock, problems });
  problems.throwIfAny();
  return { state, settings };
};
