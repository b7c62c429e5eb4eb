/** `ca-mock init`: writes a scenario to start from: a small commented scenario, or the data of a running service. */
import { writeText } from '../mock/write-text.ts';
import { initScenario } from '../scenario/init.ts';
import { readService } from '../scenario/read-service.ts';
import { loadScenario } from '../scenario/scenario.ts';
import { writeScenario } from '../scenario/scenario-text.ts';
import { UsageError } from './arguments.ts';
import type { Process, Run } from './command.ts';
import type { INIT_OPTIONS } from './options.ts';

const DEFAULT_FILE = 'ca-mock.yaml';

export const run: Run<typeof INIT_OPTIONS> = async ({ values, operands }, process) => {
  const [file = DEFAULT_FILE] = operands;
  const { from, clientId, clientSecret, anonymize: isAnonymous = false } = values;
  if (from !== undefined && (clientId === undefined || clientSecret === undefined))
    throw new UsageError('--from needs --client-id and --client-secret.');
  const service =
    from === undefined
      ? undefined
      : { url: from, clientId: clientId ?? '', clientSecret: clientSecret ?? '' };
  const text = service ? await scenarioOf(service, isAnonymous, file, process) : initScenario(file);
  writeText(file, text, 'wx');
  const flags = file === DEFAULT_FILE ? '' : ` --scenario ${file}`;
  process.stdout.write(`Wrote ${file}. Serve it with: ca-mock${flags}\n`);
  return 0;
};

const scenarioOf = async (
  service: Parameters<typeof readService>[0],
  isAnonymous: boolean,
  file: string,
  { stdout, stderr, cwd }: Process,
): Promise<string> => {
  const progress = (text: string): void => {
    if (stdout.isTTY) stderr.write(`\rReading: ${text}          `);
  };
  const scenario = await readService(service, { isAnonymous, progress });
  if (stdout.isTTY) stderr.write('\n');
  loadScenario(scenario, { fixturesDir: cwd(), workingDirectory: cwd() }); // the file must be a valid scenario
  return writeScenario(scenario, file);
};
