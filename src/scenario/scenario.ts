/** Loading scenarios: from names, files or objects to what environments start with. */
import { resolve as resolvePath } from 'node:path';
import { parseTimestamp } from '../core/clock.ts';
import { drawFrom, drawId, randomSeed, seedGenerator } from '../core/ids.ts';
import { newTree } from '../core/position-tree.ts';
import type { ClockSetting, InitialEnvironment, Scenario } from '../domain/scenario.ts';
import { DEFAULT_SETTINGS, type Settings } from '../domain/settings.ts';
import { readSettings } from '../domain/settings-form.ts';
import { buildState } from './build/environment.ts';
import { draftEnvironment, type EnvironmentDraft } from './draft.ts';
import { createFaults, type Faults, ScenarioError } from './fault.ts';
import {
  type Collected,
  collectFile,
  collectObject,
  findFile,
  type Places,
  type ScenarioSource,
} from './files.ts';
import { mergeEnvironments } from './merge.ts';
import { refuseShared } from './shared.ts';
import { faultAt } from './source.ts';
import { isPast, NOW } from './times.ts';
import { isRead } from './unread.ts';
import type { ScenarioForm } from './written.ts';

export interface LoadOptions extends Places {
  /** Instead of the scenario's own; default 1. */
  readonly seed?: number | 'random';
  /** Frozen at this ISO 8601 time, instead of the scenario's own clock. */
  readonly clock?: string;
  /** On top of the scenario's own settings, in every environment. */
  readonly settings?: Partial<Settings>;
}

export interface LoadedScenario extends Scenario {
  /** Every file it was read from, absolute: what to watch for changes. */
  readonly files: readonly string[];
}

/**
 * Loads a scenario. Nothing is half loaded: with a single fault there is none.
 * @param from a name of the fixtures folder, a path, or a scenario as an object, which is not kept
 * @throws ScenarioError with every fault there is
 */
export const loadScenario = (from: string | object, options: LoadOptions): LoadedScenario => {
  const faults = createFaults();
  const { sources, files } = collectSources(from, options, faults);
  if (faults.isFull()) faults.throwIfAny();
  const form: ScenarioForm = Object.assign({}, ...sources.map((source) => source.form));
  const drafts = mergeSources(sources, faults);
  const seed = options.seed === 'random' ? randomSeed() : (options.seed ?? form.seed ?? 1);
  const clock = readClockForm(options.clock ?? form.clock);
  const environments = buildEnvironments(drafts, seed, clock, options, faults);
  refuseNone(sources, drafts, faults);
  refuseShared(drafts, faults);
  faults.throwIfAny();
  const name = typeof from === 'string' ? from : 'object';
  return { name, description: sources.at(-1)?.form.description ?? '', seed, environments, files };
};

const collectSources = (from: string | object, options: LoadOptions, faults: Faults): Collected => {
  if (typeof from === 'object') return collectObject(copyData(from), options, faults);
  const found = findFile(from, resolvePath(options.workingDirectory), options);
  if ('problem' in found) throw new ScenarioError([{ path: '', message: found.problem }]);
  return collectFile(found.file, options, faults);
};

/** What the caller does with the object later is of no concern to the scenario. */
const copyData = (from: object): unknown => {
  try {
    return structuredClone(from);
  } catch {
    const message = 'the scenario holds a function or something else that is no plain data';
    throw new ScenarioError([{ path: '', message }]);
  }
};

/** Environments join by name, in the order in which the names come first. */
const mergeSources = (sources: readonly ScenarioSource[], faults: Faults): readonly EnvironmentDraft[] => {
  const merged = new Map<string, EnvironmentDraft>();
  for (const { source, form } of sources) {
    for (const [name, environment] of Object.entries(form.environments ?? {})) {
      const over = draftEnvironment(source, name, environment, ['environments', name]);
      merged.set(name, mergeEnvironments(merged.get(name) ?? emptyDraft(over), over, faults));
    }
  }
  return [...merged.values()];
};

/** Nothing at all, to put a first writing on: rows that say `remove` have nothing to remove there. */
const emptyDraft = ({ name, head }: EnvironmentDraft): EnvironmentDraft =>
  draftEnvironment({ value: {}, locate: () => undefined }, name, {}, head.origins[0]?.path ?? []);

const readClockForm = (clock: ScenarioForm['clock']): ClockSetting => {
  if (clock === undefined) return { mode: 'running' };
  const { mode = 'frozen', now } =
    typeof clock === 'string' ? { now: clock } : { mode: 'running' as const, ...clock };
  const ms = now === undefined ? undefined : parseTimestamp(now);
  return ms === undefined ? { mode } : { mode, now: ms };
};

/** The environment starts when its scenario is taken up. */
const AT_START = { now: NOW, hasPassed: isPast };

const buildEnvironments = (
  drafts: readonly EnvironmentDraft[],
  seed: number,
  clock: ClockSetting,
  options: LoadOptions,
  faults: Faults,
): readonly InitialEnvironment[] => {
  // Ids of environments have a generator of their own, so that one more environment moves no id within another.
  const draw = drawFrom(seedGenerator(seed));
  return drafts.map((draft) => {
    const id = draft.head.form.id ?? drawId(draw, 'env');
    const settings = { ...DEFAULT_SETTINGS, ...readSettings(draft.settings), ...options.settings };
    const generator = seedGenerator(seed);
    const given = {
      environmentId: id,
      settings,
      generator,
      reserved: newTree<string, true>(),
      clock: AT_START,
    };
    return { id, name: draft.name, state: buildState(draft, given, faults), settings, clock };
  });
};

const refuseNone = (
  sources: readonly ScenarioSource[],
  drafts: readonly EnvironmentDraft[],
  faults: Faults,
): void => {
  const last = sources.at(-1);
  const isUnread = ({ source: { unread } }: ScenarioSource) =>
    unread && !isRead(unread, [], 'environments', false);
  if (faults.lost.hasFile() || sources.some(isUnread)) return;
  if (last && drafts.length === 0)
    faults.add(faultAt(last.source, [], 'needs one environment or more, under environments'));
};
