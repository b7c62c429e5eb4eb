/** Locks a file, so that only one process writes it. */
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** The locks of this process. Any other lock with this process's id is from a process that has ended. */
const held = new Set<string>();

/**
 * Locks a file for this process. Takes over a lock that a killed process left behind.
 * @returns a function that unlocks the file
 * @throws Error if a running process has locked the file, or if nothing can be written next to it
 */
export const lockFile = (file: string): (() => void) => {
  const lock = `${file}.lock`;
  const own = `${lock}.${process.pid}`;
  try {
    writeFileSync(own, `${process.pid}\n`, { mode: 0o600 });
    if (!isLinked(own, lock)) takeOver(own, lock, file);
  } finally {
    rmSync(own, { force: true });
  }
  held.add(lock);
  return () => {
    if (held.delete(lock)) rmSync(lock, { force: true });
  };
};

/** Gives a complete file a second name: nobody sees an empty lock, and one process succeeds; false if the name is taken. */
const isLinked = (file: string, name: string): boolean => {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

/**
 * Replaces a lock whose process has ended. Only the process that holds the second lock may do this: otherwise it could
 * delete the lock of a process that replaced the old lock a moment ago.
 */
const takeOver = (own: string, lock: string, file: string): void => {
  requireEnded(lock, file);
  const second = `${lock}.takeover`;
  if (!isLinked(own, second)) throw inUse(file, ownerOf(second));
  try {
    requireEnded(lock, file); // again, since the lock may have been replaced before this process had the second lock
    rmSync(lock, { force: true });
    if (!isLinked(own, lock)) throw inUse(file, ownerOf(lock));
  } finally {
    rmSync(second, { force: true });
  }
};

const requireEnded = (lock: string, file: string): void => {
  const owner = ownerOf(lock);
  if (owner === process.pid ? held.has(lock) : isRunning(owner)) throw inUse(file, owner);
};

const inUse = (file: string, owner: number): Error =>
  new Error(
    `The file ${file} is in use by process ${owner}. Give this mock a file of its own, or end that process. If no mock uses the file, delete ${file}.lock and ${file}.lock.takeover.`,
  );

/** The id of the process that wrote a lock; 0 if the lock is gone or holds something else. */
const ownerOf = (lock: string): number => {
  try {
    return Number(readFileSync(lock, 'utf8')) || 0;
  } catch {
    return 0;
  }
};

const isRunning = (id: number): boolean => {
  try {
    return id > 0 && process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // `EPERM` means that another user runs the process
  }
};
