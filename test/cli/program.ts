/** The built program for the tests of one file, and a folder for its files; both are gone when the tests end. */
import { afterAll } from '@jest/globals';
import { temporaryFolder } from '../support/folder.ts';
import { builtProgram } from '../support/program.ts';

export const program = builtProgram();

export const folder = temporaryFolder();

afterAll(() => program.stop());
