/** Reads the arguments and environment variables of a process as typed values. A flag overrides its variable. */
import { parseArgs } from 'node:util';
import { didYouMean } from '../core/nearest.ts';
import {
  type FlagValues,
  flagName,
  type Option,
  type Options,
  showValue,
  variableName,
} from '../mock/option.ts';

/** An error in the command line. The program prints it, refers to the help text, and exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Arguments<Table extends Options> {
  readonly values: FlagValues<Table>;
  /** The arguments that are not flags, in order. */
  readonly operands: readonly string[];
}

/** The usage of a command that runs another program. */
const OTHER_COMMAND = '-- COMMAND';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * @param usage the operands that the command takes, such as `[FILE]`, `[FILE...]` or `-- COMMAND`; default: none
 * @throws UsageError if a flag does not exist, has no value or a wrong value, or needs another flag; or if the command
 * does not take an operand
 */
export const readArguments = <Table extends Options>(
  argv: readonly string[],
  options: Table,
  variables: Variables,
  usage = '',
): Arguments<Table> => {
  const { given, operands } = readTexts(argv, options, usage);
  for (const [name, option] of Object.entries(options))
    if (!given.has(name)) given.set(name, readVariable(name, option, variables));
  const values = Object.entries(options).flatMap(([name, option]) => {
    const [first, ...more] = given.get(name) ?? [];
    if (!first) return [];
    if (option.needs !== undefined && !given.get(option.needs)?.length)
      throw new UsageError(`${first.where} needs ${flagName(option.needs)} as well.`);
    return [[name, readValue(option, [first, ...more])]];
  });
  // The option of the same name has parsed each value, so the type is right.
  return { values: Object.fromEntries(values) as FlagValues<Table>, operands };
};

/** A text that the user gave, and its flag or variable: `--port`, `-p` or `CA_MOCK_PORT`. */
interface GivenText {
  readonly text: string;
  readonly where: string;
}

/** The operands, and the texts of each flag, by the name of its option. */
const readTexts = (argv: readonly string[], options: Options, usage: string) => {
  const { tokens, positionals } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      Object.entries(options).map(([name, option]) => [flagName(name).slice(2), parserOption(option)]),
    ),
    strict: false,
    tokens: true,
  });
  const given = new Map<string, readonly GivenText[]>();
  for (const token of tokens) {
    if (token.kind === 'option-terminator') break;
    if (token.kind === 'positional') {
      if (usage === OTHER_COMMAND) throw missingCommand(); // the next flags are not ours
      continue;
    }
    const written = argv[token.index] ?? token.rawName;
    const found = findOption(token.name, options);
    if (!found || isLongWithOneDash(written, options)) throw unknownFlag(written, options);
    const [name, option] = found;
    const before = given.get(name) ?? [];
    given.set(name, [...before, { text: textOf(token, option), where: token.rawName }]);
  }
  requireOperands(positionals, usage);
  return { given, operands: positionals };
};

const parserOption = ({ placeholder, short }: Option<unknown>) => ({
  type: placeholder === undefined ? ('boolean' as const) : ('string' as const),
  ...(short !== undefined && { short }),
});

/** @throws UsageError for the first operand that the command does not take, or if the command to run is missing */
const requireOperands = (operands: readonly string[], usage: string): void => {
  if (usage === OTHER_COMMAND && operands.length === 0) throw missingCommand();
  const isAnyNumber = usage === OTHER_COMMAND || usage.endsWith('...]');
  const extra = isAnyNumber ? undefined : operands[usage.split(' ').filter(Boolean).length];
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}". Commands come first.`);
};

const missingCommand = (): UsageError =>
  new UsageError('exec needs a command after --, such as: ca-mock exec -- npm test');

/** @param flag the name without dashes */
const findOption = (flag: string, options: Options) =>
  Object.entries(options).find(([name]) => flagName(name) === `--${flag}`);

/** Whether a flag such as `-strict` lacks a dash. The parser would take it for `-s trict`. */
const isLongWithOneDash = (written: string, options: Options): boolean =>
  findOption(/^-([a-z][a-z-]+)/.exec(written)?.[1] ?? '', options) !== undefined;

const LOOKS_LIKE_A_FLAG = /^-\D/;

interface Token {
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

const textOf = (
  { rawName, value, inlineValue }: Token,
  { placeholder, accepts }: Option<unknown>,
): string => {
  if (placeholder === undefined) return value ?? 'true';
  if (value === undefined || (!inlineValue && LOOKS_LIKE_A_FLAG.test(value)))
    throw new UsageError(`${rawName} needs a value: ${accepts}.`);
  return rawName.startsWith('--') ? value : value.replace(/^=/, ''); // the parser reads `-p=4999` as `-p` and `=4999`
};

const unknownFlag = (written: string, options: Options): UsageError => {
  const [flag = ''] = written.split('=');
  const known = ['help', 'version', ...Object.keys(options)].map(flagName);
  return new UsageError(`There is no flag ${flag}.${didYouMean(flag, known)}`);
};

/** An empty variable counts as not set. */
const readVariable = (
  name: string,
  { isRepeatable }: Option<unknown>,
  variables: Variables,
): readonly GivenText[] => {
  const where = variableName(name);
  const text = variables[where];
  if (!text) return [];
  return (isRepeatable ? text.split(',') : [text]).map((one) => ({ text: one, where }));
};

/** If a flag is written twice, the last value counts; a repeatable flag keeps all. */
const readValue = (option: Option<unknown>, given: readonly GivenText[]): unknown => {
  const values = given.map((one) => requireValue(option, one));
  return option.isRepeatable ? values.flat() : values.at(-1);
};

const requireValue = (option: Option<unknown>, { text, where }: GivenText): unknown => {
  const { read, accepts, isSecret, placeholder } = option;
  const value = read(text);
  if (value !== undefined) return value;
  const meant = isSecret ? '' : didYouMean(text, placeholder?.split('|') ?? []);
  throw new UsageError(`${where} does not accept ${showValue(option, text)}. It takes ${accepts}.${meant}`);
};
