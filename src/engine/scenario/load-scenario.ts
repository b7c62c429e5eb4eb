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
import { loadRows } from './load-rows.ts';
import {
  type AnyEnvironmentForm,
  type AnyScenarioForm,
  type EnvironmentContent,
  type InitialEnvironment,
  readClockForm,
} from './scenario.ts';
import { collectSources, type Places } from './scenario-files.ts';
import type { LoadContext, WriteRules } from './section.ts';
import { Problems, ScenarioError, Source } from './source.ts';
import { NOW, UNKNOWN_CLOCK } from './times.ts';

export interface LoadOptions extends Places {
  /** Overrides the scenario's seed. A scenario without a seed uses 1. */
  readonly seed?: number | 'random';
  /** Freezes the clock at this ISO 8601 time. Overrides the scenario's clock. */
  readonly clock?: string;
  /** Overrides settings of the scenario in every environment. */
  readonly settings?: Partial<EngineSettings>;
}

export type LoadedScenario = ReturnType<typeof loadScenario>;

/**
 * Loads a scenario. Refuses the whole scenario if there is any problem.
 * @param from the name of a scenario, a path, or a scenario as an object, which is copied
 * @throws ScenarioError that lists what breaks the schema or, if nothing does, all other problems
 */
export const loadScenario = (from: string | object, options: LoadOptions) => {
  const data = typeof from === 'object' ? copyData(from) : from;
  const { sources, files, problems } = collectSources(data, options);
  const form: AnyScenarioForm = Object.assign({}, ...sources.map(({ value }) => value));
  const seed = options.seed === 'random' ? randomSeed() : (options.seed ?? form.seed ?? 1);
  const parts = partsOf(sources);
  const last = sources.at(-1);
  if (parts.size === 0) last?.problem([], 'the scenario needs at least one environment under "environments"');
  const environments = makeEnvironments(parts, seed, form.clock, options);
  refuseShared(environments, parts);
  problems.throwIfAny();
  const { description = '', extends: named = [], environments: own = {} } = last?.value ?? {};
  const base = [named].flat().map((each) => (typeof each === 'string' ? each : 'an object'));
  return {
    name: typeof from === 'string' ? from : 'object',
    description,
    seed,
    environments,
    files,
    /** The scenarios that this one extends, and what it changed in each environment of theirs. */
    base: base.join(', '),
    changes: environments.filter(({ name }) => Object.hasOwn(own, name)).map(({ counts }) => counts),
    warnings: environments
      .filter(({ state }) => state.clients.rows.size === 0 && state.access_tokens.length === 0)
      .map(({ name }) => `environments.${name} has no clients and no access_tokens, so no call can reach it`),
  };
};

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
  const parts = new Map<string, Part[]>();
  for (const source of sources)
    for (const name of Object.keys(source.value.environments ?? {}))
      parts.set(name, [...(parts.get(name) ?? []), source.part('environments', name)]);
  return parts;
};

const makeEnvironments = (
  environments: Parts,
  seed: number,
  clockForm: AnyScenarioForm['clock'],
  { service, clock: asked, settings }: LoadOptions,
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
    const empty = { service, id, state: service.emptyState(seed), settings: service.settings.defaults };
    const { written: _, ...content } = addParts(empty, parts, { now: NOW, instants }, settings);
    return { service, id, name, clock: readClockForm(asked ?? written), ...content };
  });
};

/** Adds to what an environment holds what files or objects have for it. @param overriding settings that all others yield to */
const addParts = (
  { service, id, state, settings: before, faults = [] }: EnvironmentContent,
  parts: readonly Part[],
  context: Pick<LoadContext, 'now' | 'instants' | 'write'>,
  overriding?: Partial<EngineSettings>,
) => {
  const own = parts.map(({ value }) => service.settings.read(value.settings ?? {}));
  const settings: EngineSettings = Object.assign({}, before, ...own, overriding);
  const loaded = loadRows(service, state, parts, { environmentId: id, settings, ...context });
  const added = context.write ? [] : parts.flatMap((part) => faultsOf(service, part));
  return { ...loaded, settings, faults: [...faults, ...added] };
};

