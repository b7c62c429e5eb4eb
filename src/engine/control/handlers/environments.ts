/** Handlers of calls that show and change environments and what they hold (behaviour E5, E6), and what acts on their rows. */
import { parseDuration, toTimestamp } from '../../core/clock.ts';
import { invalidField, Refusal, requireFound } from '../../core/errors.ts';
import { traceIdOf } from '../../core/ids.ts';
import { defined } from '../../core/object.ts';
import { cut, suggest } from '../../core/text.ts';
import type { BeginOptions, Environments } from '../../environments/all-environments.ts';
import type { Environment, StoredSnapshot } from '../../environments/environment.ts';
import { addFault, presentFault, readFault, rulesOf, toFaults } from '../../environments/faults.ts';
import type { Effects, EngineEnv } from '../../operation.ts';
import { exportEnvironment } from '../../scenario/export.ts';
import { countRows, writeState } from '../../scenario/load-scenario.ts';
import { readClockForm } from '../../scenario/scenario.ts';
import type { WriteRules } from '../../scenario/section.ts';
import type { EngineState } from '../../state.ts';
import type { Context, ControlSchemas, EnvironmentContext, Handlers } from '../control-document.ts';

/** The answer of a call that has nothing to return. */
export const DONE = { body: {} };

export const environments = {
  getHealth: (_input, { environments: { scenario, byId, replyViolations }, version, uptime }) => ({
    body: {
      status: 'ok' as const,
      version,
      uptime_seconds: uptime(),
      scenario: scenario.name,
      environments: byId.size,
      reply_violations: replyViolations,
    },
  }),

  listEnvironments: (_input, { environments: { byId } }) => ({
    body: { environments: Array.from(byId.values(), presentEnvironment) },
  }),

  createEnvironment: ({ body: { name, ...body } }, context) => {
    const options = readOptions(body, context);
    return { body: presentEnvironment(context.environments.create(options, name)) };
  },

  putEnvironment: ({ path: { env: name }, body: { journal, ...body } }, context) => {
    const { environments: all, environment }: Partial<EnvironmentContext> & Context = context;
    const options = readOptions(body, context);
    if (environment) return remake(all, environment, options, journal);
    return { status: 201, body: presentEnvironment(all.createNamed(name, options)) };
  },

  getEnvironment: (_input, { environment }) => ({ body: presentEnvironment(environment) }),

  // One environment must remain, since a call that does not select an environment goes to the first one.
  deleteEnvironment: (_input, { environments: all, environment }) => {
    const problem = `${environment.name} is the last environment, and a server needs at least one.`;
    const hint = 'Create another environment first, or reset this one.';
    if (all.byId.size === 1) throw new Refusal('INVALID_ARGUMENT', problem, hint);
    all.remove(environment);
    return DONE;
  },

  resetEnvironment: ({ body: { journal, ...body } }, context) => {
    const { environments: all, environment } = context;
    const { scenario } = readOptions(body, context);
    const options = scenario ? { ...environment.origin.madeWith, scenario } : {};
    return remake(all, environment, options, journal);
  },

  getClock: (_input, { environment }) => ({ body: presentClock(environment) }),

  setClock: ({ body }, { environment }) => {
    environment.setClock(readClockForm(body));
    return { body: presentClock(environment) };
  },

  advanceClock: ({ body }, { environment }) => {
    const { mode } = environment.current.clock; // a frozen clock stays frozen
    environment.setClock({ mode, now: environment.now + (parseDuration(body.by) ?? 0) });
    return { body: presentClock(environment) };
  },

  getSettings: (_input, { environment }) => ({ body: presentSettings(environment) }),

  changeSettings: ({ body }, { environment }) => {
    const { current, service } = environment;
    environment.set({ settings: { ...current.settings, ...service.settings.read(body) } });
    return { body: presentSettings(environment) };
  },

  exportState: (_input, { environment }) => ({
    body: { ...exportEnvironment(contentOf(environment), environment.instant()) },
  }),

  replaceState: ({ body }, { environment, environments: all }) => {
    const changed = writeState(contentOf(environment), body, environment.instant());
    const { state: data, settings } = changed;
    all.replace(environment, { ...environment.current, data, settings, faults: toFaults(changed.faults) });
    environment.logChanges([{ type: 'state.replaced', resource: countRows(body) }]);
    return DONE;
  },

  mergeState: ({ body, query: { create: isCreate } }, context) => merge(context, body, { isCreate }),

  listSnapshots: (_input, { environment: { snapshots } }) => ({
    body: { snapshots: Array.from(snapshots.values(), presentSnapshot) },
  }),

  takeSnapshot: ({ body }, { environment }) => ({
    body: presentSnapshot(environment.takeSnapshot(body.name)),
  }),

  restoreSnapshot: ({ path }, { environment, environments: all }) => {
    all.replace(environment, environment.requireSnapshot(path.name).state);
    return { body: presentEnvironment(environment) };
  },

  deleteSnapshot: ({ path }, { environment }) => {
    environment.snapshots.delete(environment.requireSnapshot(path.name).name);
    return DONE;
  },

  listFaults: (_input, { environment }) => {
    const faults = environment.current.faults.map(presentFault);
    return { body: { faults, used_up: faults.filter(({ used_up }) => used_up).length } };
  },

  addFault: ({ body }, { environment }) => {
    const rule = readFault(environment.service.contract, body);
    const { fault, faults } = addFault(environment.current.faults, rule);
    environment.set({ faults });
    return { body: presentFault(fault) };
  },

  deleteFaults: ({ query: { id } }, { environment }) => {
    const { faults } = environment.current;
    const others = faults.filter((fault) => id !== undefined && fault.id !== id);
    if (id !== undefined && others.length === faults.length)
      throw new Refusal('NOT_FOUND', `No fault has the id ${cut(id)}.`, 'GET .../faults lists all faults.');
    environment.set({ faults: others });
    return DONE;
  },
} satisfies Partial<Handlers>;

