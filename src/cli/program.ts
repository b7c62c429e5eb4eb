/** The whole program: runs the command, and turns an error into a message and an exit code. */
import { Unusable } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { describe } from '../mock/log.ts';
import { MockError } from '../mock/mock-error.ts';
import { packageVersion } from '../openapi/package-root.ts';
import { UsageError } from './arguments.ts';
import type { Command, Process } from './command.ts';
import { COMMANDS, DEFAULT_COMMAND } from './commands.ts';

/** @returns the exit code */
export const runProgram = async (argv: readonly string[], process: Process): Promise<number> => {
  try {
    return await runCommand(argv, process);
  } catch (error) {
    const message = describe(error);
    process.stderr.write(
      error instanceof UsageError
        ? `ca-mock: ${message}\nCommands and flags: ca-mock help, ca-mock help COMMAND\n`
        : `${message}\n`,
    );
    return exitCodeOf(error);
  }
};

const runCommand = async (argv: readonly string[], process: Process): Promise<number> => {
  const [first] = argv;
  const named = first === undefined || first.startsWith('-') ? undefined : first;
  const own = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined); // the arguments that follow belong to another program
  if (named === 'help') return showHelp(argv[1], process);
  if (named === 'completion') return showCompletion(argv[1], process);
  if (own.some((argument) => argument === '--help' || argument === '-h')) return showHelp(named, process);
  if (own.some((argument) => argument === '--version' || argument === '-v')) {
    process.stdout.write(`${packageVersion()}\n`);
    return 0;
  }
  return named === undefined
    ? DEFAULT_COMMAND.run(argv, process)
    : findCommand(named).run(argv.slice(1), process);
};

const showHelp = async (name: string | undefined, process: Process): Promise<number> => {
  const { commandHelp, helpText } = await import('./help.ts');
  const isOfAll = name === undefined || name === 'help';
  process.stdout.write(isOfAll ? helpText() : commandHelp(name, findCommand(name)));
  return 0;
};

const showCompletion = async (shell: string | undefined, process: Process): Promise<number> => {
  const { completionScript } = await import('./completion.ts');
  process.stdout.write(completionScript(shell));
  return 0;
};

const findCommand = (name: string): Command => {
  const command = COMMANDS.get(name);
  if (command) return command;
  throw new UsageError(`There is no command "${name}".${adviceFor(name)}`);
};

/** Guesses what the user meant: a scenario file, or a flag without its dashes. */
const adviceFor = (name: string): string => {
  if (/\.(ya?ml|json)$/i.test(name)) return ` To serve a scenario: ca-mock --scenario ${name}`;
  if (name === 'version') return ' Did you mean "--version"?';
  return didYouMean(name, [...COMMANDS.keys(), 'help', 'completion']);
};

/** The exit code is 2 if the command line is wrong, or names a file or an address that cannot be used. */
const exitCodeOf = (error: unknown): number => {
  const isUnusable =
    error instanceof UsageError ||
    error instanceof Unusable ||
    (error instanceof MockError && error.code === 'UNREACHABLE');
  return isUnusable ? 2 : 1;
};
