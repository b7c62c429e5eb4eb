/** Noticing that a scenario's files have changed (`--watch`). */
import { createHash } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import { readScenarioFile } from './source.ts';

/** An editor writes in several steps; they count as one change. Milliseconds. */
const SETTLING = 50;

/**
 * Calls `onChange` when the content of the files has changed. It watches folders, not files, since many editors replace
 * the file. While the scenario cannot be loaded, every file in the folders counts, since nobody knows which files the
 * next attempt will read. Does not keep the process alive.
 * @param onChange reads them again: the files to watch from then on, or undefined if they could not be loaded
 * @returns ends it
 */
export const watchFiles = (
  files: readonly string[],
  onChange: () => readonly string[] | undefined,
): (() => void) => {
  let watched = files;
  let seen = fingerprint(files);
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
    watched = next;
    seen = fingerprint(next);
    end();
    begin();
  };
  const begin = (): void => {
    const folders = [...new Set(watched.map(dirname))];
    watchers = folders.map((folder) =>
      watch(folder, { persistent: false }, () => {
        clearTimeout(timer);
        timer = setTimeout(check, SETTLING).unref();
      }),
    );
  };
  begin();
  return end;
};

/** A hash of the files. For an unreadable file it takes the reason instead. */
const fingerprint = (files: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const file of files) {
    const read = readScenarioFile(file);
    hash
      .update(file)
      .update('\0')
      .update('bytes' in read ? read.bytes : read.problem);
  }
  return hash.digest('hex');
};
