/** The commands of the program, one file each. */
import { START_OPTIONS } from '../mock/options.ts';
import type { Command } from './command.ts';
import {
  COVERAGE_OPTIONS,
  EXEC_OPTIONS,
  EXPORT_OPTIONS,
  LIST_OPTIONS,
  SCENARIO_OPTIONS,
  VERIFY_OPTIONS,
} from './options.ts';

export const DEFAULT_COMMAND = 'start';

/** By name, in the order of the help text. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    start: {
      operands: '',
      words: 'serve the mock; the default command',
      options: START_OPTIONS,
      load: async () => (await import('./start.ts')).start,
    },
    list: {
      operands: '',
      words: 'the scenarios there are, a line each',
      options: LIST_OPTIONS,
      load: async () => (await import('./list.ts')).list,
    },
    validate: {
      operands: '[FILE...]',
      words: 'check scenario files; without any, yours and those of --fixtures',
      options: SCENARIO_OPTIONS,
      load: async () => (await import('./validate.ts')).validate,
    },
    init: {
      operands: '[FILE]',
      words:
        'write a small commented scenario to start from; as JSON, without comments, if FILE ends in .json',
      options: {},
      load: async () => (await import('./init.ts')).init,
    },
    exec: {
      operands: '-- COMMAND',
      words: 'run a command with a mock of its own, which it finds in CA_MOCK_URL, CA_MOCK_CLIENT_ID, ...',
      options: EXEC_OPTIONS,
      load: async () => (await import('./exec.ts')).exec,
    },
    export: {
      operands: '[FILE]',
      words: 'write an environment of a running mock as a scenario',
      options: EXPORT_OPTIONS,
      load: async () => (await import('./export.ts')).exportScenario,
    },
    coverage: {
      operands: '[URL...]',
      words: 'what of the contract was called on running mocks',
      options: COVERAGE_OPTIONS,
      load: async () => (await import('./coverage.ts')).coverage,
    },
    verify: {
      operands: '',
      words: 'run the conformance suite against a server, this mock or another',
      options: VERIFY_OPTIONS,
      load: async () => (await import('./verify.ts')).verify,
    },
  }),
);
