/** Folders for the files of tests. */
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
