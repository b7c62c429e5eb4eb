/** The built program for the tests of one file, and a folder for its files; both are gone when the tests end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, jest } from '@jest/globals';
import { builtProgram } from '../support/program.ts';

jest.setTimeout(30_000); // the tests start other processes, on a machine that may be busy

export const program = builtProgram();

export const folder = mkdtempSync(join(tmpdir(), 'ca-mock-'));

afterAll(async () => {
  await program.stop();
  rmSync(folder, { recursive: true });
});
