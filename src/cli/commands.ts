/** The commands of the program, one file each. */
import { START_OPTIONS } from '../mock/options.ts';
import type { Command } from './command.ts';
import { LIST_OPTIONS, SCENARIO_OPTIONS, VERIFY_OPTIONS } from './options.ts';

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
      words: 'check scenario files; without any, all there are',
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
    verify: {
      operands: '',
      words: 'run the conformance suite against a server, this mock or another',
      options: VERIFY_OPTIONS,
      load: async () => (await import('./verify.ts')).verify,
    },
  }),
);
