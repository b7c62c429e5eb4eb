/** A lock file, so that two processes never save to one folder. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LOCK = '.ca-mock.lock';

/** The locks of this process. An earlier process may have had the same id and left its lock behind. */
const own = new Set<string>();

/**
 * Locks a folder for this process. Ignores a lock that a killed process left behind.
 * @returns a function that unlocks the folder
 * @throws Error if another mock has locked the folder, or if files cannot be written there
 */
export const lockFolder = (folder: string): (() => void) => {
  const file = join(folder, LOCK);
  const owner = ownerOf(file);
  if (owner !== undefined)
    throw new Error(
      `The folder ${folder} is in use by process ${owner}. Give this mock a folder of its own, or end that process. If that process is not a mock, delete ${file}.`,
    );
  rmSync(file, { force: true });
  writeFileSync(file, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
  own.add(file);
  return () => {
    if (own.delete(file)) rmSync(file, { force: true });
  };
};

/** The running process that holds a lock, if any. */
const ownerOf = (file: string): number | undefined => {
  const owner = Number(readLock(file));
  const isHeld = owner === process.pid ? own.has(file) : owner > 0 && isRunning(owner);
  return isHeld ? owner : undefined;
};

const readLock = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // no lock, or an unreadable one: then writing the lock fails with the reason
  }
};

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // another user runs the process
  }
};
