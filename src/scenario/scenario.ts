/** Loads scenarios from names, files or objects. */
import { drawFrom, randomSeed, seedGenerator } from '../core/ids.ts';
import { node } from '../core/node-globals.ts';
import { type InitialEnvironment, readClockForm, type Scenario } from '../domain/scenario.ts';
import { DEFAULT_SETTINGS, readSettings, type Settings } from '../domain/settings.ts';
import { emptyState } from '../domain/state.ts';
import { collectSources, type Places, requireFile, type ScenarioSource } from './files.ts';
import { type EnvironmentPart, loadRows } from './load-rows.ts';
import { createProblems, type Path, type Problems, ScenarioError } from './problem.ts';

import type { EnvironmentForm, ScenarioForm } from './sections/index.ts';
import { problemAt } from './source.ts';
import { NOW, UNKNOWN_CLOCK } from './times.ts';

export interface LoadOptions extends Places {
  /** Overrides the scenario's seed. A scenario without a seed uses 1. */
  readonly seed?: number | 'random';
  /** Freezes the clock at this ISO 8601 time. Overrides the scenario's clock. */
  readonly clock?: string;
  /** Overrides settings of the scenario in every environment. */
  readonly settings?: Partial<Settings>;
}

export interface LoadedScenario extends Scenario {
  /** Absolute paths of all files of the scenario, to watch for changes. */
  readonly files: readonly string[];
  /** Messages about parts that are allowed but are probably mistakes. */
  readonly warnings: readonly string[];
}

/**
 * Loads a scenario. Refuses the whole scenario if there is any problem.
 * @param from a name of the fixtures folder, a path, or a scenario as an object; the object is copied
 * @throws ScenarioError with every problem of shape; or else with every problem of meaning
 */
export const loadScenario = (from: string | object, options: LoadOptions): LoadedScenario => {
  const given = typeof from === 'object' ? { value: copyData(from) } : { file: requireFile(from, options) };
  const { sources, files } = collectSources(given, options);
  const problems = createProblems();
  const form: ScenarioForm = Object.assign({}, ...sources.map((source) => source.form));
  const seed = options.seed === 'random' ? randomSeed() : (options.seed ?? form.seed ?? 1);
  const written = environmentsOf(sources, problems);
  refuseShared(written, problems);
  const environments = makeEnvironments(written, { seed, clock: form.clock, options, problems });
  problems.throwIfAny();
  const name = typeof from === 'string' ? from : 'object';
  const description = sources.at(-1)?.form.description ?? '';
  return { name, description, seed, environments, files, warnings: warningsOf(environments) };
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

type EnvironmentParts = ReadonlyMap<string, readonly EnvironmentPart[]>;

/** Merges environments by name. Keeps the order in which the sources first mention them. */
const environmentsOf = (sources: readonly ScenarioSource[], problems: Problems): EnvironmentParts => {
  const written = new Map<string, readonly EnvironmentPart[]>();
  for (const { source, form } of sources)
    for (const [name, environment] of Object.entries(form.environments ?? {}))
      written.set(name, [
        ...(written.get(name) ?? []),
        { source, form: environment, path: ['environments', name] },
      ]);
  const last = sources.at(-1);
  if (last && written.size === 0)
    problems.add(problemAt(last.source, [], 'needs at least one environment under environments'));
  return written;
};

interface Making {
  readonly seed: number;
  readonly clock: ScenarioForm['clock'];
  readonly options: LoadOptions;
  readonly problems: Problems;
}

const makeEnvironments = (
  environments: EnvironmentParts,
  { seed, clock: clockForm, options, problems }: Making,
): readonly InitialEnvironment[] => {
  // A separate generator draws the ids of environments, so that a new environment changes no id in the others.
  const draw = drawFrom(seedGenerator(seed));
  for (const parts of environments.values())
    for (const { form } of parts) if (form.id !== undefined) draw.reserve(form.id);
  const clock = readClockForm(options.clock ?? clockForm);
  // Statuses must agree with the file's own clock, even if the mock serves the file with another clock.
  const { now } = readClockForm(clockForm);
  const instants = now === undefined ? UNKNOWN_CLOCK : ([{ now, start: now }] as const);
  return Array.from(environments, ([name, parts]) => {
    const form: EnvironmentForm = Object.assign({}, ...parts.map((part) => part.form));
    const id = form.id ?? draw.id('env');
    const written = parts.map((part) => readSettings(part.form.settings ?? {}));
    const settings: Settings = Object.assign({}, DEFAULT_SETTINGS, ...written, options.settings);
    const context = { environmentId: id, settings, now: NOW, instants, problems };
    const state = loadRows(emptyState(seed), parts, context);
    return { id, name, state, settings, clock };
  });
};

/**
 * Refuses an id, client or access token that two environments share, since each of them selects one environment
 * (behaviour E2, E5).
 */
const refuseShared = (written: EnvironmentParts, problems: Problems): void => {
  const owners = new Map<string, string>();
  for (const [environment, parts] of written) {
    for (const { source, form, path } of parts) {
      const claim = (noun: string, value: string | undefined, ...member: Path): void => {
        if (value === undefined) return;
        const owner = owners.get(`${noun} ${value}`) ?? environment;
        owners.set(`${noun} ${value}`, owner);
        const message = `the environment ${owner} has the same ${noun}; each needs its own`;
        if (owner !== environment) problems.add(problemAt(source, [...path, ...member], message));
      };
      claim('id', form.id, 'id');
      form.clients?.forEach(({ client_id, remove }, index) => {
        if (!remove) claim('client_id', client_id, 'clients', index, 'client_id');
      });
      for (const token of form.access_tokens ?? []) claim('bearer', token, 'access_tokens');
    }
  }
};
