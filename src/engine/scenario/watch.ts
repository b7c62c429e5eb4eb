/** Notices when a scenario's files change (`--watch`). */
import { createHash } from 'node:crypto';
import { existsSync, realpathSync, watch } from 'node:fs';
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
  let watched = files;
  let seen = fingerprint(files);
  const check = (): void => {
    if (fingerprint(watched) === seen) return;
    const next = onChange();
    seen = next ? fingerprint(next) : ''; // '' differs from every fingerprint, so the next change calls `onChange` again
    if (!next) return;
    stop();
    watched = next;
    stop = watchFolders(watched, check);
  };
  let stop = watchFolders(files, check);
  return () => stop();
};

/** Calls `onSettled` some time after the last of several changes. @returns a function that stops watching */
const watchFolders = (files: readonly string[], onSettled: () => void): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onSettled, SETTLING).unref();
  };
  // The folder of a symbolic link shows no change of the file that the link leads to.
  const targets = files.filter((file) => existsSync(file)).map((file) => realpathSync(file));
  const folders = new Set([...files, ...targets].map(dirname));
  const watchers = Array.from(folders, (folder) => watch(folder, { persistent: false }, later));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
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
