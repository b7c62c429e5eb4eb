/** A folder that only one process saves to, and files in it that are whole whenever the process ends. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { monotonicNow } from '../core/clock.ts';
import { describe } from './log.ts';

/** The locks of this process. An earlier process may have had the same id and left its lock behind. */
const own = new Set<string>();

/**
 * Makes a folder and locks it for this process. Ignores a lock that a killed process left behind.
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
      `The folder ${folder} cannot be written, so nothing can be saved there: ${describe(error)}`,
    );
  }
  own.add(lock);
  return () => {
    if (own.delete(lock)) rmSync(lock, { force: true });
  };
};

/** With `recursive`, Node's own `mkdirSync` never returns where no folder can be made, such as below /proc. */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
};

/** The running process that holds a lock, if any. */
const ownerOf = (lock: string): number | undefined => {
  const owner = Number(readLock(lock));
  const isHeld = owner === process.pid ? own.has(lock) : owner > 0 && isRunning(owner);
  return isHeld ? owner : undefined;
};

const readLock = (lock: string): string => {
  try {
    return readFileSync(lock, 'utf8');
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

/**
 * Writes another file first and then renames it. Only this user may read it, because of the credentials in it.
 * @param unfinished the path of the file until it is whole
 * @throws Error if the file cannot be written; then only an earlier file of this name is left
 */
export const writeWhole = async (
  file: string,
  unfinished: string,
  pieces: Iterable<string>,
): Promise<void> => {
  try {
    await writeFile(unfinished, inTurns(pieces), { mode: 0o600, flush: true });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {}); // a full disk needs the room
    throw error;
  }
};

/** Milliseconds that a turn lasts: the longest time for which other calls wait. */
const TURN = 10;

/** Joins pieces to texts, each of which takes one turn to make. */
function* inTurns(pieces: Iterable<string>): Generator<string> {
  let text = '';
  let startedAt = monotonicNow();
  for (const piece of pieces) {
    text += piece;
    if (monotonicNow() - startedAt < TURN) continue;
    yield text;
    text = '';
    startedAt = monotonicNow();
  }
  yield text;
}
