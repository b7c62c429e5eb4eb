/** Loads scenarios from names, files or objects. Also changes or replaces the content of existing environments. */
import { Refusal } from '../core/errors.ts';
import { drawFrom, randomSeed, seedGenerator } from '../core/ids.ts';
import { absolute, type Instant, instantAt } from '../core/moment.ts';
import { node } from '../core/node-globals.ts';
import { type FaultForm, readFault } from '../environments/faults.ts';
import type { Change } from '../operation.ts';
import type { Service } from '../service.ts';
import type { EngineSettings } from '../settings.ts';
import { checkShape } from './check.ts';
import { loadRows, type RowCounts } from './load-rows.ts';
import {
  type AnyEnvironmentForm,
  type AnyScenarioForm,
  type EnvironmentContent,
  type InitialEnvironment,
  readClockForm,
  type Scenario,
} from './scenario.ts';
import { collectSources, type Places } from './scenario-files.ts';
import type { LoadContext, WriteRules } from './section.ts';
import { objectSource, Problems, partOf, ScenarioError, type Source } from './source.ts';
import { NOW, UNKNOWN_CLOCK } from './times.ts';

export interface LoadOptions extends Places {
  /** Overrides the scenario's seed. A scenario without a seed uses 1. */
  readonly seed?: number | 'random';
  /** Freezes the clock at this ISO 8601 time. Overrides the scenario's clock. */
  readonly clock?: string;
  /** Overrides settings of the scenario in every environment. */
  readonly settings?: Partial<EngineSettings>;
}

export interface LoadedScenario extends Scenario {
  /** Absolute paths of all files of the scenario, to watch for changes. */
  readonly files: readonly string[];
  /** Messages about content that is allowed but is probably a mistake. */
  readonly warnings: readonly string[];
  /** The names of the scenarios that this one extends, if any. */
  readonly base: string;
  /** For each environment, what the scenario itself changed in its base. */
  readonly changes: readonly RowCounts[];
}

/**
 * Loads a scenario. Refuses the whole scenario if there is any problem.
 * @param from the name of a scenario, a path, or a scenario as an object, which is copied
 * @throws ScenarioError that lists what breaks the schema or, if nothing does, all other problems
 */
export const loadScenario = (from: string | object, options: LoadOptions): LoadedScenario => {
  const { sources, files } = collectSources(typeof from === 'object' ? copyData(from) : from, options);
  const problems = new Problems();
  const form: AnyScenarioForm = Object.assign({}, ...sources.map(({ value }) => value));
  const seed = options.seed === 'random' ? randomSeed() : (options.seed ?? form.seed ?? 1);
  const parts = partsOf(sources);
  const last = sources.at(-1);
  if (last && parts.size === 0)
    problems.at(last, [], 'the scenario needs at least one environment under "environments"');
  const made = makeEnvironments(parts, seed, form.clock, options, problems);
  const environments = made.map(({ environment }) => environment);
  refuseShared(environments, parts, problems);
  problems.throwIfAny();
  const { description = '', extends: named = [], environments: own = {} } = last?.value ?? {};
  return {
    name: typeof from === 'string' ? from : 'object',
    ...{ description, seed, environments, files },
    base: [named]
      .flat()
      .map((each) => (typeof each === 'string' ? each : 'an object'))
      .join(', '),
    warnings: warningsOf(environments),
    changes: made.flatMap(({ environment: { name }, loaded }) =>
      Object.hasOwn(own, name) ? loaded.slice(-1).map(({ counts }) => counts) : [],
    ),
  };
};

const warningsOf = (environments: readonly InitialEnvironment[]): readonly string[] =>
  environments
    .filter(({ state }) => state.clients.rows.size === 0 && state.access_tokens.length === 0)
    .map(({ name }) => `environments.${name} has no clients and no access_tokens, so no call can reach it`);

/** Copies the object, so that later changes to it do not change the scenario. */
const copyData = (from: object): object => {
  try {
    return node.structuredClone(from);
  } catch {
    const message = 'the scenario contains a function or some other value that is not plain data';
    throw new ScenarioError([{ path: '', message }]);
  }
};

type Part = Source<AnyEnvironmentForm>;

/** What the sources have for each environment, in the order in which the environments first appear. */
type Parts = ReadonlyMap<string, readonly Part[]>;

const partsOf = (sources: readonly Source<AnyScenarioForm>[]): Parts => {
  const names = new Set(sources.flatMap(({ value }) => Object.keys(value.environments ?? {})));
  const named = (name: string) =>
    sources
      .map((source) => partOf(source, 'environments', name) as Part) // the cast is safe: the schema accepts only an environment here
      .filter(({ value }) => value !== undefined);
  return new Map(Array.from(names, (name) => [name, named(name)]));
};

const makeEnvironments = (
  environments: Parts,
  seed: number,
  clockForm: AnyScenarioForm['clock'],
  { service, clock: asked, settings: overriding }: LoadOptions,
  problems: Problems,
) => {
  // Environment ids have a separate generator, so that adding an environment changes no id in the others.
  const draw = drawFrom(seedGenerator(seed));
  for (const parts of environments.values())
    for (const { value } of parts) if (value.id !== undefined) draw.reserve(value.id);
  return Array.from(environments, ([name, parts]) => {
    const form: AnyEnvironmentForm = Object.assign({}, ...parts.map(({ value }) => value));
    const id = form.id ?? draw.id('env');
    const written = form.clock ?? clockForm;
    // The statuses of rows are checked at the time of the scenario's own clock, even if an option overrides that clock.
    const { now } = readClockForm(written);
    const instants = now === undefined ? UNKNOWN_CLOCK : ([instantAt(now, now)] as const);
    const own = parts.map(({ value }) => service.settings.read(value.settings ?? {}));
    const settings = Object.assign({}, service.settings.defaults, ...own, overriding);
    const context = { environmentId: id, settings, now: NOW, instants, problems };
    const { state, loaded } = loadRows(service, service.emptyState(seed), parts, context);
    const faults = parts.flatMap((part) => faultsOf(service, part, problems));
    const clock = readClockForm(asked ?? written);
    return { environment: { service, id, name, state, settings, clock, faults }, loaded };
  });
};

