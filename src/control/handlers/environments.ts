/** Calls that make, show, reset and drop environments (behaviour E5, E6). */
import { Refusal } from '../../core/errors.ts';
import { readClockForm } from '../../domain/scenario.ts';
import { readSettings } from '../../domain/settings.ts';
import type { Environment } from '../../environments/environment.ts';
import { removeEnvironment } from '../../environments/environments.ts';
import {
  createNamedEnvironment,
  createRuntimeEnvironment,
  type RuntimeOptions,
  remakeEnvironment,
  resetEnvironment,
} from '../../environments/lifecycle.ts';
import type { Context, ControlSchemas, Handlers } from '../types.ts';
import { DONE, presentEnvironment } from './lookup.ts';

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
    const { environments, environment } = context;
    const options = readOptions(body, context);
    if (!environment) {
      const made = createNamedEnvironment(environments, name, options);
      return { status: 201, body: presentEnvironment(made) };
    }
    remakeEnvironment(environments, environment, options);
    if (journal) clearRecords(environment);
    return { status: 200, body: presentEnvironment(environment) };
  },

  getEnvironment: (_input, { environment }) => ({ status: 200, body: presentEnvironment(environment) }),

  deleteEnvironment: (_input, { environments, environment }) => {
    if (environments.byId.size === 1) throw isLast(environment.name);
    removeEnvironment(environments, environment);
    return DONE;
  },

  resetEnvironment: ({ body }, context) => {
    const { environment } = context;
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

/** Refuses to delete the last environment, since calls that name no environment go to the first. */
const isLast = (name: string): Refusal =>
  new Refusal(
    'INVALID_ARGUMENT',
    `${name} is the last environment, and a server needs at least one.`,
    'Make another environment first, or reset this one.',
  );
