/** The commands of the program, one file each. */
import { START_OPTIONS } from '../mock/options.ts';
import { type Command, command } from './command.ts';
import {
  COVERAGE_OPTIONS,
  DIFF_OPTIONS,
  EXEC_OPTIONS,
  EXPORT_OPTIONS,
  INIT_OPTIONS,
  LIST_OPTIONS,
  SCENARIO_OPTIONS,
  VERIFY_OPTIONS,
} from './options.ts';

/** The commands by name, in the order of the help text. */
const TABLE = {
  start: command('', 'serve the mock; the default command', START_OPTIONS, () => import('./start.ts')),
  list: command('', 'list the scenarios', LIST_OPTIONS, () => import('./list.ts')),
  validate: command(
    '[FILE...]',
    'check scenario files; by default yours and the folder of --fixtures',
    SCENARIO_OPTIONS,
    () => import('./validate.ts'),
  ),
  init: command(
    '[FILE]',
    'write a small commented scenario to start from; as JSON, without comments, if FILE ends in .json',
    INIT_OPTIONS,
    () => import('./init.ts'),
  ),
  exec: command(
    '-- COMMAND',
    'run a command with a mock of its own; the command finds it by CA_MOCK_URL, CA_MOCK_CLIENT_ID, ...',
    EXEC_OPTIONS,
    () => import('./exec.ts'),
  ),
  export: command(
    '[FILE]',
    'write an environment of a running mock as a scenario',
    EXPORT_OPTIONS,
    () => import('./export.ts'),
  ),
  coverage: command(
    '[URL...]',
    'show which part of the contract was called on running mocks',
    COVERAGE_OPTIONS,
    () => import('./coverage.ts'),
  ),
  verify: command(
    '',
    'run the conformance suite against a server, this mock or another',
    VERIFY_OPTIONS,
    () => import('./verify.ts'),
  ),
  diff: command(
    'USED OPENAPI',
    'show what another version of the contract breaks for an application; OPENAPI is a file or an address',
    DIFF_OPTIONS,
    () => import('./diff.ts'),
  ),
};

export const COMMANDS: ReadonlyMap<string, Command> = new Map(Object.entries(TABLE));

export const DEFAULT_COMMAND = TABLE.start;
