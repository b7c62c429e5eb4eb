/** Notices when a scenario's files change (`--watch`). */
import { createHash } from 'node:crypto';
import { existsSync, type FSWatcher, realpathSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { readRegularFile } from '../core/files.ts';

/** How many milliseconds to wait for further changes, since editors write a file in several steps. */
const SETTLING = 50;

/**
 * Calls `onChange` when the content of the files has changed. Watches their folders, since many editors save a file by
 * replacing it. After a failed load, calls `onChange` when any file in these folders changes, since the change could
 * correct the error. Watching does not keep the process alive.
 * @param onChange reloads the files; returns the files to watch from then on, or undefined if loading failed
 * @returns a function that stops watching
 */
export const watchFiles = (
  files: readonly string[],
  onChange: () => readonly string[] | undefined,
): (() => void) => {
  let [watched, seen] = [files, fingerprint(files)];
  let timer: NodeJS.Timeout | undefined;
  let watchers: readonly FSWatcher[] = [];
  const stop = (): void => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(check, SETTLING).unref();
  };
  const check = (): void => {
    if (fingerprint(watched) === seen) return;
    const next = onChange();
    seen = next ? fingerprint(next) : ''; // '' differs from every fingerprint, so the next change calls `onChange` again
    if (!next) return;
    stop();
    watched = next;
    watchers = foldersOf(next).map((folder) => watch(folder, { persistent: false }, later));
  };
  watchers = foldersOf(files).map((folder) => watch(folder, { persistent: false }, later));
  return stop;
};

/** The folders of files, and of those that symbolic links lead to: the folder of a link shows no change of its file. */
const foldersOf = (files: readonly string[]): readonly string[] => {
  const targets = files.filter((file) => existsSync(file)).map((file) => realpathSync(file));
  return [...new Set([...files, ...targets].map((file) => dirname(file)))];
};

/** A hash of the content of the files or, for a file that cannot be read, of the reason. */
const fingerprint = (files: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const file of files) {
    const read = readRegularFile(file);
    hash.update(`${file}\0`).update('bytes' in read ? read.bytes : read.problem);
  }
  return hash.digest('hex');
};
