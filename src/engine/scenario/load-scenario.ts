/** Loads scenarios from names, files or objects. Also changes or replaces the content of existing environments. */

import { Refusal } from '../core/errors.ts';
import { drawFrom, randomSeed, seedGenerator } from '../core/ids.ts';
import { absolute, type Instant, instantAt } from '../core/moment.ts';
import { node } from '../core/node-globals.ts';
import type { FaultForm } from '../environments/faults.ts';
import { readFault } from '../environments/faults.ts';
import type { Change } from '../operation.ts';
import type { Service } from '../service.ts';
import type { EngineSettings } from '../settings.ts';
import type { EngineState } from '../state.ts';
import { checkShape } from './check.ts';
import type { EnvironmentContent } from './export.ts';
import type { AnyEnvironmentForm, AnyScenarioForm } from './forms.ts';
import { loadRows } from './load-rows.ts';
import type { LoadContext, RowCounts, WriteRules } from './loading.ts';
import { type InitialEnvironment, readClockForm, type Scenario } from './scenario.ts';
import { collectSources, type Places } from './scenario-files.ts';
import { withTimesAt } from './schema.ts';
import { objectSource, Problems, partOf, problemAt, ScenarioError, type Source } from './source.ts';
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
  /** The names of what the scenario extends; empty if it extends nothing. */
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
  const written = environmentsOf(sources);
  const last = sources.at(-1);
  if (last && written.size === 0)
    problems.add(problemAt(last, [], 'the scenario needs at least one environment under "environments"'));
  const changes: RowCounts[] = [];
  const own: readonly unknown[] = Object.values(last?.value.environments ?? {});
  const onPart = (part: unknown, counts: RowCounts): void =>
    void (own.includes(part) && changes.push(counts));
  const environments = makeEnvironments(written, seed, form.clock, { ...options, problems, onPart });
  refuseShared(environments, written, problems);
  problems.throwIfAny();
  const name = typeof from === 'string' ? from : 'object';
  const description = last?.value.description ?? '';
  const named: readonly unknown[] = [last?.value.extends ?? []].flat();
  const base = named.map((each) => (typeof each === 'string' ? each : 'an object')).join(', ');
  return { name, description, seed, environments, files, base, warnings: warningsOf(environments), changes };
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

/** The content that the sources have for each environment, in the order in which the environments first appear. */
type WrittenEnvironments = ReadonlyMap<string, readonly Source<AnyEnvironmentForm>[]>;

const environmentsOf = (sources: readonly Source<AnyScenarioForm>[]): WrittenEnvironments => {
  const written = new Map<string, Source<AnyEnvironmentForm>[]>();
  for (const source of sources)
    for (const name of Object.keys(source.value.environments ?? {})) {
      const part = partOf(source, 'environments', name) as Source<AnyEnvironmentForm>; // the cast is safe: the schema check accepts only an environment here
      const parts = written.get(name);
      if (parts) parts.push(part);
      else written.set(name, [part]);
    }
  return written;
};

const makeEnvironments = (
  environments: WrittenEnvironments,
  seed: number,
  clockForm: AnyScenarioForm['clock'],
  options: LoadOptions & Required<Pick<LoadContext, 'problems' | 'onPart'>>,
): readonly InitialEnvironment[] => {
  const { service, problems, onPart } = options;
  // Environment ids have a separate generator, so that adding an environment changes no id in the others.
  const draw = drawFrom(seedGenerator(seed));
  for (const parts of environments.values())
    for (const { value } of parts) if (value.id !== undefined) draw.reserve(value.id);
  return Array.from(environments, ([name, parts]) => {
    const form: AnyEnvironmentForm = Object.assign({}, ...parts.map(({ value }) => value));
    const id = form.id ?? draw.id('env');
    const written = form.clock ?? clockForm;
    const clock = readClockForm(options.clock ?? written);
    // The statuses of rows are checked at the time of the scenario's own clock, even if an option overrides that clock.
    const { now } = readClockForm(written);
    const instants = now === undefined ? UNKNOWN_CLOCK : ([instantAt(now, now)] as const);
    const ownSettings = parts.map(({ value }) => service.settings.read(value.settings ?? {}));
    const settings: EngineSettings = Object.assign(
      {},
      service.settings.defaults,
      ...ownSettings,
      options.settings,
    );
    const context = { api: service, environmentId: id, settings, now: NOW, instants, problems, onPart };
    const state = loadRows(service, service.emptyState(seed), parts, context);
    return { service, id, name, state, settings, clock, faults: faultsOf(service, parts, problems) };
  });
};

