/** The help texts, made from the tables of commands and options. */
import { flagName, type Option, type Options } from '../mock/option.ts';
import { columns } from './columns.ts';
import type { Command } from './command.ts';
import { COMMANDS, DEFAULT_COMMAND } from './commands.ts';

const PRECEDENCE = `A variable can set each flag as well: --base-url is CA_MOCK_BASE_URL. A flag overrides its
variable, a variable overrides the scenario.`;

export const helpText =
  (): string => `ca-mock: a stateful, contract-checked mock of the connected accounts API

Usage: ca-mock [COMMAND] [FLAGS]

Commands
${columns(
  [
    ...[...COMMANDS].map(([name, { operands, words }]) => [`${name} ${operands}`, words] as const),
    ['help [COMMAND]', 'this text, or the flags of a command'],
    ['completion bash|zsh|fish', 'a script that completes commands and flags in a shell'],
  ],
  '  ',
)}

Flags of start
${describe(DEFAULT_COMMAND.options)}

Also: --version, -v. The flags of another command: ca-mock help COMMAND.
${PRECEDENCE}
`;

export const commandHelp = (name: string, { operands, words, options }: Command): string => {
  const isPlain = Object.keys(options).length === 0;
  const usage = ['Usage: ca-mock', name, isPlain ? '' : '[FLAGS]', operands].filter(Boolean).join(' ');
  return `${usage}\n\n  ${words}\n${isPlain ? '' : `\nFlags\n${describe(options)}\n\n${PRECEDENCE}\n`}`;
};

const describe = (options: Options): string =>
  columns(
    Object.entries(options).map(([name, option]) => [
      spell(name, option),
      `${option.words} (default: ${option.fallback})`,
    ]),
    '  ',
  );

/** A flag as the help text shows it: `--port N, -p N`. */
const spell = (name: string, { short, placeholder }: Option<unknown>): string =>
  [flagName(name) + (short === undefined ? '' : `, -${short}`), placeholder].join(' ');