const presentSettings = ({ service, current }: Environment): ControlSchemas['Settings'] =>
  service.settings.write(current.settings);

const presentClock = ({ current, now }: Environment): ControlSchemas['Clock'] => ({
  mode: current.clock.mode,
  now: toTimestamp(now),
});

const presentSnapshot = ({ name, time }: StoredSnapshot) => ({ name, time: toTimestamp(time) });

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

const readOptions = (
  { scenario, seed, from, clock, settings }: Omit<ControlSchemas['NewEnvironment'], 'name'>,
  { loadScenario, environments: { service } }: Context,
): BeginOptions => ({
  scenario: scenario === undefined && seed === undefined ? undefined : loadScenario(scenario, { seed }),
  from,
  clock: clock === undefined ? undefined : readClockForm(clock),
  settings: settings && service.settings.read(settings),
});

const remake = (all: Environments, environment: Environment, options: BeginOptions, journal = false) => {
  all.remake(environment, options);
  if (journal) for (const record of [environment.journal, environment.used.coverage]) record.clear();
  return { body: presentEnvironment(environment) };
};

/** Merges rows into an environment, and answers what was written. @throws Refusal 409 for a row that `rules` protect */
export const merge = (
  { environment, environments: all }: EnvironmentContext,
  body: { readonly id?: unknown },
  rules: WriteRules,
) => {
  const { id, name } = environment;
  const problem = `id must be ${id}, the id of ${name}, which never changes.`;
  if (body.id !== undefined && body.id !== id) throw invalidField('id', 'const', problem, 'Leave it out.');
  const changed = writeState(contentOf(environment), body, environment.instant(), rules);
  all.change(environment, { ...environment.current, data: changed.state, settings: changed.settings });
  environment.logChanges([{ type: 'state.changed', resource: countRows(body) }]);
  return { body: { written: changed.written } };
};

export const contentOf = ({ service, id, name, current }: Environment) => ({
  service,
  id,
  name,
  faults: rulesOf(current.faults),
  state: current.data,
  settings: current.settings,
});

/** Runs an operation or a simulation in an environment, and commits its effects. @throws its refusals */
export const runIn = <Given, Outcome extends Effects, OfState extends EngineState, Env extends EngineEnv>(
  { environment }: EnvironmentContext,
  act: (state: OfState, given: Given, env: Env) => Outcome,
  given: Given,
): Outcome =>
  // the casts are safe: an environment has its service's state and settings, and the same service acts
  environment.runStep((state, env) => act(state as OfState, given, env as Env));

/**
 * Does something to a row, as a user or a third party would.
 * @throws Refusal 404 if rows of this kind have no such action, 400 for input that it does not take
 */
export const actOn = (
  context: EnvironmentContext,
  kind: string,
  name: string,
  given: { readonly id: string },
): object => {
  const { actions } = context.environment.service;
  const known = new Map(actions[kind]?.map((each) => [each.name, each]));
  const action = requireFound(known.get(name), `action ${name}`, suggest(name, [...known.keys()], 'actions'));
  const taken = ['id', ...(action.input ?? [])];
  const foreign = Object.keys(given).find((member) => !taken.includes(member));
  if (foreign === undefined) return runIn(context, action.step, given).reply;
  const takes = `${name} takes ${(action.input ?? ['nothing else']).join(' and ')}.`;
  throw new Refusal('INVALID_ARGUMENT', `${foreign} has no effect on ${name}.`, takes);
};

/** The id of the row with this id or natural key. If no row has it, `named` itself, which the simulation refuses. */
export const idOf = ({ environment }: EnvironmentContext, kind: string, named: string): string => {
  const reference = Object.values(environment.service.references).find((each) => each.kind === kind);
  return reference?.find(environment.current.data, named)?.id ?? named;
};
