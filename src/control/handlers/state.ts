/** Calls about what an environment holds: export, replace, add, snapshots. */
import { toTimestamp } from '../../core/clock.ts';
import { invalidField, Refusal } from '../../core/errors.ts';
import type { Change } from '../../domain/operation.ts';
import { type Environment, logChanges, readNow } from '../../environments/environment.ts';
import { changeState, type Environments } from '../../environments/environments.ts';
import { remakeEnvironment, resetEnvironment, restoreSnapshot } from '../../environments/lifecycle.ts';
import type { Snapshot } from '../../environments/snapshots.ts';
import type { Changed } from '../../scenario/change.ts';
import type { Context, ControlSchemas, Handlers } from '../types.ts';
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
    const body = { ...scenario };
    if (query.format !== 'yaml') return { status: 200, body };
    const pieces = context.scenarios.writeInPieces(scenario);
    return { status: 200, contentType: 'application/yaml', pieces, body };
  },

  importScenario: ({ path, body }, context) => {
    const environment = requireEnvironment(context, path.env);
    const { environments, scenarios } = context;
    const written = readFile(body.text, environment.name, scenarios);
    const names = Object.keys(Object(written.environments));
    // What the file itself says is taken, even if what it extends has an environment of this name.
    const from = names.includes(environment.name) ? environment.name : (names[0] ?? environment.name);
    const scenario = scenarios.load(written, { isFromFile: true });
    if (from === environment.name) resetEnvironment(environments, environment, scenario);
    else remakeEnvironment(environments, environment, { scenario, from });
    return { status: 200, body: { from } };
  },

  replaceState: ({ path, body }, context) => {
    const environment = requireEnvironment(context, path.env);
    const changed = context.scenarios.replaceState(contentOf(environment), body, nowOf(environment));
    adopt(context.environments, environment, changed, { type: 'state.replaced', resource: sectionsOf(body) });
    return DONE;
  },

  mergeState: ({ path, body }, context) => {
    const environment = requireEnvironment(context, path.env);
    requireOwnId(environment, body.id);
    const changed = context.scenarios.mergeState(contentOf(environment), body, nowOf(environment));
    adopt(context.environments, environment, changed, { type: 'state.changed', resource: sectionsOf(body) });
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

/** @throws Refusal 400 for a text that holds no scenario */
const readFile = (
  text: string,
  name: string,
  { readLargeText }: Context['scenarios'],
): { readonly environments?: unknown } => {
  let value: unknown;
  try {
    value = readLargeText(text);
  } catch (error) {
    throw new Refusal('INVALID_ARGUMENT', String(error), 'Correct the file and import it again.');
  }
  if (typeof value !== 'object' || value === null)
    throw new Refusal(
      'INVALID_ARGUMENT',
      'The file holds no scenario.',
      'Choose a file that ca-mock can load.',
    );
  // What stands under `environments.NAME` is an environment without its name.
  return 'environments' in value ? value : { environments: { [name]: value } };
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
  change: Change,
): void => {
  changeState(environments, environment, { ...environment.current, data, settings });
  logChanges(environment, [change], readNow(environment));
};

/** How many rows of each kind were sent: an event for each row would push all others out of the log. */
const sectionsOf = (body: object): Change['resource'] =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, rows]: [string, unknown]) =>
      Array.isArray(rows) ? [[name, String(rows.length)]] : [],
    ),
  );

/** @throws Refusal 400 for the id of another environment, since an id never changes */
const requireOwnId = ({ id, name }: Environment, given: unknown): void => {
  if (given === undefined || given === id) return;
  throw invalidField(
    'id',
    'const',
    `id is not ${id}, the id of ${name}, which never changes.`,
    'Leave it out.',
  );
};

const presentSnapshot = ({ name, time }: Snapshot): ControlSchemas['Snapshot'] => ({
  name,
  time: toTimestamp(time),
});
