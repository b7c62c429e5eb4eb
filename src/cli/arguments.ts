/** From the arguments and environment variables of a process to typed values: flag, then variable. */
import { parseArgs } from 'node:util';
import { didYouMean } from '../core/nearest.ts';
import type { Flag, Flags, FlagValues } from './flag.ts';
import { UsageError } from './usage-error.ts';

export interface Arguments<Table extends Flags> {
  readonly values: FlagValues<Table>;
  /** What is no flag, in order. */
  readonly operands: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/** @throws UsageError for a flag that does not exist, lacks its value, or has one that it does not accept */
export const readArguments = <Table extends Flags>(
  argv: readonly string[],
  flags: Table,
  variables: Variables,
): Arguments<Table> => {
  const { texts, operands } = readTexts(argv, Object.values(flags));
  const values = Object.entries(flags).flatMap(([name, flag]) => {
    const value = readValue(flag, texts.get(flag.name), variables);
    return value === undefined ? [] : [[name, value]];
  });
  // Each value was read by the flag of its name, which is what the type says.
  return { values: Object.fromEntries(values) as FlagValues<Table>, operands };
};

/** @throws UsageError if there is anything beside the flags */
export const requireNoOperands = (operands: readonly string[]): void => {
  const [first] = operands;
  if (first !== undefined) throw new UsageError(`Unexpected argument "${first}". Commands come first.`);
};

/** What was written after each flag; the last one counts. */
const readTexts = (argv: readonly string[], flags: readonly Flag<unknown>[]) => {
  const texts = new Map<string, string>();
  const { tokens, positionals } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(flags.map((flag) => [flag.name, parserOption(flag)])),
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const flag = flags.find(({ name }) => name === token.name);
    if (!flag) throw unknownFlag(token.rawName, flags);
    texts.set(flag.name, flag.placeholder === undefined ? (token.value ?? 'true') : requireText(flag, token));
  }
  return { texts, operands: positionals };
};

const parserOption = ({ placeholder, short }: Flag<unknown>) => ({
  type: placeholder === undefined ? ('boolean' as const) : ('string' as const),
  ...(short !== undefined && { short }),
});

const LOOKS_LIKE_A_FLAG = /^-\D/;

const requireText = (
  { accepts }: Flag<unknown>,
  {
    rawName,
    value,
    inlineValue,
  }: { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
): string => {
  if (value === undefined || (!inlineValue && LOOKS_LIKE_A_FLAG.test(value))) {
    throw new UsageError(`${rawName} needs a value: ${accepts}.`);
  }
  return value;
};

const unknownFlag = (rawName: string, flags: readonly Flag<unknown>[]): UsageError => {
  const known = ['help', 'version', ...flags.map(({ name }) => name)].map((name) => `--${name}`);
  return new UsageError(`There is no flag ${rawName}.${didYouMean(rawName, known)}`);
};

const readValue = (flag: Flag<unknown>, text: string | undefined, variables: Variables): unknown => {
  if (text !== undefined) return requireValue(flag, text, `--${flag.name}`);
  const variable = flag.variables.find((name) => variables[name]); // set to nothing counts as not set
  return variable && requireValue(flag, variables[variable] ?? '', variable);
};

const requireValue = ({ read, accepts }: Flag<unknown>, text: string, where: string): unknown => {
  const value = read(text);
  if (value === undefined) throw new UsageError(`${where} does not accept "${text}". It takes ${accepts}.`);
  return value;
};
