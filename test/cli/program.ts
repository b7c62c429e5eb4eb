/** The built program for the tests of one file, and a folder for its files; both are gone when the tests end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { builtProgram } from '../support/program.ts';

export const program = builtProgram();

export const folder = mkdtempSync(join(tmpdir(), 'ca-mock-'));

afterAll(async () => {
  await program.stop();
  rmSync(folder, { recursive: true });
});
