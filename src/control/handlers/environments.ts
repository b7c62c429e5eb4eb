/** Calls that make, show, reset and drop environments (behaviour E5, E6). */
import { parseTimestamp } from '../../core/clock.ts';
import type { ClockSetting } from '../../domain/blueprint.ts';
import { readSettings } from '../../domain/settings-form.ts';
import { requireInstant } from '../../environments/condition.ts';
import { resetEnvironment } from '../../environments/reset.ts';
import { createRuntimeEnvironment } from '../../environments/runtime.ts';
import { removeEnvironment } from '../../environments/world.ts';
import { ControlError } from '../errors.ts';
import type { ControlSchemas, Handlers } from '../types.ts';
import { DONE, presentEnvironment, requireEnvironment } from './lookup.ts';

type Calls =
  | 'listEnvironments'
  | 'createEnvironment'
  | 'getEnvironment'
  | 'deleteEnvironment'
  | 'resetEnvironment';

export const environments: Pick<Handlers, Calls> = {
  listEnvironments: (_input, { world }) => ({
    status: 200,
    body: { environments: Array.from(world.environments.values(), presentEnvironment) },
  }),

  createEnvironment: ({ body }, { world, scenarios }) => {
    const { scenario, seed, from, name, clock, settings } = body;
    const isOther = scenario !== undefined || seed !== undefined;
    const environment = createRuntimeEnvironment(world, {
      scenario: isOther ? scenarios.load(scenario, seed) : world.scenario,
      from,
      name,
      clock: clock === undefined ? undefined : readClockForm(clock),
      settings: settings && readSettings(settings),
    });
    return { status: 201, body: presentEnvironment(environment) };
  },

  getEnvironment: ({ path }, context) => ({
    status: 200,
    body: presentEnvironment(requireEnvironment(context, path.env)),
  }),

  deleteEnvironment: ({ path }, context) => {
    const environment = requireEnvironment(context, path.env);
    if (context.world.environments.size === 1) throw isLast(environment.name);
    removeEnvironment(context.world, environment);
    return DONE;
  },

  resetEnvironment: ({ path, body }, context) => {
    const environment = requireEnvironment(context, path.env);
    const scenario = body.scenario === undefined ? undefined : context.scenarios.load(body.scenario);
    resetEnvironment(context.world, environment, scenario);
    if (body.journal) {
      environment.journal.clear();
      environment.coverage.clear();
    }
    return { status: 200, body: presentEnvironment(environment) };
  },
};

/** Calls that select no environment are the first one's, so there is always one. */
const isLast = (name: string): ControlError =>
  new ControlError(
    'INVALID_ARGUMENT',
    `${name} is the last environment, and a server always has one.`,
    'Make another one first, or reset this one.',
  );

/** A time alone is a clock frozen there, as in a scenario; its form was checked. @throws ApiError 400 */
const readClockForm = (clock: NonNullable<ControlSchemas['NewEnvironment']['clock']>): ClockSetting => {
  const { mode = 'running', now } =
    typeof clock === 'string' ? { mode: 'frozen' as const, now: clock } : clock;
  const instant = now === undefined ? undefined : parseTimestamp(now);
  return { mode, ...(instant !== undefined && { now: requireInstant(instant) }) };
};
