/** Keeps the environments of a mock in one scenario file, so that they survive a restart (`save`). */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { clearInterval, setInterval } from 'node:timers'; // these timers work even if tests replace the global timers
import { contentOf } from '../engine/control/handlers/environments.ts';
import { LARGEST, readRegularFile } from '../engine/core/files.ts';
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
import { behindLinks, replaceText, requireReplaceable } from './write-text.ts';

export type SaveFile = ReturnType<typeof openSaveFile>;

/** Locks the file. @throws Error if the path cannot be such a file, or another mock uses it */
export const openSaveFile = (file: string) => {
  requireReplaceable(file);
  const path = behindLinks(file); // so that two paths of one file have the same lock
  return { file, path, unlock: lock(path, file) };
};

/** What the file holds, if it is there. @throws ScenarioError for wrong content */
export const readSaved = ({ file, path }: SaveFile) =>
  existsSync(path) ? { file, content: inlineScenario(service, path) } : undefined;

export type Saved = NonNullable<ReturnType<typeof readSaved>>;

/** A warning if a file that was there takes the place of options that were set (behaviour N1). */
export const replacedBy = (saved: Saved | undefined, { scenario, seed }: MockOptions): readonly string[] => {
  const set = Object.keys(defined({ scenario, seed })).join(' and ');
  if (!saved || !set) return [];
  return [`No effect of ${set}: the mock starts with ${saved.file}, which is there. Delete it to start anew`];
};

/** The locks of this process. Any other with its number is of an earlier process: in a container, each is process 1. */
const held = new Set<string>();

/** @returns a function that unlocks the file @throws Error if another process uses it, or the folder cannot be written to */
const lock = (path: string, file: string): (() => void) => {
  const name = `${path}.lock`;
  try {
    if (!held.has(name) && hasEnded(ownerOf(name))) rmSync(name, { force: true });
    writeFileSync(name, `${process.pid} ${hostname()}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // the cast is safe: the errors of `node:fs` have a `code`
    throw new Error(
      code === 'EEXIST'
        ? `The file ${file} is in use by process ${ownerOf(name).join(' on ')}. Give this mock a file of its own, or end that process. If no mock uses the file, delete ${file}.lock.`
        : `The mock cannot save to ${file}, since it cannot write to the folder ${dirname(path)}: ${message}. Choose another file.`,
    );
  }
  held.add(name);
  return () => {
    if (held.delete(name)) rmSync(name, { force: true });
  };
};

/** The number of the process that wrote a lock, and its host. */
const ownerOf = (name: string): readonly string[] => {
  const read = readRegularFile(name);
  return 'bytes' in read ? read.bytes.toString().trim().split(' ') : [];
};

/** Whether the process of a lock has ended. From another host or another container, nobody can tell. */
const hasEnded = ([pid, host]: readonly string[]): boolean => {
  if (host !== hostname()) return false;
  try {
    return Number(pid) === process.pid || !process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'; // `EPERM` means that another user runs the process
  }
};

/** Writes changed environments, at most once a second. @returns a function that writes the last changes and unlocks */
export const saveChanges = ({ path, unlock }: SaveFile, environments: Environments, log: Log) => {
  const seed = randomSeed(); // not the one of this run, which would draw tokens that exist already
  let written = statesOf(environments);
  let failure: string | undefined;

  /** A failure, such as a full disk, does not stop the mock. It is logged once, and the mock tries again. */
  const save = (isMissing = false): void => {
    const states = statesOf(environments);
    const isSame = states.length === written.length && states.every((one, nth) => one === written[nth]);
    // A scenario needs an environment, so the file keeps what it had if all were deleted.
    if (!isMissing && (isSame || states.length === 0)) return;
    try {
      replaceText(path, formatAll(environments, seed), 0o600); // it holds credentials
      written = states;
      failure = undefined;
    } catch (error) {
      const message = `${describe(error)} The mock tries again.`;
      if (message !== failure) log({ event: 'not_saved', message });
      failure = message;
    }
  };
  const timer = setInterval(save, 1_000).unref();
  return (): void => {
    clearInterval(timer);
    save(!existsSync(path));
    unlock();
  };
};

const statesOf = ({ byId }: Environments): readonly unknown[] =>
  Array.from(byId.values(), (one) => [one.name, one.current]).flat();

/** The text of the file. @throws Error if it could not be read again */
const formatAll = ({ byId, scenario: { description } }: Environments, seed: number): string => {
  const forms = Array.from(byId.values(), (environment) => {
    const at = environment.instant();
    const form = exportEnvironment(contentOf(environment), at);
    return [environment.name, defined({ clock: writeClock(environment.current.clock, at.now), ...form })];
  });
  const content = { ...(description && { description }), seed, environments: Object.fromEntries(forms) };
  const text = writeScenario(content);
  if (Buffer.byteLength(text) <= LARGEST * 2 ** 20) return text;
  throw new Error(
    `The file to save to would be larger than ${LARGEST} MiB, and could not be loaded again. Delete environments or rows.`,
  );
};
