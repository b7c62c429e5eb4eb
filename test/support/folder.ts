/** Folders for the files of tests. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Makes an empty folder. It is removed after the tests of the test file. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'ca-mock-'));
  folders.push(folder);
  return folder;
};

/** Makes a named pipe, which nobody writes to. */
export const makeFifo = (): string => {
  const path = join(temporaryFolder(), 'fifo');
  execFileSync('mkfifo', [path]);
  return path;
};