/** The faults of a file or object, as `POST .../faults` would read them (behaviour X7). */
const faultsOf = ({ contract }: Service, part: Part, problems: Problems): readonly FaultForm[] =>
  (part.value.faults ?? []).flatMap((rule, index) => {
    try {
      return readFault(contract, rule);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const field = error.extras.violations?.[0]?.field ?? 'operation';
      problems.at(part, ['faults', index, ...field.split('.')], error.message);
      return [];
    }
  });

/** Refuses an id, client or access token that two environments share (behaviour E5). */
const refuseShared = (
  environments: readonly InitialEnvironment[],
  written: Parts,
  problems: Problems,
): void => {
  const owners = new Map<string, string>();
  for (const { id, name, state } of environments) {
    const claims = [
      ['id', id],
      ...Array.from(state.clients.positions.keys(), (client) => ['client_id', client] as const),
      ...state.access_tokens.map((token) => ['bearer', token] as const),
    ] as const;
    for (const [noun, value] of claims) {
      const owner = owners.get(`${noun} ${value}`);
      owners.set(`${noun} ${value}`, owner ?? name);
      if (owner === undefined) continue;
      const message = `the environment ${owner} has the same ${noun}; each environment needs its own`;
      const parts = written.get(name) ?? [];
      const part = parts.findLast((each) => placeOf(each, value)) ?? parts[0];
      if (part) problems.at(part, placeOf(part, value) ?? [], message);
    }
  }
};

/** Where an id, a client or an access token is written. */
const placeOf = ({ value: { id, clients = [], access_tokens = [] } }: Part, wanted: string) => {
  if (id === wanted) return ['id'];
  const nth = clients.findIndex(({ client_id }) => client_id === wanted);
  if (nth >= 0) return ['clients', nth, 'client_id'];
  return access_tokens.includes(wanted) ? ['access_tokens'] : undefined;
};

export type Changed = Pick<InitialEnvironment, 'state' | 'settings' | 'faults'>;

/** What a merge has changed, with the ids of the rows that it wrote. Lists and ids are in the order of the body. */
export interface Merged extends Changed {
  readonly written: Record<string, string[]>;
}

/**
 * Merges rows and settings into an environment as `extends` does, or changes nothing if there is a problem. The
 * environment keeps its `id`. The merge takes longer for a larger body, but not for a larger environment.
 * @param body plain data with the members of `environments.NAME` in a scenario
 * @throws ScenarioError that lists what breaks the schema or, if nothing does, all other problems, with paths inside
 * the body; Refusal 409 for a row that `rules` protect
 */
export const mergeState = (
  environment: EnvironmentContent,
  body: object,
  at: Instant,
  rules: WriteRules = {},
): Merged => {
  const lists = new Set(environment.service.sections.map(({ name }) => name));
  const context = { now: absolute(at.now), instants: [at], write: rules } as const;
  const { loaded, ...changed } = change(environment, environment, body, context);
  const written = Object.keys(countRows(body))
    .filter((name) => lists.has(name))
    .map((name) => [name, [...(loaded[0]?.written.get(name)?.keys() ?? [])]]);
  return { ...changed, written: Object.fromEntries(written) };
};

/** How many rows of each kind a body has. One event reports all counts, since an event for each row would flood the log. */
export const countRows = (body: object): NonNullable<Change['resource']> =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, rows]: [string, unknown]) =>
      Array.isArray(rows) ? [[name, String(rows.length)]] : [],
    ),
  );

/**
 * Replaces the content of an environment with `body`. Takes the same parameters and throws the same errors as
 * `mergeState`, but accepts statuses that no longer suit the clock, because users can restore an old export.
 */
export const replaceState = (environment: EnvironmentContent, body: object, { now }: Instant): Changed => {
  // The new state keeps the generator, so that it generates no id twice (behaviour I1).
  const { service } = environment;
  const state = { ...service.emptyState(0), generator: environment.state.generator };
  const context = { now: absolute(now), instants: UNKNOWN_CLOCK };
  const base = { state, settings: service.settings.defaults };
  const { loaded: _, ...changed } = change(environment, base, body, context);
  return changed;
};

const change = (
  { service, id }: EnvironmentContent,
  base: Omit<Changed, 'faults'> & Partial<Changed>,
  body: object,
  context: Pick<LoadContext, 'now' | 'instants' | 'write'>,
) => {
  const problems = new Problems();
  const source = objectSource(body) as Part; // the cast is safe: the schema accepts only an environment here
  checkShape(service, [source], 'environment', problems);
  problems.throwIfAny();
  const { value } = source;
  if (value.clock !== undefined)
    problems.at(source, ['clock'], 'only a scenario file can have a clock here; use PUT .../clock');
  if (context.write && value.faults !== undefined)
    problems.at(source, ['faults'], 'PATCH changes no faults; use POST .../faults');
  const faults = context.write ? (base.faults ?? []) : faultsOf(service, source, problems);
  const settings = { ...base.settings, ...service.settings.read(value.settings ?? {}) };
  const { state, loaded } = loadRows(service, base.state, [source], {
    ...{ environmentId: id, settings, problems },
    ...context,
  });
  problems.throwIfAny();
  return { state, settings, faults, loaded };
};
