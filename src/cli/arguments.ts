/** Reads the arguments and environment variables of a command into typed values. */
import { parseArgs } from 'node:util';
import { didYouMean } from '../engine/core/text.ts';
import {
  DEFAULTS,
  type FlagValues,
  flagName,
  type GivenText,
  type Option,
  type Options,
  readOptions,
  requireCompany,
  UsageError,
  type Variables,
  variableName,
} from '../library/option.ts';

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** The parts of the Node process that commands use. */
export interface Process {
  readonly env: Variables;
  readonly stdin?: { readonly isTTY?: boolean };
  readonly stdout: { readonly isTTY?: boolean; write(text: string): unknown };
  readonly stderr: { readonly isTTY?: boolean; write(text: string): unknown };
  once(signal: Signal, listener: () => void): unknown;
  cwd(): string;
}

/** Runs a command to its end. @returns the exit code @throws an error that the program prints as one message */
export type Run<Table extends Options> = (given: Arguments<Table>, process: Process) => Promise<number>;

interface Arguments<Table extends Options> {
  readonly values: FlagValues<Table>;
  /** All arguments except flags and their values, in order. An operand can be the path of a file, for example. */
  readonly operands: readonly string[];
  /** The names of the options that were given as flags, not by variables. */
  readonly flags: readonly string[];
}

/** The operands of `exec`, as its usage text shows them. */
const OTHER_COMMAND = '-- COMMAND';

/**
 * Reads flags and variables; a flag overrides its variable. Only a repeatable flag can appear twice.
 * @param usage the operands that the command takes, such as `[FILE]`, `[FILE...]` or `-- COMMAND`; default: none
 * @throws UsageError for an unknown or repeated flag, a missing or wrong value, a flag without another that it needs, an
 * operand that the command does not take, or a missing command after `--`
 */
export const readArguments = <Table extends Options>(
  argv: readonly string[],
  options: Table,
  variables: Variables,
  usage = '',
): Arguments<Table> => {
  const { flags, operands } = readFlags(argv, options, usage);
  requireOperands(operands, usage);
  const values = readOptions(options, variables, flags);
  requireCompany(options, values, (name) => {
    const variable = variableName(name);
    return flags.get(name)?.[0]?.where ?? (variables[variable] ? variable : flagName(name));
  });
  return { values, operands, flags: [...flags.keys()] };
};

const readFlags = (argv: readonly string[], options: Options, usage: string) => {
  const { tokens, positionals: operands } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(Object.entries(options).map(parserOption)),
    strict: false,
    tokens: true,
  });
  const flags = new Map<string, readonly GivenText[]>();
  for (const token of tokens) {
    if (token.kind === 'option-terminator') break;
    // Without `--`, `exec` would take the other command's flags for its own.
    if (token.kind === 'positional' && usage === OTHER_COMMAND) throw missingCommand();
    if (token.kind !== 'option') continue;
    const [name, option] = requireFlag(argv[token.index] ?? '', token.name, options);
    const before = flags.get(name) ?? [];
    if (before.length > 0 && !option.isRepeatable)
      throw new UsageError(`${flagName(name)} is given twice. Give it once.`);
    flags.set(name, [...before, { text: textOf(token, option), where: token.rawName }]);
  }
  return { flags, operands };
};

const parserOption = ([name, { placeholder, short }]: [string, Option<unknown>]) => {
  const type = placeholder === undefined ? ('boolean' as const) : ('string' as const);
  return [flagName(name).slice(2), { type, ...(short !== undefined && { short }) }] as const;
};

/** @param written the flag as it was typed @param read the flag that the parser read @throws UsageError for an unknown flag */
const requireFlag = (written: string, read: string, options: Options) => {
  const byFlag = new Map(Object.entries(options).map((entry) => [flagName(entry[0]), entry]));
  const flag = byFlag.get(`--${read}`);
  // `-strict` lacks a dash, so the parser reads it as the flag `-s` with the value `trict`.
  const [, long] = /^-([a-z][a-z-]+)/.exec(written) ?? [];
  if (flag && !byFlag.has(`--${long}`)) return flag;
  const [given = ''] = written.split('=');
  const known = ['--help', '--version', ...byFlag.keys()];
  const advice = given === '--url' ? ' Give the address without a flag.' : didYouMean(given, known);
  throw new UsageError(`There is no flag ${given}.${advice}`);
};

/** @throws UsageError if there are more operands than `usage` lists, or if `exec` has no command to run */
const requireOperands = (operands: readonly string[], usage: string): void => {
  if (usage === OTHER_COMMAND && operands.length === 0) throw missingCommand();
  if (usage === OTHER_COMMAND) return;
  if (operands.includes(''))
    throw new UsageError(`An argument is empty. Leave it out, or give ${usage || 'a flag'}.`);
  const extra = usage.endsWith('...]') ? undefined : operands[usage === '' ? 0 : 1];
  if (extra === undefined) return;
  const taken = usage === '' ? 'only flags; a command must be the first argument' : `only ${usage}`;
  throw new UsageError(`The argument "${extra}" is too many. The command takes ${taken}.`);
};

const missingCommand = (): UsageError =>
  new UsageError('exec needs a command after --, such as: ca-mock exec -- npm test');

type Token = Extract<NonNullable<ReturnType<typeof parseArgs>['tokens']>[number], { kind: 'option' }>;

/** The value of a flag as a string. @throws UsageError if the flag has no value but needs one */
const textOf = (
  { rawName, value, inlineValue }: Token,
  { placeholder, accepts }: Option<unknown>,
): string => {
  if (placeholder === undefined) return value ?? 'true';
  if (value === undefined || (!inlineValue && /^-\D/.test(value)))
    throw new UsageError(`${rawName} needs a value: ${accepts}.`);
  return rawName.startsWith('--') ? value : value.replace(/^=/, ''); // the parser reads `-p=4999` as `-p` and `=4999`
};

/** The address of the mock that a command reads if none is given. Says which, since any mock may listen there. */
export const defaultUrl = (usage: string, { env, stderr }: Process): string => {
  if (env.CA_MOCK_URL) return env.CA_MOCK_URL;
  stderr.write(`Reading ${DEFAULTS.url}, the default address. Another mock: ca-mock ${usage}\n`);
  return DEFAULTS.url;
};
