/** Handlers of calls that export, replace, merge, save and restore the content of an environment, and of its faults. */
import { toTimestamp } from '../../core/clock.ts';
import { invalidField, Refusal } from '../../core/errors.ts';
import { cut } from '../../core/text.ts';
import type { Environments } from '../../environments/all-environments.ts';
import type { Environment, StoredSnapshot } from '../../environments/environment.ts';
import { readFault } from '../../environments/faults.ts';
import { removeSnapshot, restoreSnapshot, takeSnapshot } from '../../environments/snapshots.ts';
import type { Change } from '../../operation.ts';
import { exportEnvironment } from '../../scenario/export.ts';
import { type Changed, countRows, mergeState, replaceState } from '../../scenario/load-scenario.ts';
import type { WriteRules } from '../../scenario/section.ts';
import type { ControlSchemas, EnvironmentContext, Handlers } from '../call-types.ts';
import { presentEnvironment } from './environments.ts';
import { DONE } from './shared.ts';

export const content = {
  exportState: (_input, { environment }) => ({
    status: 200,
    body: { ...exportEnvironment(contentOf(environment), environment.instant()) },
  }),

  replaceState: ({ body }, { environment, environments }) => {
    const changed = replaceState(contentOf(environment), body, environment.instant());
    adopt(environments, environment, changed, { type: 'state.replaced', resource: countRows(body) });
    environment.faults.set(changed.faults);
    environment.endWorld();
    return DONE;
  },

  mergeState: ({ body, query: { create: isCreate } }, context) => merge(context, body, { isCreate }),

  listSnapshots: (_input, { environment }) => ({
    status: 200,
    body: { snapshots: Array.from(environment.snapshots.values(), presentSnapshot) },
  }),

  takeSnapshot: ({ body }, { environment }) => ({
    status: 201,
    body: presentSnapshot(takeSnapshot(environment, body.name)),
  }),

  restoreSnapshot: ({ path }, { environment, environments }) => {
    restoreSnapshot(environments, environment, path.name);
    return { status: 200, body: presentEnvironment(environment) };
  },

  deleteSnapshot: ({ path }, { environment }) => {
    removeSnapshot(environment, path.name);
    return DONE;
  },

  listFaults: (_input, { environment }) => {
    const faults = [...environment.faults.list()];
    return { status: 200, body: { faults, used_up: faults.filter(({ used_up }) => used_up).length } };
  },

  addFault: ({ body }, { environment: { faults, service } }) => ({
    status: 201,
    body: { ...faults.add(readFault(service.contract, body)) },
  }),

  deleteFaults: ({ query: { id } }, { environment: { faults } }) => {
    if (id === undefined) faults.clear();
    else if (!faults.remove(id)) throw unknownFault(id);
    return DONE;
  },
} satisfies Partial<Handlers>;

/** Merges rows into an environment, and answers what was written. @throws Refusal 409 for a row that `rules` protect */
export const merge = (
  { environment, environments }: EnvironmentContext,
  body: { readonly id?: unknown },
  rules: WriteRules,
) => {
  requireOwnId(environment, body.id);
  const { written, ...changed } = mergeState(contentOf(environment), body, environment.instant(), rules);
  adopt(environments, environment, changed, { type: 'state.changed', resource: countRows(body) });
  return { status: 200, body: { written } } as const;
};

export const contentOf = ({ service, id, name, current, faults }: Environment) => ({
  faults: faults.rules(),
  service,
  id,
  name,
  state: current.data,
  settings: current.settings,
});

const adopt = (
  environments: Environments,
  environment: Environment,
  { state: data, settings }: Changed,
  change: Change,
): void => {
  environments.change(environment, { ...environment.current, data, settings });
  environment.logChanges([change]);
};

/** Refuses a body with the id of another environment: an environment keeps its id. @throws Refusal 400 */
const requireOwnId = ({ id, name }: Environment, given: unknown): void => {
  if (given === undefined || given === id) return;
  throw invalidField(
    'id',
    'const',
    `id must be ${id}, the id of ${name}, which never changes.`,
    'Leave it out.',
  );
};

const presentSnapshot = ({ name, time }: StoredSnapshot): ControlSchemas['Snapshot'] => ({
  name,
  time: toTimestamp(time),
});

const unknownFault = (id: string): Refusal =>
  new Refusal('NOT_FOUND', `No fault has the id ${cut(id)}.`, 'GET .../faults lists all faults.');