/** The faults of a file or object, as `POST .../faults` would read them (behaviour X7). */
const faultsOf = ({ contract }: Service, part: Part): readonly FaultForm[] =>
  (part.value.faults ?? []).flatMap((rule, index) => {
    try {
      return readFault(contract, rule);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const field = error.extras.violations?.[0]?.field ?? 'operation';
      return part.problem(['faults', index, ...field.split('.')], error.message) ?? [];
    }
  });

/** What no two environments can share (behaviour E5). */
const claimsOf = ({ id, state: { clients, access_tokens } }: InitialEnvironment) => [
  { noun: 'id', value: id },
  ...clients.positions.keysArray().map((value) => ({ noun: 'client_id', value })),
  ...access_tokens.map((value) => ({ noun: 'bearer', value })),
];

const refuseShared = (environments: readonly InitialEnvironment[], written: Parts): void => {
  const owners = new Map<string, string>();
  for (const environment of environments)
    for (const { noun, value } of claimsOf(environment)) {
      const owner = owners.get(`${noun} ${value}`);
      owners.set(`${noun} ${value}`, owner ?? environment.name);
      if (owner === undefined) continue;
      const parts = written.get(environment.name) ?? [];
      const part = parts.findLast((each) => placeOf(each, value)) ?? parts[0];
      const message = `the environment ${owner} has the same ${noun}; each environment needs its own`;
      part?.problem(placeOf(part, value) ?? [], message);
    }
};

/** Where an id, a client or an access token is written. */
const placeOf = ({ value: { id, clients = [], access_tokens = [] } }: Part, wanted: string) => {
  if (id === wanted) return ['id'];
  const nth = clients.findIndex(({ client_id }) => client_id === wanted);
  if (nth >= 0) return ['clients', nth, 'client_id'];
  return access_tokens.includes(wanted) ? ['access_tokens'] : undefined;
};

export type Changed = ReturnType<typeof writeState>;

/**
 * Writes rows and settings into an environment, and tells the ids of rows in the order of the body. Changes nothing if there
 * is a problem. The environment keeps its `id`.
 * With `rules`, merges them as `extends` does; this takes longer for a larger body, but not for a larger environment.
 * Without, they replace all that is there, with statuses that may no longer suit the clock: users restore old exports.
 * @param body plain data with the members of `environments.NAME` in a scenario
 * @throws ScenarioError that lists what breaks the schema or, if nothing does, all other problems, with paths inside
 * the body; Refusal 409 for a row that `rules` protect
 */
export const writeState = (
  environment: EnvironmentContent,
  body: object,
  at: Instant,
  rules?: WriteRules,
) => {
  const { service } = environment;
  const problems = new Problems();
  const source: Part = new Source(body, { problems });
  checkShape(service, [source], 'environment');
  problems.throwIfAny();
  if (source.value.clock !== undefined)
    source.problem(['clock'], 'only a scenario file can have a clock here; use PUT .../clock');
  if (rules && source.value.faults !== undefined)
    source.problem(['faults'], 'PATCH changes no faults; use POST .../faults');
  const content = rules ? environment : emptied(environment);
  const instants = rules ? ([at] as const) : UNKNOWN_CLOCK;
  const context = { now: absolute(at.now), instants, write: rules };
  const { written, ...changed } = addParts(content, [source], context);
  problems.throwIfAny();
  const idsOf = ([name]: [string, unknown]): [string, string[]] => [name, [...written(name).keys()]];
  const lists = Object.entries(body).filter(([name]) => service.sections.some((each) => each.name === name));
  return { ...changed, written: Object.fromEntries(lists.map(idsOf)) };
};

/** The environment without rows and settings. It keeps the generator, so that it generates no id twice (behaviour I1). */
const emptied = ({ service, id, state: { generator } }: EnvironmentContent): EnvironmentContent => ({
  service,
  id,
  settings: service.settings.defaults,
  state: { ...service.emptyState(0), generator },
});

/** How many rows of each kind a body has. One event reports all counts, since an event for each row would flood the log. */
export const countRows = (body: object): NonNullable<Change['resource']> =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, rows]: [string, unknown]) =>
      Array.isArray(rows) ? [[name, String(rows.length)]] : [],
    ),
  );
