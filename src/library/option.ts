/** The kinds of options, and how their values are read from flags and from variables named `CA_MOCK_...`. */
import { inspect } from 'node:util';
import { CLOCK_HINT, parseClockTime } from '../engine/core/clock.ts';
import { cut, didYouMean, misfit } from '../engine/core/text.ts';

/** What a mock does unless an option says otherwise. */
export const DEFAULTS = {
  port: 4720,
  host: '127.0.0.1',
  url: 'http://127.0.0.1:4720',
  validateResponses: 'report',
} as const;

/** What not every option has. */
interface More {
  readonly short?: string;
  /** Another option that must be set whenever this option is set. */
  readonly needs?: string;
  /** A switch that must be off whenever this option is set. */
  readonly excludes?: string;
  /** Messages do not show the value, which is a credential. */
  readonly isSecret?: boolean;
}

/** One option, which is a flag, an environment variable, and a member of the library's options. */
export interface Option<Value> extends More {
  /** The accepted values, for messages: from anywhere, and from code, which can give more than a text can mean. */
  readonly accepts: string;
  readonly acceptsInCode?: string;
  is(value: unknown): value is Value;
  /** The name of the value in the help text; absent for a switch, which takes no value. */
  readonly placeholder?: string;
  /** In its environment variable, commas separate the values. */
  readonly isRepeatable?: boolean;
  /** For the help text: what the option does, and what applies if it is not set. */
  readonly words: string;
  readonly fallback: string;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** What code gives to these options. */
export type OptionValues<Table extends Options> = {
  readonly [Name in keyof Table]?: ValueOf<Table[Name]> | undefined;
};
/** What flags and environment variables give to these options. */
export type FlagValues<Table extends Options> = {
  readonly [Name in keyof Table]?: FromText<ValueOf<Table[Name]>>;
};
type ValueOf<Row> = Row extends { is(value: unknown): value is infer Value } ? Value : never;
type FromText<Value> = Value extends readonly unknown[] ? Value : Exclude<Value, object>;

/** Says that a value is not accepted, as the mock says it of a member (behaviour N2). @param where such as `--port` */
export const refusedValue = (where: string, option: Option<unknown>, value: unknown): string => {
  const { accepts, isSecret, placeholder = '' } = option;
  const must = `must be ${accepts}`;
  if (isSecret) return `${where} ${misfit(undefined, must)}.`;
  if (typeof value !== 'string') return `${where} ${misfit(inspect(value, { depth: -1 }), must)}.`;
  const shown = JSON.stringify(cut(value.replace(/\/\/[^/]*@/, '//[secret]@')));
  return `${where} ${misfit(shown, must)}.${didYouMean(value, placeholder.split('|'))}`;
};

/** Turns `validateResponses` into `--validate-responses`. */
export const flagName = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Turns `validateResponses` into `CA_MOCK_VALIDATE_RESPONSES`. */
export const variableName = (name: string): string =>
  `CA_MOCK_${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;

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

/** An empty variable counts as not set. */
const readVariable = (where: string, isRepeatable = false, text = ''): readonly GivenText[] => {
  if (text === '' || OF_PLATFORM.test(text)) return [];
  return (isRepeatable ? text.split(',') : [text]).map((one) => ({ text: one, where }));
};

/** What a text can mean: itself, a number, on or off. */
const meaningsOf = (text: string): readonly unknown[] => [
  text,
  ...(/^\d{1,15}$/.test(text) ? [Number(text)] : []),
  ...(/^(?:true|on|1|false|off|0)$/i.test(text) ? [/^(?:true|on|1)$/i.test(text)] : []),
];

/** Reads options from flags, or else from their variables. @throws UsageError for a value that an option does not accept */
export const readOptions = <Table extends Options>(
  options: Table,
  variables: Variables,
  flags: ReadonlyMap<string, readonly GivenText[]> = new Map(),
): FlagValues<Table> => {
  const values = Object.entries(options).flatMap(([name, option]) => {
    const { isRepeatable } = option;
    const variable = variableName(name);
    const texts = flags.get(name) ?? readVariable(variable, isRepeatable, variables[variable]);
    const read = texts.map(({ text, where }) => {
      const meant = meaningsOf(text).find((one) => option.is(isRepeatable ? [one] : one));
      if (meant === undefined) throw new UsageError(refusedValue(where, option, text));
      return meant;
    });
    return read.length > 0 ? [[name, isRepeatable ? read : read.at(-1)]] : [];
  });
  return Object.fromEntries(values); // each option's own `is` accepted its value
};

/** @param nameOf how to name an option @throws Problem if two options that are set exclude each other, or one lacks another */
export const requireCompany = (
  options: Options,
  values: object,
  nameOf: (name: string) => string = flagName,
  Problem: new (message: string) => Error = UsageError,
): void => {
  for (const [name, value] of Object.entries(values)) {
    const { excludes = '', needs } = options[name] ?? {};
    if (!value) continue;
    if (Reflect.get(values, excludes))
      throw new Problem(`${nameOf(name)} and ${nameOf(excludes)} exclude each other. Leave one out.`);
    if (needs !== undefined && Reflect.get(values, needs) === undefined)
      throw new Problem(`${nameOf(name)} needs ${nameOf(needs)} as well.`);
  }
};

const kind =
  <Value>(accepts: string, is: (value: unknown) => value is Value) =>
  (placeholder: string, words: string, fallback: string | number, more: More = {}): Option<Value> => ({
    accepts,
    is,
    placeholder,
    words,
    fallback: String(fallback),
    ...more,
  });

const textKind = (accepts: string, isAccepted: (text: string) => boolean) =>
  kind(accepts, (value): value is string => typeof value === 'string' && isAccepted(value));

const isWithin = (value: unknown, lowest: number, highest: number): value is number =>
  Number.isInteger(value) && Number(value) >= lowest && Number(value) <= highest;

export const wholeNumber = (lowest: number, highest: number) =>
  kind(`a whole number from ${lowest} to ${highest}`, (value) => isWithin(value, lowest, highest));

export const seed = kind(
  'a whole number from 0 to 4294967295, or random',
  (value): value is number | 'random' => value === 'random' || isWithin(value, 0, 2 ** 32 - 1),
);
export const text = textKind('a string that is not empty', (given) => given !== '');
export const time = textKind(CLOCK_HINT, (given) => parseClockTime(given) !== undefined);

/** Whether a value is a valid Date. One of another realm, as in Jest, is not `instanceof Date`. */
export const isDate = (value: unknown): value is Date =>
  Object.prototype.toString.call(value) === '[object Date]' && !Number.isNaN(Number(value));

/** The address of a server. Messages would show a user or password in it, and links append a path to it. */
export const webAddress = textKind(
  'an http:// or https:// URL without query, fragment, user, password or braces',
  (given) => /^https?:\/\/[^?#@{}]+$/i.test(given) && URL.canParse(given),
);

/** Whether an `Authorization: Bearer` header can carry the token. */
export const canBeSent = (given: string): boolean => /^[\x21-\x7e]+$/.test(given);
export const token = textKind('one or more letters, digits and symbols, without spaces', canBeSent);

export const choice = <const Choice extends string>(
  choices: readonly Choice[],
  words: string,
  fallback: string,
): Option<Choice> =>
  kind(`one of ${choices.join(', ')}`, (value): value is Choice => choices.some((one) => one === value))(
    choices.join('|'),
    words,
    fallback,
  );

/** A flag without a value. Its environment variable takes one. */
export const toggle = (words: string, fallback = 'off', more: More = {}): Option<boolean> => ({
  accepts: 'true or false',
  words,
  fallback,
  ...more,
  is: (value) => typeof value === 'boolean',
});

/** @param other the words for what code can give besides */
export const orInCode = <Value, Other>(
  row: Option<Value>,
  isOther: (value: unknown) => value is Other,
  other = '',
): Option<Value | Other> => ({
  ...row,
  acceptsInCode: row.accepts + other,
  is: (value): value is Value | Other => row.is(value) || isOther(value),
});

export const repeatable = <Value>(row: Option<Value>): Option<readonly Value[]> => ({
  ...row,
  isRepeatable: true,
  acceptsInCode: `a list in which every value is ${row.accepts}`,
  is: (value): value is readonly Value[] => Array.isArray(value) && value.every((one) => row.is(one)),
});
