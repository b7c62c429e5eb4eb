/** Calls about what an environment holds: export, replace, add, snapshots. */

import { toTimestamp } from '../../core/clock.ts';
import { Refusal } from '../../core/errors.ts';
import { defined } from '../../core/object.ts';
import { writeClock } from '../../domain/scenario.ts';
import { type Environment, readNow } from '../../environments/environment.ts';
import { changeState, type Environments } from '../../environments/environments.ts';
import { restoreSnapshot } from '../../environments/lifecycle.ts';
import type { Snapshot } from '../../environments/snapshots.ts';
import type { Changed } from '../../scenario/change.ts';
import type { Base } from '../../scenario/export.ts';
import type { Context, ControlSchemas, Handlers } from '../types.ts';
import { DONE, presentEnvironment, requireEnvironment } from './lookup.ts';

export const state = {
  exportState: ({ path }, context) => {
    const environment = requireEnvironment(context, path.env);
    const body = context.scenarios.exportEnvironment(contentOf(environment), nowOf(environment));
    return { status: 200, body: { ...body } };
  },

  exportScenario: ({ path }, context) => {
    const environment = requireEnvironment(context, path.env);
    const content = { ...contentOf(environment), isRuntime: environment.isRuntime };
    const scenario = context.scenarios.exportScenario(
      content,
      nowOf(environment),
      baseOf(environment, context),
    );
    return { status: 200, body: { ...defined({ clock: clockOf(environment) }), ...scenario } };
  },

  replaceState: ({ path, body }, context) => {
    const environment = requireEnvironment(context, path.env);
    const changed = context.scenarios.replaceState(contentOf(environment), body, nowOf(environment));
    adopt(context.environments, environment, changed);
    return DONE;
  },

  mergeState: ({ path, body }, context) => {
    const environment = requireEnvironment(context, path.env);
    const changed = context.scenarios.mergeState(contentOf(environment), body, nowOf(environment));
    adopt(context.environments, environment, changed);
    return DONE;
  },

  listSnapshots: ({ path }, context) => ({
    status: 200,
    body: { snapshots: requireEnvironment(context, path.env).snapshots.list().map(presentSnapshot) },
  }),

  takeSnapshot: ({ path, body }, context) => {
    const environment = requireEnvironment(context, path.env);
    const snapshot = environment.snapshots.take(environment.current, readNow(environment), body.name);
    return { status: 201, body: presentSnapshot(snapshot) };
  },

  restoreSnapshot: ({ path }, context) => {
    const environment = requireEnvironment(context, path.env);
    restoreSnapshot(context.environments, environment, path.name);
    return { status: 200, body: presentEnvironment(environment) };
  },

  deleteSnapshot: ({ path }, context) => {
    requireEnvironment(context, path.env).snapshots.remove(path.name);
    return DONE;
  },

  deleteSnapshots: ({ path }, context) => {
    requireEnvironment(context, path.env).snapshots.clear();
    return DONE;
  },
} satisfies Partial<Handlers>;

/** Statuses follow from the clock, so one that was moved is a part of the scenario; and so is one that no longer is. */
const clockOf = (environment: Environment) => {
  const { current, initial } = environment;
  const isMovedByStart = initial.clock.mode === 'frozen' || initial.clock.now !== undefined;
  return (
    writeClock(current.clock, readNow(environment)) ?? (isMovedByStart ? { mode: 'running' } : undefined)
  );
};

/** The scenario that an environment started from, as far as it can be loaded again by the one who asks. */
const baseOf = (
  { scenario, copiedFrom, name, isRuntime }: Environment,
  { scenarios, isRemote }: Context,
): Base | undefined => {
  try {
    const { seed, environments } = scenarios.load(scenario, { onlyFixtures: isRemote });
    const own = environments.find((one) => one.name === (copiedFrom ?? name));
    const environment = own ?? (isRuntime ? environments[0] : undefined);
    return environment && { scenario, seed, environment };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
};

const contentOf = ({ id, name, current }: Environment) => ({
  id,
  name,
  state: current.data,
  settings: current.settings,
});

const nowOf = (environment: Environment) => ({
  now: readNow(environment),
  start: environment.current.start,
});

const adopt = (
  environments: Environments,
  environment: Environment,
  { state: data, settings }: Changed,
): void => changeState(environments, environment, { ...environment.current, data, settings });

const presentSnapshot = ({ name, time }: Snapshot): ControlSchemas['Snapshot'] => ({
  name,
  time: toTimestamp(time),
});
