/** The whole program: runs the command, prints help, and turns an error into a message and an exit code. */
import { packageVersion } from '../engine/contract/package-root.ts';
import { Unusable } from '../engine/core/errors.ts';
import { columns, didYouMean } from '../engine/core/text.ts';
import { MockError } from '../library/given.ts';
import { describe } from '../library/log.ts';
import { flagName, type Options, UsageError } from '../library/option.ts';
import type { Process } from './arguments.ts';
import { type CliCommand, COMMAND_NAMES, COMMANDS, DEFAULT_COMMAND } from './commands.ts';

/** @returns the exit code: 2 if the command line is wrong, or refers to a file or address that cannot be used */
export const runProgram = async (argv: readonly string[], process: Process): Promise<number> => {
  try {
    return await runCommand(argv, process);
  } catch (error) {
    const message = describe(error);
    const isUsage = error instanceof UsageError;
    process.stderr.write(
      isUsage
        ? `ca-mock: ${message}\nCommands and flags: ca-mock help, ca-mock help COMMAND\n`
        : `${message}\n`,
    );
    const isUnreachable = error instanceof MockError && error.code === 'UNREACHABLE';
    return isUsage || isUnreachable || error instanceof Unusable ? 2 : 1;
  }
};

const runCommand = async (argv: readonly string[], process: Process): Promise<number> => {
  const [first = '', second, third] = argv;
  const named = first.startsWith('-') ? '' : first;
  const own = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined); // after `--`, flags belong to another program
  const isAsked = (...flags: readonly string[]): boolean => own.some((argument) => flags.includes(argument));
  const print = (text: string): number => {
    process.stdout.write(text);
    return 0;
  };
  if (named === 'help' && third !== undefined)
    throw new UsageError(`The argument "${third}" is too many. The command takes only [COMMAND].`);
  if (named === 'help') return print(helpOn(second));
  if (isAsked('--help', '-h')) return print(helpOn(named));
  if (isAsked('--version', '-v')) return print(`${packageVersion()}\n`);
  return named === '' ? DEFAULT_COMMAND.run(argv, process) : findCommand(named).run(argv.slice(1), process);
};

const helpOn = (name = ''): string =>
  /^(help|--?h(elp)?)?$/.test(name) ? helpText() : commandHelp(name, findCommand(name));

const findCommand = (name: string): CliCommand => {
  const command = COMMANDS.get(name);
  if (command) return command;
  throw new UsageError(`There is no command "${name}".${adviceFor(name)}`);
};

/** Advice for an unknown command, which can be a scenario file, or a flag without dashes. */
const adviceFor = (name: string): string => {
  if (/\.(ya?ml|json)$/i.test(name)) return ` To serve a scenario: ca-mock --scenario ${name}`;
  if (name === 'version') return ' Did you mean "--version"?';
  return didYouMean(name, COMMAND_NAMES);
};

// The help texts, made from the tables of commands and options.

const PRECEDENCE = `Environment variables can set flags as well: CA_MOCK_BASE_URL sets --base-url. A flag overrides its
variable, and a variable overrides the scenario.`;

const helpText = (): string => `ca-mock: a stateful, contract-checked mock of the connected accounts API

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
${describeFlags(DEFAULT_COMMAND.options)}

Also: --version, -v. For the flags of another command: ca-mock help COMMAND.
${PRECEDENCE}
`;

const commandHelp = (name: string, { operands, words, options }: CliCommand): string => {
  const usage = `Usage: ca-mock ${name} [FLAGS] ${operands}`.trimEnd();
  return `${usage}\n\n  ${words}\n\nFlags\n${describeFlags(options)}\n\n${PRECEDENCE}\n`;
};

/** A line for each flag, such as `--port N, -p N`. */
const describeFlags = (options: Options): string => {
  const rows = Object.entries(options).map(([name, { short, placeholder, words, fallback }]) => {
    const flag = flagName(name) + (short === undefined ? '' : `, -${short}`);
    return [[flag, placeholder].join(' '), `${words} (default: ${fallback})`] as const;
  });
  return columns(rows, '  ');
};
