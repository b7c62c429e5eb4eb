/** Handlers of calls that describe the server, and that show and change environments (behaviour E5, E6). */

import { parseDuration, toTimestamp } from '../../core/clock.ts';
import { Refusal } from '../../core/errors.ts';
import { traceIdOf } from '../../core/ids.ts';
import { defined } from '../../core/object.ts';
import {
  createNamedEnvironment,
  createRuntimeEnvironment,
  type RuntimeOptions,
  remakeEnvironment,
  switchScenario,
} from '../../environments/all-environments.ts';
import type { Environment } from '../../environments/environment.ts';
import { readClockForm } from '../../scenario/scenario.ts';
import type { Context, ControlSchemas, Handlers } from '../call-types.ts';
import { DONE } from './shared.ts';

export const environments = {
  getHealth: (_input, { environments, version, uptime }) => ({
    status: 200,
    body: {
      status: 'ok',
      version,
      uptime_seconds: uptime(),
      scenario: environments.scenario.name,
      environments: environments.byId.size,
      reply_violations: environments.replyViolations,
    },
  }),

  listEnvironments: (_input, { environments }) => ({
    status: 200,
    body: { environments: Array.from(environments.byId.values(), presentEnvironment) },
  }),

  createEnvironment: ({ body: { name, ...body } }, context) => {
    const made = createRuntimeEnvironment(context.environments, { ...readOptions(body, context), name });
    return { status: 201, body: presentEnvironment(made) };
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

  // One environment must remain, since a call that does not select an environment goes to the first one.
  deleteEnvironment: (_input, { environments, environment }) => {
    if (environments.byId.size === 1)
      throw new Refusal(
        'INVALID_ARGUMENT',
        `${environment.name} is the last environment, and a server needs at least one.`,
        'Create another environment first, or reset this one.',
      );
    environments.remove(environment);
    return DONE;
  },

  resetEnvironment: ({ body }, context) => {
    const { environments, environment } = context;
    const { scenario } = readOptions(body, context);
    if (scenario) switchScenario(environments, environment, scenario, environment.origin.madeWith);
    else environments.restart(environment);
    if (body.journal) clearRecords(environment);
    return { status: 200, body: presentEnvironment(environment) };
  },

  getClock: (_input, { environment }) => ({ status: 200, body: presentClock(environment) }),

  setClock: ({ body }, { environment }) => {
    environment.setClock(readClockForm(body));
    return { status: 200, body: presentClock(environment) };
  },

  advanceClock: ({ body }, { environment }) => {
    const { mode } = environment.current.clock; // a frozen clock stays frozen
    environment.setClock({ mode, now: environment.now + (parseDuration(body.by) ?? 0) });
    return { status: 200, body: presentClock(environment) };
  },

  getSettings: (_input, { environment }) => ({
    status: 200,
    body: presentSettings(environment),
  }),

  changeSettings: ({ body }, { environment }) => {
    const { current } = environment;
    environment.current = {
      ...current,
      settings: { ...current.settings, ...environment.service.settings.read(body) },
    };
    return { status: 200, body: presentSettings(environment) };
  },
} satisfies Partial<Handlers>;

const presentSettings = ({ service, current }: Environment): ControlSchemas['Settings'] =>
  service.settings.write(current.settings);

const presentClock = (environment: Environment): ControlSchemas['Clock'] => ({
  mode: environment.current.clock.mode,
  now: toTimestamp(environment.now),
});

export const presentEnvironment = (environment: Environment): ControlSchemas['Environment'] => ({
  id: environment.id,
  name: environment.name,
  scenario: environment.origin.scenario,
  ...defined({ from: environment.origin.copiedFrom }),
  start: toTimestamp(environment.current.start),
  ...environment.credentials,
  trace_id: traceIdOf(environment.id),
  clock: presentClock(environment),
  settings: presentSettings(environment),
});

const clearRecords = ({ journal, used }: Environment): void => {
  journal.clear();
  used.coverage.clear();
};

const readOptions = (
  { scenario, seed, from, clock, settings }: Omit<ControlSchemas['NewEnvironment'], 'name'>,
  { loadScenario, environments }: Context,
): Omit<RuntimeOptions, 'name'> => ({
  scenario: scenario === undefined && seed === undefined ? undefined : loadScenario(scenario, { seed }),
  from,
  clock: clock === undefined ? undefined : readClockForm(clock),
  settings: settings && environments.service.settings.read(settings),
});
