/** Reads options from strings: from flags, and from environment variables named `CA_MOCK_...`. */
import { didYouMean } from '../engine/core/text.ts';
import {
  companyProblem,
  type FlagValues,
  flagName,
  type Option,
  type Options,
  refusedValue,
  variableName,
} from './option.ts';
import { RUN_OPTIONS } from './run-options.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** An error in a flag or variable. The command line refers to the help text, and exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A value from the user; `where` is the flag or variable that has this value: `--port`, `-p` or `CA_MOCK_PORT`. */
export interface GivenText {
  readonly text: string;
  readonly where: string;
}

/** Container platforms set `CA_MOCK_PORT=tcp://10.0.0.2:4720` and its like for a service with the name `ca-mock`. */
const OF_PLATFORM = /^(?:tcp|udp|sctp):\/\//;
const NAMED_BY_PLATFORM = /^CA_MOCK_(?:PORT_\d|SERVICE_(?:HOST$|PORT)|NAME$|ENV_)/;

/** The value of an option's variable, or its values. An empty variable counts as not set. */
export const readVariable = (
  name: string,
  { isRepeatable }: Option<unknown>,
  variables: Variables,
): readonly GivenText[] => {
  const where = variableName(name);
  const text = variables[where];
  if (!text || OF_PLATFORM.test(text)) return [];
  return (isRepeatable ? text.split(',') : [text]).map((one) => ({ text: one, where }));
};

/** Converts the strings of an option to its value. @throws UsageError for a value that the option does not accept */
export const readTexts = (option: Option<unknown>, texts: readonly GivenText[]): unknown => {
  const read = texts.map(({ text, where }) => {
    const value = option.read(text);
    if (value === undefined) throw new UsageError(refusedValue(where, option, text, option.accepts));
    return value;
  });
  return option.isRepeatable ? read.flat() : read.at(-1);
};

/** Reads all options that have a variable. @throws UsageError for a value that an option does not accept */
export const readVariables = <Table extends Options>(
  options: Table,
  variables: Variables,
): FlagValues<Table> => {
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(options)) {
    const texts = readVariable(name, option, variables);
    if (texts.length > 0) values[name] = readTexts(option, texts);
  }
  return values as FlagValues<Table>; // the cast is safe: `readTexts` converts each value to the type of its option
};

/** @throws UsageError if two options exclude each other, or if one lacks another that it needs */
export const requireCompany = (options: Options, values: Readonly<Record<string, unknown>>): void => {
  const problem = companyProblem(options, values, flagName);
  if (problem !== undefined) throw new UsageError(problem);
};

/** Variables of no option of a run: what it exports, and what only runners or other commands read. */
const OTHERS =
  'URL CLIENT_ID CLIENT_SECRET ACCESS_TOKEN KEEP CONNECTOR ENVIRONMENT EXTERNAL_ID GRPC INFERRED JOURNAL JSON ' +
  'JUNIT OPERATION ORGANIZATION_ID RELATIVE TIMEOUT USER_ID WRITE';

/** A sentence for each `CA_MOCK_` variable that nothing reads, with the nearest name (behaviour N1). */
export const unknownVariables = (variables: Variables): readonly string[] => {
  const known = [
    ...Object.keys(RUN_OPTIONS).map(variableName),
    ...OTHERS.split(' ').map((name) => `CA_MOCK_${name}`),
  ];
  return Object.keys(variables)
    .filter((name) => name.startsWith('CA_MOCK_') && !known.includes(name) && !NAMED_BY_PLATFORM.test(name))
    .map((name) => `Nothing reads the variable ${name}.${didYouMean(name, known)}`);
};
