/** Calls that make, show, reset and drop environments (behaviour E5, E6). */

import { parseTimestamp } from '../../core/clock.ts';
import { Refusal } from '../../core/errors.ts';
import type { ClockSetting } from '../../domain/scenario.ts';
import { readSettings } from '../../domain/settings.ts';
import type { Environment } from '../../environments/environment.ts';
import { requireInstant } from '../../environments/environment-state.ts';
import { findEnvironment, removeEnvironment } from '../../environments/environments.ts';
import {
  createNamedEnvironment,
  createRuntimeEnvironment,
  type RuntimeOptions,
  remakeEnvironment,
  resetEnvironment,
} from '../../environments/lifecycle.ts';
import type { Context, ControlSchemas, Handlers } from '../types.ts';
import { DONE, presentEnvironment, requireEnvironment } from './lookup.ts';

export const environments = {
  listEnvironments: (_input, { environments }) => ({
    status: 200,
    body: { environments: Array.from(environments.byId.values(), presentEnvironment) },
  }),

  createEnvironment: ({ body: { name, ...body } }, context) => {
    const options = { ...readOptions(body, context), name };
    return {
      status: 201,
      body: presentEnvironment(createRuntimeEnvironment(context.environments, options)),
    };
  },

  putEnvironment: ({ path: { env: name }, body: { journal, ...body } }, context) => {
    const { environments } = context;
    const options = readOptions(body, context);
    const environment = findEnvironment(environments, name);
    if (!environment) {
      const made = createNamedEnvironment(environments, name, options);
      return { status: 201, body: presentEnvironment(made) };
    }
    remakeEnvironment(environments, environment, options);
    if (journal) clearRecords(environment);
    return { status: 200, body: presentEnvironment(environment) };
  },

  getEnvironment: ({ path }, context) => ({
    status: 200,
    body: presentEnvironment(requireEnvironment(context, path.env)),
  }),

  deleteEnvironment: ({ path }, context) => {
    const environment = requireEnvironment(context, path.env);
    if (context.environments.byId.size === 1) throw isLast(environment.name);
    removeEnvironment(context.environments, environment);
    return DONE;
  },

  resetEnvironment: ({ path, body }, context) => {
    const environment = requireEnvironment(context, path.env);
    const { scenario } = readOptions(body, context);
    resetEnvironment(context.environments, environment, scenario);
    if (body.journal) clearRecords(environment);
    return { status: 200, body: presentEnvironment(environment) };
  },
} satisfies Partial<Handlers>;

const clearRecords = ({ journal, coverage }: Environment): void => {
  journal.clear();
  coverage.clear();
};

type NewEnvironment = ControlSchemas['NewEnvironment'];

const readOptions = (
  { scenario, seed, from, clock, settings }: Omit<NewEnvironment, 'name'>,
  { scenarios }: Context,
): Omit<RuntimeOptions, 'name'> => ({
  scenario: scenario === undefined && seed === undefined ? undefined : scenarios.load(scenario, { seed }),
  from,
  clock: clock === undefined ? undefined : readClockForm(clock),
  settings: settings && readSettings(settings),
});

/** Calls that select no environment are the first one's, so there is always one. */
const isLast = (name: string): Refusal =>
  new Refusal(
    'INVALID_ARGUMENT',
    `${name} is the last environment, and a server always has one.`,
    'Make another one first, or reset this one.',
  );

/** A time alone is a clock frozen there, as in a scenario; its form was checked. @throws Refusal 400 */
const readClockForm = (clock: NonNullable<NewEnvironment['clock']>): ClockSetting => {
  const { mode = 'running', now } =
    typeof clock === 'string' ? { mode: 'frozen' as const, now: clock } : clock;
  const instant = now === undefined ? undefined : parseTimestamp(now);
  return { mode, ...(instant !== undefined && { now: requireInstant(instant) }) };
};
