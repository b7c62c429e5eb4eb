/** Writes to a file which parts of the contract a run used. Users commit the file like a lock file. */
import { existsSync } from 'node:fs';
import { writeText } from '../mock/write-text.ts';
import { readUsed, type Used } from '../relied-on/used.ts';
import type { Process } from './command.ts';

interface UsedOptions {
  /** The file to write or to compare with. */
  readonly used?: string | undefined;
  /** Compares with the file instead of writing it. */
  readonly usedCheck?: boolean | undefined;
}

/** Writes the file, or compares it. @returns false if the comparison finds a difference @throws Unusable */
export const keepUsed = (
  used: Used,
  { used: file, usedCheck }: UsedOptions,
  stderr: Process['stderr'],
): boolean => {
  if (file === undefined) return true;
  if (!usedCheck) {
    writeText(file, `${JSON.stringify(used, null, 2)}\n`);
    return true;
  }
  const [before, after] = [existsSync(file) ? namesIn(readUsed(file)) : new Set<string>(), namesIn(used)];
  const lines = [
    ...[...after].filter((name) => !before.has(name)).map((name) => `  + ${name}\n`),
    ...[...before].filter((name) => !after.has(name)).map((name) => `  - ${name}\n`),
  ];
  if (lines.length === 0) return true;
  stderr.write(
    `\n${file} differs from what this run used; write it again without --used-check.\n${lines.join('')}`,
  );
  return false;
};

/** Each use as a line: `listConnections sends include=all`, `listConnections gets 200 connections[].id`. */
const namesIn = ({ operations }: Used): ReadonlySet<string> =>
  new Set(
    Object.entries(operations).flatMap(([operation, { sends, gets }]) => [
      ...sends.map((name) => `${operation} sends ${name}`),
      ...Object.entries(gets).flatMap(([status, names]) => [
        `${operation} gets ${status}`,
        ...names.map((name) => `${operation} gets ${status} ${name}`),
      ]),
    ]),
  );
