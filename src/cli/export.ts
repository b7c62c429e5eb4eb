/** `ca-mock export`: writes an environment of a running mock as a scenario. */
import { connectMock } from '../index.ts';
import { DEFAULTS } from '../mock/options.ts';
import { writeText } from '../mock/write-text.ts';
import { writeScenario } from '../scenario/scenario-text.ts';
import type { Run } from './command.ts';
import type { EXPORT_OPTIONS } from './options.ts';

export const run: Run<typeof EXPORT_OPTIONS> = async ({ values, operands }, process) => {
  const { url = DEFAULTS.url, environment, relative, controlToken } = values;
  const [file] = operands;
  const env = await (await connectMock(url, { controlToken })).environment(environment);
  const scenario = relative ? await env.relativeScenario() : await env.scenario();
  if (file === undefined) process.stdout.write(writeScenario(scenario, 'standard output'));
  else {
    writeText(file, writeScenario(scenario, file));
    process.stdout.write(`Wrote ${env.name} to ${file}. Serve it with: ca-mock --scenario ${file}\n`);
  }
  return 0;
};
