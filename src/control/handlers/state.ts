/** Calls about the content of an environment: export, replace, merge, snapshots. */
import { toTimestamp } from '../../core/clock.ts';
import { invalidField, Refusal } from '../../core/errors.ts';
import type { Change } from '../../domain/operation.ts';
import { type Environment, logChanges, readNow } from '../../environments/environment.ts';
import { changeState, type Environments } from '../../environments/environments.ts';
import { remakeEnvironment, resetEnvironment, restoreSnapshot } from '../../environments/lifecycle.ts';
import type { Snapshot } from '../../environments/snapshots.ts';
import type { Changed } from '../../scenario/change.ts';
import type { Context, ControlSchemas, Handlers } from '../types.ts';
import { DONE, presentEnvironment } from './lookup.ts';

export const state = {
  exportState: (_input, { environment, scenarios }) => ({
    status: 200,
    body: { ...scenarios.exportEnvironment(contentOf(environment), nowOf(environment)) },
  }),

  exportScenario: ({ query }, { environment, scenarios }) => {
    const content = { ...contentOf(environment), clock: environment.current.clock };
    const now = nowOf(environment);
    if (query.format !== 'yaml')
      return { status: 200, body: { ...scenarios.exportScenario(content, now, query.relative) } };
    const pieces = scenarios.writeScenarioFile(content, now, query.relative);
    return { status: 200, contentType: 'application/yaml', pieces };
  },

  importScenario: ({ body }, { environment, environments, scenarios }) => {
    const written = readFile(body.text, environment.name, scenarios);
    const names = Object.keys(Object(written.environments));
    // Chooses from the environments that the file lists: the one with the same name, else the first.
    const from = names.includes(environment.name) ? environment.name : (names[0] ?? environment.name);
    const scenario = scenarios.load(written, { isFromFile: true });
    if (from === environment.name) resetEnvironment(environments, environment, scenario);
    else remakeEnvironment(environments, environment, { scenario, from });
    return { status: 200, body: { from } };
  },

  replaceState: ({ body }, { environment, environments, scenarios }) => {
    const changed = scenarios.replaceState(contentOf(environment), body, nowOf(environment));
    adopt(environments, environment, changed, { type: 'state.replaced', resource: sectionsOf(body) });
    return DONE;
  },

  mergeState: ({ body }, { environment, environments, scenarios }) => {
    requireOwnId(environment, body.id);
    const changed = scenarios.mergeState(contentOf(environment), body, nowOf(environment));
    adopt(environments, environment, changed, { type: 'state.changed', resource: sectionsOf(body) });
    return DONE;
  },

  listSnapshots: (_input, { environment }) => ({
    status: 200,
    body: { snapshots: environment.snapshots.list().map(presentSnapshot) },
  }),

  takeSnapshot: ({ body }, { environment }) => {
    const snapshot = environment.snapshots.take(environment.current, readNow(environment), body.name);
    return { status: 201, body: presentSnapshot(snapshot) };
  },

  restoreSnapshot: ({ path }, { environment, environments }) => {
    restoreSnapshot(environments, environment, path.name);
    return { status: 200, body: presentEnvironment(environment) };
  },

  deleteSnapshot: ({ path }, { environment }) => {
    environment.snapshots.remove(path.name);
    return DONE;
  },

  deleteSnapshots: (_input, { environment }) => {
    environment.snapshots.clear();
    return DONE;
  },
} satisfies Partial<Handlers>;

/** Reads the text of a scenario file. @throws Refusal 400 if the text is not a scenario */
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
      'The file is not a scenario.',
      'Choose a file that ca-mock can load.',
    );
  // A text without `environments` is the content of one environment.
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

/**
 * Counts the rows that were sent, by kind. One event reports them all, since an event for each row would flood the log.
 */
const sectionsOf = (body: object): Change['resource'] =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, rows]: [string, unknown]) =>
      Array.isArray(rows) ? [[name, String(rows.length)]] : [],
    ),
  );

/** Refuses the id of another environment, since an id never changes. @throws Refusal 400 */
const requireOwnId = ({ id, name }: Environment, given: unknown): void => {
  if (given === undefined || given === id) return;
  throw invalidField(
    'id',
    'const',
    `id must be ${id}, the id of ${name}, which never changes.`,
    'Leave it out.',
  );
};

const presentSnapshot = ({ name, time }: Snapshot): ControlSchemas['Snapshot'] => ({
  name,
  time: toTimestamp(time),
});
