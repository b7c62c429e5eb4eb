/** Writes a large file while calls go on, so that it is whole whenever the process ends. */
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { monotonicNow } from '../core/clock.ts';

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
  const handle = await open(unfinished, 'w', 0o600);
  try {
    await writeTo(handle, inTurns(pieces));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }); // a full disk needs the room
    throw error;
  }
};

const writeTo = async (handle: FileHandle, texts: Iterable<string>): Promise<void> => {
  try {
    for (const text of texts) await handle.appendFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** How many milliseconds a turn lasts: other calls wait for so long at most. */
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
