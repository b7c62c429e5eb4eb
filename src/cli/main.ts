#!/usr/bin/env node
/** The entry point of the `ca-mock` program. */
import module from 'node:module';
import { runProgram } from './program.ts';

// A failed output does not end the server. The first failure is reported, but not a pipe that its reader has closed.
process.stderr.on('error', () => {});
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE' && !isTold) process.stderr.write(`Cannot write to standard output: ${code}.\n`);
  isTold = true;
});
let isTold = false;
// From Node 22.8 on, Node can cache the compiled code for later starts.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
void runProgram(process.argv.slice(2), process).then((code) => {
  process.exitCode = code;
});
