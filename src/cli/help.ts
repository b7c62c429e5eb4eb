/** The help texts, made from the tables of commands and options. */
import { columns } from '../engine/core/text.ts';
import { flagName, type Options } from '../library/option.ts';
import { type CliCommand, COMMANDS, DEFAULT_COMMAND } from './commands.ts';

const PRECEDENCE = `Environment variables can set flags as well: CA_MOCK_BASE_URL sets --base-url. A flag overrides its
variable, and a variable overrides the scenario.`;

export const helpText =
  (): string => `ca-mock: a stateful, contract-checked mock of the connected accounts API

Usage: ca-mock [COMMAND] [FLAGS]

Commands
${columns(
  [
    ...Array.from(COMMANDS, ([name, { operands, words }]) => [`${name} ${operands}`, words] as const),
    ['help [COMMAND]', 'show this text, or the flags of a command'],
  ],
  '  ',
)}

Flags of start
${describe(DEFAULT_COMMAND.options)}

Also: --version, -v. For the flags of another command: ca-mock help COMMAND.
${PRECEDENCE}
`;

export const commandHelp = (name: string, { operands, words, options }: CliCommand): string => {
  const usage = `Usage: ca-mock ${name} [FLAGS] ${operands}`.trimEnd();
  return `${usage}\n\n  ${words}\n\nFlags\n${describe(options)}\n\n${PRECEDENCE}\n`;
};

/** A line for each flag, such as `--port N, -p N`. */
const describe = (options: Options): string => {
  const rows = Object.entries(options).map(([name, { short, placeholder, words, fallback }]) => {
    const flag = flagName(name) + (short === undefined ? '' : `, -${short}`);
    return [[flag, placeholder].join(' '), `${words} (default: ${fallback})`] as const;
  });
  return columns(rows, '  ');
};
