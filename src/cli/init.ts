/** `ca-mock init`: a scenario of one's own to start from. */
import { writeText } from '../mock/write-text.ts';
import { initScenario } from '../scenario/init.ts';
import type { Run } from './command.ts';

const DEFAULT_FILE = 'ca-mock.yaml';

export const run: Run<Record<never, never>> = async ({ operands }, process) => {
  const [file = DEFAULT_FILE] = operands;
  writeText(file, initScenario(file), 'wx');
  const flags = file === DEFAULT_FILE ? '' : ` --scenario ${file}`;
  process.stdout.write(`Wrote ${file}. Serve it with: ca-mock${flags}\n`);
  return 0;
};
