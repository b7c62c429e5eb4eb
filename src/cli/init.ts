/** `ca-mock init`: a scenario of one's own to start from. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { initScenario } from '../scenario/init.ts';
import type { Run } from './command.ts';

const DEFAULT_FILE = 'ca-mock.yaml';

export const run: Run<Record<never, never>> = async ({ operands }, process) => {
  const [file = DEFAULT_FILE] = operands;
  writeNew(resolve(process.cwd(), file), file);
  const flags = file === DEFAULT_FILE ? '' : ` --scenario ${file}`;
  process.stdout.write(`Wrote ${file}. Serve it with: ca-mock${flags}\n`);
  return 0;
};

/** @throws Error if there is something already, or the folder is missing */
const writeNew = (path: string, shown: string): void => {
  try {
    writeFileSync(path, initScenario(path), { flag: 'wx' });
  } catch (error) {
    throw new Error(explain(error, shown), { cause: error });
  }
};

const explain = (error: unknown, file: string): string => {
  const { code } = error as NodeJS.ErrnoException; // what the file system throws
  if (code === 'EEXIST')
    return `${file} exists already and is left as it is. Name another file: ca-mock init FILE`;
  if (code === 'ENOENT') return `${file} cannot be written: there is no such folder. Make it first.`;
  return `${file} cannot be written: ${code}.`;
};
