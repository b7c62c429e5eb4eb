/** Keeps the environments of a mock in one scenario file, so that they survive a restart (`save`). */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { monotonicNow } from '../core/clock.ts';
import { LARGEST } from '../core/files.ts';
import { randomSeed } from '../core/ids.ts';
import { defined } from '../core/object.ts';
import { writeClock } from '../model/domain/scenario.ts';
import type { Environments } from '../model/environments/all-environments.ts';
import { readInstant } from '../model/environments/environment.ts';
import { exportRowByRow } from '../model/scenario/export.ts';
import { inlineScenario } from '../model/scenario/files.ts';
import { writeInTurns } from '../model/scenario/text.ts';
import { lockFile } from './file-lock.ts';
import { describe, type Log } from './log.ts';
import type { MockOptions } from './options.ts';
import type { ScenarioForm } from './published-types.ts';

/** How often the mock looks for changes, in milliseconds. */
const LOOK = 100;
/** The shortest time from the start of one write to the next, in milliseconds. */
const PAUSE = 1_000;
/** A write takes at most this share of the time, so that large environments do not slow down calls all the time. */
const SHARE = 1 / 5;

export interface SaveFile {
  /** The path as the user wrote it. */
  readonly file: string;
  /** What the file held when it was opened; undefined if there was no file. */
  readonly content: ScenarioForm | undefined;
  unlock(): void;
}

/** @throws Error if the path cannot be such a file, or another mock uses it; ScenarioError for wrong content */
export const openSaveFile = (file: string): SaveFile => {
  const path = requirePath(file);
  const unlock = lock(path, file);
  try {
    return { file, content: existsSync(path) ? inlineScenario(path) : undefined, unlock };
  } catch (error) {
    unlock();
    throw error;
  }
};

/** A warning if a file that was there takes the place of options that were set (behaviour N1). */
export const replacedBy = (
  saved: SaveFile | undefined,
  { scenario, seed }: Pick<MockOptions, 'scenario' | 'seed'>,
): readonly string[] => {
  const set = Object.keys(defined({ scenario, seed }));
  if (!saved?.content || set.length === 0) return [];
  const what = `${set.join(' and ')} ${set.length > 1 ? 'have' : 'has'} no effect`;
  return [`${what}: the mock starts with ${saved.file}, which is there already. Delete it to start anew`];
};

/** The file's path, in which links are followed, so that two paths of one file have the same lock. */
const requirePath = (file: string): string => {
  const folder = dirname(file);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Error(`The mock cannot save to ${file}: there is no folder ${folder}. Create it first.`);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile()) return realpathSync.native(file);
  if (stats)
    throw new Error(
      `${file} is ${stats.isDirectory() ? 'a folder' : 'not a regular file'}, so the mock cannot save to it. Give the path of a file.`,
    );
  return join(realpathSync.native(folder), basename(file));
};

const lock = (path: string, file: string): (() => void) => {
  try {
    return lockFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(
      `The mock cannot save to ${file}, since it cannot write to the folder ${dirname(path)}: ${message}. Choose another file.`,
    );
  }
};

/** Writes changed environments, at most once a second. @returns a function that writes the last changes and unlocks */
export const saveChanges = (
  { file, unlock }: SaveFile,
  environments: Environments,
  log: Log,
): (() => Promise<void>) => {
  const path = requirePath(file);
  const seed = randomSeed();
  let written = statesOf(environments);
  let failure: string | undefined;
  let nextWrite = 0;
  let writing: Promise<void> | undefined;

  /** A failure, such as a full disk, does not stop the mock. It is logged once, and the mock tries again. */
  const save = async (): Promise<void> => {
    const startedAt = monotonicNow();
    const states = statesOf(environments);
    try {
      await replaceFile(path, await formatAll(environments, seed));
      written = states;
      failure = undefined;
    } catch (error) {
      const message = describe(error);
      if (message !== failure) log({ event: 'not_saved', file, message });
      failure = message;
    }
    nextWrite = startedAt + Math.max(PAUSE, (monotonicNow() - startedAt) / SHARE);
  };

  /** A scenario needs an environment, so the file keeps what it had if all were deleted. */
  const mustSave = (): boolean => {
    const states = statesOf(environments);
    const isSame = states.length === written.length && states.every((one, nth) => one === written[nth]);
    return states.length > 0 && !isSame;
  };
  const timer = setInterval(() => {
    if (writing || monotonicNow() < nextWrite || !mustSave()) return;
    writing = save().finally(() => {
      writing = undefined;
    });
  }, LOOK).unref();

  return async () => {
    clearInterval(timer);
    await writing;
    if (mustSave() || !existsSync(path)) await save();
    unlock();
  };
};

const statesOf = ({ byId }: Environments): readonly unknown[] =>
  Array.from(byId.values(), ({ name, current }) => [name, current]).flat();

/** The text of the file. @param seed not the one of this run, since it would draw tokens that exist already */
const formatAll = (environments: Environments, seed: number): Promise<string> => {
  const forms = Array.from(environments.byId.values(), (environment) => {
    const { id, name, current } = environment;
    const at = readInstant(environment);
    const clock = writeClock(current.clock, at.now);
    const content = { id, state: current.data, settings: current.settings };
    return [name, { ...(clock && { clock }), ...exportRowByRow(content, at) }];
  });
  const { description } = environments.scenario;
  const scenario = { ...(description && { description }), seed, environments: Object.fromEntries(forms) };
  return writeInTurns(scenario);
};

/**
 * Writes a new file, and then gives it the name of the old one, so that there is a complete file at any time. It holds
 * credentials, so only the user who runs the mock can read it.
 * @throws Error if the file cannot be written, or could not be read again. An existing file then stays unchanged.
 */
const replaceFile = async (path: string, text: string): Promise<void> => {
  if (Buffer.byteLength(text) > LARGEST * 2 ** 20)
    throw new Error(
      `the file would be larger than ${LARGEST} MiB, and could not be loaded again. Delete environments or rows`,
    );
  const unfinished = `${path}.new`;
  try {
    await rm(unfinished, { force: true }); // a killed process may have left it, with other permissions
    await writeFile(unfinished, text, { mode: 0o600, flag: 'wx', flush: true });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {}); // frees space if the disk is full
    throw error;
  }
};