/** The faults of several files, in the order of the files (behaviour X7). */
const faultsOf = (
  { contract }: Service,
  parts: readonly Source<AnyEnvironmentForm>[],
  problems: Problems,
): readonly FaultForm[] =>
  parts.flatMap((part) =>
    (part.value.faults ?? []).flatMap((rule, index) => {
      try {
        return readFault(contract, rule);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const [{ field } = { field: 'operation' }] = error.extras.violations ?? [];
        const [name = '', ...more] = field.split('.');
        const path = ['faults', index, ...(name in rule ? [name, more.join('.')].filter(Boolean) : [])];
        problems.add(problemAt(part, path, error.message));
        return [];
      }
    }),
  );

/** Refuses an id, client or access token that two environments share (behaviour E5). */
const refuseShared = (
  environments: readonly InitialEnvironment[],
  written: WrittenEnvironments,
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
      const message = `the environment ${owner} has the same ${noun}; each environment needs its own`;
      if (owner !== undefined) problems.add(placed(written.get(name) ?? [], value, message));
    }
  }
};

/** A problem with an id, a client or an access token, at the last place where it is written. */
const placed = (parts: readonly Source<AnyEnvironmentForm>[], value: string, message: string) => {
  const [problem] = parts.toReversed().flatMap((part) => {
    const { id, clients = [], access_tokens = [] } = part.value;
    const nth = clients.findIndex(({ client_id }) => client_id === value);
    const path = id === value ? ['id'] : nth < 0 ? ['access_tokens'] : ['clients', nth, 'client_id'];
    return path[0] !== 'access_tokens' || access_tokens.includes(value)
      ? [problemAt(part, path, message)]
      : [];
  });
  return problem ?? { path: '', message };
};

export interface Changed {
  readonly faults: readonly FaultForm[];
  readonly state: EngineState;
  readonly settings: EngineSettings;
}

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
  const written: Record<string, string[]> = {};
  for (const [name, rows] of Object.entries(body))
    if (Array.isArray(rows) && environment.service.sections.some((section) => section.name === name))
      written[name] = [];
  const onRow = (table: string, id: string): void => void written[table]?.push(id);
  const clock = { now: absolute(at.now), instants: [at] } as const;
  return { ...change(environment, environment, body, { ...clock, write: { ...rules, onRow } }), written };
};

/** How many rows of each kind a body has. One event reports all counts, since an event for each row would flood the log. */
export const countRows = (body: object): Change['resource'] =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, rows]: [string, unknown]) =>
      Array.isArray(rows) ? [[name, String(rows.length)]] : [],
    ),
  );

/**
 * Replaces the content of an environment with `body`. Takes the same parameters and throws the same errors as
 * `mergeState`, but accepts statuses that no longer suit the clock, because users can restore an old export.
 */
export const replaceState = (environment: EnvironmentContent, body: unknown, { now }: Instant): Changed => {
  // The new state keeps the generator, so that it generates no id twice (behaviour I1).
  const { service } = environment;
  const state = { ...service.emptyState(0), generator: environment.state.generator };
  const context = { now: absolute(now), instants: UNKNOWN_CLOCK };
  return change(environment, { state, settings: service.settings.defaults }, body, context);
};

const change = (
  { service, id }: EnvironmentContent,
  base: Omit<Changed, 'faults'> & Partial<Changed>,
  body: unknown,
  context: Pick<LoadContext, 'now' | 'instants' | 'write'>,
): Changed => {
  const problems = new Problems();
  const source = objectSource(body);
  checkShape(service, [source], 'environment', problems);
  problems.throwIfAny();
  const written = source as Source<AnyEnvironmentForm>; // the cast is safe: the schema accepts only an environment here
  const checked = context.write
    ? { ...written, value: withTimesAt(service, written.value, context.instants[0].now) }
    : written;
  if (checked.value.clock !== undefined)
    problems.add(
      problemAt(source, ['clock'], 'only a scenario file can have a clock here; use PUT .../clock'),
    );
  if (context.write && checked.value.faults !== undefined)
    problems.add(problemAt(source, ['faults'], 'PATCH changes no faults; use POST .../faults'));
  const faults = context.write ? (base.faults ?? []) : faultsOf(service, [checked], problems);
  const settings = { ...base.settings, ...service.settings.read(checked.value.settings ?? {}) };
  const state = loadRows(service, base.state, [checked], {
    api: service,
    environmentId: id,
    settings,
    problems,
    ...context,
  });
  problems.throwIfAny();
  return { state, settings, faults };
};
