#!/usr/bin/env node
/** The entry point of the `ca-mock` program. */
import module from 'node:module';
import { runProgram } from './program.ts';

/** Keeps the server running when its output fails. Tells the first failure, but not a pipe that its reader has closed. */
const surviveFailedOutput = (): void => {
  let isSaid = false;
  process.stderr.on('error', () => {});
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE' && !isSaid) process.stderr.write(`Cannot write to standard output: ${code}.\n`);
    isSaid = true;
  });
};

surviveFailedOutput();
// From Node 22.8 on, Node can cache the compiled code for later starts.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
void runProgram(process.argv.slice(2), process).then((code) => {
  process.exitCode = code;
});
