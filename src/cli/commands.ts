/** The commands of the program. Each command loads only its own code, when it runs. */
import type { Options } from '../library/option.ts';
import { START_OPTIONS, unknownVariables } from '../library/options.ts';
import { type Process, type Run, readArguments } from './arguments.ts';
import * as options from './options.ts';

export interface CliCommand {
  /** The operands after the command's name, as the help text shows them. */
  readonly operands: string;
  readonly words: string;
  readonly options: Options;
  run(argv: readonly string[], process: Process): Promise<number>;
}

const command = <Table extends Options>(
  operands: string,
  words: string,
  table: Table,
  load: () => Promise<Run<Table>>,
): CliCommand => ({
  operands,
  words,
  options: table,
  run: async (argv, process) => {
    for (const warning of unknownVariables(process.env)) process.stderr.write(`${warning}\n`);
    const given = readArguments(argv, table, process.env, operands);
    return (await load())(given, process);
  },
});

const scenarios = () => import('./scenarios.ts');
const checks = () => import('./checks.ts');

/** The commands by name, in the order of the help text. */
const TABLE = {
  start: command(
    '',
    'serve the mock; the default command',
    START_OPTIONS,
    async () => (await import('./start.ts')).start,
  ),
  list: command('', 'list the scenarios', options.LIST_OPTIONS, async () => (await scenarios()).list),
  validate: command(
    '[FILE...]',
    'check scenario files; without FILE, ca-mock.yaml (.yml, .json) and the files in the --fixtures folder',
    options.SCENARIO_OPTIONS,
    async () => (await scenarios()).validate,
  ),
  init: command(
    '[FILE]',
    'write a small commented scenario to start from; as JSON, without comments, if FILE ends in .json',
    {},
    async () => (await scenarios()).init,
  ),
  exec: command(
    '-- COMMAND',
    'run a command with its own mock, which the command finds through CA_MOCK_URL, CA_MOCK_CLIENT_ID, ...',
    options.EXEC_OPTIONS,
    async () => (await import('./exec.ts')).exec,
  ),
  export: command(
    '[FILE]',
    'write an environment of a running mock as a scenario',
    options.EXPORT_OPTIONS,
    async () => (await scenarios()).exportRunning,
  ),
  coverage: command(
    '[URL...]',
    'show how much of the contract was covered by calls to running mocks',
    options.COVERAGE_OPTIONS,
    async () => (await checks()).printCoverage,
  ),
  verify: command(
    '',
    'run the cases of the conformance suite against a running mock or any other server',
    options.VERIFY_OPTIONS,
    async () => (await checks()).verify,
  ),
};

export const COMMANDS: ReadonlyMap<string, CliCommand> = new Map(Object.entries(TABLE));

/** The names of all commands, including `help`, which is not in `COMMANDS`. */
export const COMMAND_NAMES: readonly string[] = [...COMMANDS.keys(), 'help'];

export const DEFAULT_COMMAND = TABLE.start;
