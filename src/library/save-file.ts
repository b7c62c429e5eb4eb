/** Keeps the environments of a mock in one scenario file, so that they survive a restart (`save`). */
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers'; // these timers work even if tests replace the global timers
import { LARGEST } from '../engine/core/files.ts';
import { randomSeed } from '../engine/core/ids.ts';
import { defined } from '../engine/core/object.ts';
import type { Environments } from '../engine/environments/all-environments.ts';
import { exportEnvironment } from '../engine/scenario/export.ts';
import { writeClock } from '../engine/scenario/scenario.ts';
import { inlineScenario } from '../engine/scenario/scenario-files.ts';
import { writeScenario } from '../engine/scenario/scenario-text.ts';
import { service } from '../service/index.ts';
import { describe, type Log } from './log.ts';
import type { MockOptions } from './options.ts';
import { behindLinks, replaceFile, requireReplaceable } from './write-text.ts';

/** Milliseconds from the end of a write to the next look for changes. */
const PAUSE = 1_000;

export interface SaveFile {
  /** The path as the user wrote it. */
  readonly file: string;
  /** The path without links, so that two paths of one file have the same lock. */
  readonly path: string;
  unlock(): void;
}

/** Locks the file. @throws Error if the path cannot be such a file, or another mock uses it */
export const openSaveFile = (file: string): SaveFile => {
  requireReplaceable(file);
  const path = behindLinks(file);
  return { file, path, unlock: lock(path, file) };
};

/** What the file holds, if it is there. @throws ScenarioError for wrong content */
export const readSaved = ({ file, path }: SaveFile) =>
  existsSync(path) ? { file, content: inlineScenario(service, path) } : undefined;

export type Saved = ReturnType<typeof readSaved>;

/** A warning if a file that was there takes the place of options that were set (behaviour N1). */
export const replacedBy = (
  saved: Saved,
  { scenario, seed }: Pick<MockOptions, 'scenario' | 'seed'>,
): readonly string[] => {
  const set = Object.keys(defined({ scenario, seed }));
  if (!saved || set.length === 0) return [];
  const what = `${set.join(' and ')} ${set.length > 1 ? 'have' : 'has'} no effect`;
  return [`${what}: the mock starts with ${saved.file}, which is there already. Delete it to start anew`];
};

/** The locks of this process. Any other with its number is of an earlier process: in a container, each is process 1. */
const held = new Set<string>();

/** @returns a function that unlocks the file @throws Error if another process uses it, or the folder cannot be written to */
const lock = (path: string, file: string): (() => void) => {
  const name = `${path}.lock`;
  const draft = `${name}.${process.pid}.new`;
  try {
    if (!held.has(name) && hasEnded(name)) takeAway(name);
    writeFileSync(draft, `${process.pid} ${hostname()}\n`, { mode: 0o600 });
    linkSync(draft, name); // a whole file gets the name, so that nobody reads an empty one
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // the cast is safe: the errors of `node:fs` have a `code`
    throw new Error(
      code === 'EEXIST'
        ? `The file ${file} is in use by process ${ownerOf(name).join(' on ')}. Give this mock a file of its own, or end that process. If no mock uses the file, delete ${file}.lock.`
        : `The mock cannot save to ${file}, since it cannot write to the folder ${dirname(path)}: ${message}. Choose another file.`,
    );
  } finally {
    rmSync(draft, { force: true });
  }
  held.add(name);
  return () => {
    if (held.delete(name)) rmSync(name, { force: true });
  };
};

/** The number of the process that wrote a lock, and its host; nothing if there is no lock. */
const ownerOf = (name: string): readonly string[] => {
  try {
    return readFileSync(name, 'utf8').trim().split(' ');
  } catch {
    return []; // another process may take it away at any time
  }
};

/** Whether the process of a lock has ended. From another host or another container, nobody can tell. */
const hasEnded = (name: string): boolean => {
  const [pid, host] = ownerOf(name);
  if (host !== hostname()) return false;
  try {
    return Number(pid) === process.pid || !process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'; // `EPERM` means that another user runs the process
  }
};

/** Removes the lock of a process that has ended. If another process was quicker, the lock of that one goes back. */
const takeAway = (name: string): void => {
  const aside = `${name}.${process.pid}`;
  try {
    renameSync(name, aside);
  } catch {
    return; // another process took it away
  }
  if (hasEnded(aside)) rmSync(aside);
  else renameSync(aside, name);
};

/** Writes changed environments, at most once a second. @returns a function that writes the last changes and unlocks */
export const saveChanges = ({ file, path, unlock }: SaveFile, environments: Environments, log: Log) => {
  const seed = randomSeed(); // not the one of this run, which would draw tokens that exist already
  let written = statesOf(environments);
  let failure: string | undefined;

  /** A failure, such as a full disk, does not stop the mock. It is logged once, and the mock tries again. */
  const save = (): void => {
    try {
      replaceFile(path, formatAll(environments, seed), 0o600); // it holds credentials
      written = statesOf(environments);
      failure = undefined;
    } catch (error) {
      const message = describe(error);
      if (message !== failure) log({ event: 'not_saved', file, message });
      failure = message;
    }
  };
  /** A scenario needs an environment, so the file keeps what it had if all were deleted. */
  const mustSave = (): boolean => {
    const states = statesOf(environments);
    const isSame = states.length === written.length && states.every((one, nth) => one === written[nth]);
    return states.length > 0 && !isSame;
  };
  const look = (): void => {
    if (mustSave()) save();
    timer = setTimeout(look, PAUSE).unref();
  };
  let timer = setTimeout(look, PAUSE).unref();
  return (): void => {
    clearTimeout(timer);
    if (mustSave() || !existsSync(path)) save();
    unlock();
  };
};

const statesOf = ({ byId }: Environments): readonly unknown[] =>
  Array.from(byId.values(), (one) => [one.name, one.current, JSON.stringify(one.faults.rules())]).flat();

/** The text of the file. @throws Error if it could not be read again */
const formatAll = ({ byId, scenario: { description } }: Environments, seed: number): string => {
  const forms = Array.from(byId.values(), (environment) => {
    const { id, name, current, faults } = environment;
    const at = environment.instant();
    const clock = writeClock(current.clock, at.now);
    const content = { service, id, state: current.data, settings: current.settings, faults: faults.rules() };
    return [name, { ...(clock && { clock }), ...exportEnvironment(content, at) }];
  });
  const text = writeScenario({
    ...(description && { description }),
    seed,
    environments: Object.fromEntries(forms),
  });
  if (Buffer.byteLength(text) <= LARGEST * 2 ** 20) return text;
  throw new Error(
    `the file would be larger than ${LARGEST} MiB, and could not be loaded again. Delete environments or rows`,
  );
};
