#!/usr/bin/env node
/** The entry of `ca-mock`. */
import module from 'node:module';
import { runProgram } from './program.ts';

/**
 * Keeps the server running if its reader closes the pipe after the ready line or the disk is full. Reports it once,
 * if it still can.
 */
const surviveFailedOutput = (): void => {
  let isSaid = false;
  process.stderr.on('error', () => {});
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE' && !isSaid) process.stderr.write(`Standard output cannot be written: ${code}.\n`);
    isSaid = true;
  });
};

surviveFailedOutput();
// From Node 22.8 on, later starts reuse what the first one compiled.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
void runProgram(process.argv.slice(2), process).then((code) => {
  process.exitCode = code;
});
