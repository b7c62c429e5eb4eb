/** Locks a folder, so that only one process saves to it. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe } from './log.ts';

/** The lock files of this process. Any other lock file with this process's id is from a process that has ended. */
const held = new Set<string>();

/**
 * Creates a folder and locks it for this process. Ignores a lock that a killed process left behind.
 * @returns a function that unlocks the folder
 * @throws Error if another mock has locked the folder, or if files cannot be written there
 */
export const lockFolder = (folder: string): (() => void) => {
  const lock = join(folder, '.ca-mock.lock');
  const owner = ownerOf(lock);
  if (owner !== undefined)
    throw new Error(
      `The folder ${folder} is in use by process ${owner}. Give this mock a folder of its own, or end that process. If that process is not a mock, delete ${lock}.`,
    );
  try {
    makeFolder(folder);
    rmSync(lock, { force: true });
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new Error(
      `The mock cannot write to the folder ${folder}, so nothing can be saved there: ${describe(error)}`,
    );
  }
  held.add(lock);
  return () => {
    if (held.delete(lock)) rmSync(lock, { force: true });
  };
};

/** Creates a folder and its parents, without the option `recursive`, with which `mkdirSync` would hang in /proc. */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
};

/** The id of the running process that holds a lock. */
const ownerOf = (lock: string): number | undefined => {
  try {
    const owner = Number(readFileSync(lock, 'utf8'));
    const isHeld = owner === process.pid ? held.has(lock) : owner > 0 && isRunning(owner);
    return isHeld ? owner : undefined;
  } catch {
    return undefined; // there is no lock, or an unreadable one, which `lockFolder` replaces
  }
};

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // `EPERM` means that another user runs the process
  }
};
