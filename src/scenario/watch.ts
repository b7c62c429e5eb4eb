/** Notices when a scenario's files change (`--watch`). */
import { createHash } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import { readScenarioFile } from './source.ts';

/** How many milliseconds to wait for further changes, since editors write a file in several steps. */
const SETTLING = 50;

/**
 * Calls `onChange` when the content of the files has changed. Watches folders, not files, since many editors replace
 * the file. While the scenario cannot be loaded, watches every file in the folders, since the corrected scenario could
 * read any of them. Watching does not keep the process alive.
 * @param onChange reloads the files; returns the files to watch from then on, or undefined if loading failed
 * @returns a function that stops watching
 */
export const watchFiles = (
  files: readonly string[],
  onChange: () => readonly string[] | undefined,
): (() => void) => {
  let watched: readonly string[];
  let seen: string;
  let isBroken = false;
  let timer: NodeJS.Timeout | undefined;
  let watchers: readonly FSWatcher[] = [];
  const end = (): void => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
  const check = (): void => {
    const now = fingerprint(watched);
    if (now === seen && !isBroken) return;
    seen = now;
    const next = onChange();
    isBroken = next === undefined;
    if (next === undefined) return;
    end();
    begin(next);
  };
  const begin = (next: readonly string[]): void => {
    watched = next;
    seen = fingerprint(next);
    const folders = [...new Set(watched.map(dirname))];
    watchers = folders.map((folder) =>
      watch(folder, { persistent: false }, () => {
        clearTimeout(timer);
        timer = setTimeout(check, SETTLING).unref();
      }),
    );
  };
  begin(files);
  return end;
};

/** A hash of the content of the files. For a file that cannot be read, the hash covers the error instead. */
const fingerprint = (files: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const file of files) {
    const read = readScenarioFile(file);
    hash.update(`${file}\0`).update('bytes' in read ? read.bytes : read.problem);
  }
  return hash.digest('hex');
};
