/** Calls about what an environment holds: export, replace, add, snapshots. */
import { toTimestamp } from '../../core/clock.ts';
import { type Environment, readNow } from '../../environments/environment.ts';
import { changeState, type Environments } from '../../environments/environments.ts';
import { restoreSnapshot } from '../../environments/lifecycle.ts';
import type { Snapshot } from '../../environments/snapshots.ts';
import type { Changed } from '../../scenario/change.ts';
import type { ControlSchemas, Handlers } from '../types.ts';
import { DONE, presentEnvironment, requireEnvironment } from './lookup.ts';

export const state = {
  exportState: ({ path }, context) => {
    const environment = requireEnvironment(context, path.env);
    const body = context.scenarios.exportEnvironment(contentOf(environment), nowOf(environment));
    return { status: 200, body: { ...body } };
  },

  exportScenario: ({ path, query }, context) => {
    const environment = requireEnvironment(context, path.env);
    const content = { ...contentOf(environment), clock: environment.current.clock };
    const scenario = context.scenarios.exportScenario(content, nowOf(environment), query.relative);
    return { status: 200, body: { ...scenario } };
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
