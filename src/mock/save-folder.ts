/** A folder to which only one process saves. Its files are complete even if the process is killed. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { monotonicNow } from '../core/clock.ts';
import { describe } from './log.ts';

/** The locks that this process holds. Other locks with its process id are left over from an earlier process. */
const own = new Set<string>();

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
  own.add(lock);
  return () => {
    if (own.delete(lock)) rmSync(lock, { force: true });
  };
};

/** With `recursive`, Node's `mkdirSync` never returns where no folder can be created, for example below /proc. */
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
    return ''; // no lock, or a lock that cannot be read, in which case writing it fails with the reason
  }
};

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // the process belongs to another user
  }
};

/**
 * Writes a temporary file and then renames it, so that the file is always complete. Only this user can read the file,
 * because it contains credentials.
 * @param unfinished the path of the temporary file
 * @throws Error if the file cannot be written. An earlier file of this name stays unchanged.
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
    await rm(unfinished, { force: true }).catch(() => {}); // frees space if the disk is full
    throw error;
  }
};

/** How many milliseconds a turn lasts. Calls have to wait this long at most. */
const TURN = 10;

/** Joins pieces into longer strings, each of which takes one turn to build. */
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
