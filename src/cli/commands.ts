/** The commands of the program, one file each. */
import { START_OPTIONS } from '../mock/options.ts';
import { type Command, command } from './command.ts';
import {
  COVERAGE_OPTIONS,
  EXEC_OPTIONS,
  EXPORT_OPTIONS,
  LIST_OPTIONS,
  SCENARIO_OPTIONS,
  VERIFY_OPTIONS,
} from './options.ts';

/** By name, in the order of the help text. */
const TABLE = {
  start: command(
    '',
    'serve the mock; the default command',
    START_OPTIONS,
    async () => (await import('./start.ts')).start,
  ),
  list: command(
    '',
    'the scenarios there are, a line each',
    LIST_OPTIONS,
    async () => (await import('./list.ts')).list,
  ),
  validate: command(
    '[FILE...]',
    'check scenario files; without any, yours and those of --fixtures',
    SCENARIO_OPTIONS,
    async () => (await import('./validate.ts')).validate,
  ),
  init: command(
    '[FILE]',
    'write a small commented scenario to start from; as JSON, without comments, if FILE ends in .json',
    {},
    async () => (await import('./init.ts')).init,
  ),
  exec: command(
    '-- COMMAND',
    'run a command with a mock of its own, which it finds in CA_MOCK_URL, CA_MOCK_CLIENT_ID, ...',
    EXEC_OPTIONS,
    async () => (await import('./exec.ts')).exec,
  ),
  export: command(
    '[FILE]',
    'write an environment of a running mock as a scenario',
    EXPORT_OPTIONS,
    async () => (await import('./export.ts')).exportScenario,
  ),
  coverage: command(
    '[URL...]',
    'what of the contract was called on running mocks',
    COVERAGE_OPTIONS,
    async () => (await import('./coverage.ts')).coverage,
  ),
  verify: command(
    '',
    'run the conformance suite against a server, this mock or another',
    VERIFY_OPTIONS,
    async () => (await import('./verify.ts')).verify,
  ),
};

export const COMMANDS: ReadonlyMap<string, Command> = new Map(Object.entries(TABLE));

export const DEFAULT_COMMAND = TABLE.start;
