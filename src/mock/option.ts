/** The kinds of options. The command line and the library use the same row, so they accept the same values. */

import { withoutLabel } from '../core/addresses.ts';
import { CLOCK_HINT, parseClockTime } from '../core/clock.ts';
import { cut } from '../core/text.ts';

/** One option: a flag, its environment variable, and a member of the library's options. */
export interface Option<Flag, Code = Flag> {
  /** The accepted values, for messages. */
  readonly accepts: string;
  /** The values that the library accepts, if it accepts more. */
  readonly acceptsInCode?: string;
  /** The value of a text of the command line; undefined for a text that is not accepted. */
  read(text: string): Flag | undefined;
  /** Whether the library accepts a value. */
  is(value: unknown): value is Code;
  /** The name of the value in the help text; absent for a switch, which takes no value. */
  readonly placeholder?: string;
  /** Whether the flag may be given more than once. In its variable, commas separate the values. */
  readonly isRepeatable?: boolean;
  /** Whether the value is a credential, which messages do not show. */
  readonly isSecret?: boolean;
  /** The short flag, one letter. */
  readonly short?: string;
  /** The name of the option that must be given as well. */
  readonly needs?: string;
  /** What the option does. */
  readonly words: string;
  /** What applies without the option. */
  readonly fallback: string;
}

/** Options by their names in the library, in camelCase. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values that were set, as the library takes them. */
export type OptionValues<Table extends Options> = {
  readonly [Name in keyof Table]?: CodeOf<Table[Name]> | undefined;
};

/** The values that were set, as the command line reads them. */
export type FlagValues<Table extends Options> = {
  readonly [Name in keyof Table]?: NonNullable<ReturnType<Table[Name]['read']>>;
};

type CodeOf<Row> = Row extends { is(value: unknown): value is infer Code } ? Code : never;

/** A value for messages, without credentials, and without user and password of an address. */
export const showValue = ({ isSecret }: Option<unknown>, value: string): string =>
  isSecret ? 'its value' : JSON.stringify(cut(value.replace(/\/\/[^/]*@/, '//[secret]@')));

/** `validateResponses` becomes `--validate-responses`. */
export const flagName = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** `validateResponses` becomes `CA_MOCK_VALIDATE_RESPONSES`. */
export const variableName = (name: string): string =>
  `CA_MOCK_${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;

type More = Partial<Pick<Option<unknown>, 'short' | 'needs' | 'isSecret'>>;

/**
 * Makes a function for options of one kind, which all accept the same values.
 * @param convert reads a text of the command line
 */
const kind =
  <Value>(
    accepts: string,
    is: (value: unknown) => value is Value,
    convert: (text: string) => unknown = (text) => text,
  ) =>
  (placeholder: string, words: string, fallback: string, more: More = {}): Option<Value> => ({
    accepts,
    is,
    read: (text) => {
      const value = convert(text);
      return is(value) ? value : undefined;
    },
    placeholder,
    words,
    fallback,
    ...more,
  });

const textKind = (accepts: string, isAccepted: (text: string) => boolean) =>
  kind(accepts, (value): value is string => typeof value === 'string' && isAccepted(value));

const toNumber = (given: string): unknown => (/^\d{1,15}$/.test(given) ? Number(given) : given);

const isWithin = (value: unknown, lowest: number, highest: number): value is number =>
  Number.isInteger(value) && Number(value) >= lowest && Number(value) <= highest;

export const wholeNumber = (lowest: number, highest: number) =>
  kind(
    `a whole number from ${lowest} to ${highest}`,
    (value): value is number => isWithin(value, lowest, highest),
    toNumber,
  );

const HIGHEST_SEED = 4_294_967_295;

export const seed = kind(
  `a whole number from 0 to ${HIGHEST_SEED}, or random`,
  (value): value is number | 'random' => value === 'random' || isWithin(value, 0, HIGHEST_SEED),
  toNumber,
);

export const text = textKind('a text that is not empty', (given) => given !== '');

export const time = textKind(CLOCK_HINT, (given) => parseClockTime(given) !== undefined);

/**
 * Refuses user and password, because messages would show them, and query and fragment, because links continue the
 * address with a path.
 */
const isWebAddress = (given: string): boolean => /^https?:\/\/[^?#@]+$/i.test(given) && URL.canParse(given);

const WEB_ADDRESS = 'an http:// or https:// URL without query, fragment, user or password';

export const webAddress = textKind(WEB_ADDRESS, isWebAddress);

/** An address in which `{env}` may stand for the name of an environment. */
export const environmentAddress = textKind(
  `${WEB_ADDRESS}; its host may begin with "{env}.", which stands for the environment's name`,
  (given) => isWebAddress(withoutLabel(given)) && !withoutLabel(given).includes('{'),
);

/** Whether an `Authorization: Bearer` header can carry the token. */
export const canBeSent = (given: string): boolean => /^[\x21-\x7e]+$/.test(given);

export const token = textKind('one or more letters, digits and signs, no spaces', canBeSent);

/** Makes an option with a fixed list of values. */
export const choice = <const Choice extends string>(
  choices: readonly Choice[],
  words: string,
  fallback: string,
): Option<Choice> =>
  kind(choices.join(', '), (value): value is Choice => choices.some((one) => one === value))(
    choices.join('|'),
    words,
    fallback,
  );

const SWITCH_WORDS = new Map([
  ...['true', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'off', '0'].map((word) => [word, false] as const),
]);

/** Makes a flag that takes no value; its environment variable does. */
export const toggle = (words: string, fallback = 'off'): Option<boolean> => ({
  accepts: 'true or false (on, off, 1, 0)',
  acceptsInCode: 'true or false',
  read: (given) => SWITCH_WORDS.get(given),
  is: (value) => typeof value === 'boolean',
  words,
  fallback,
});

/** Makes an option for which the library accepts other values too. */
export const orInCode = <Flag, Other>(
  row: Option<Flag>,
  other: string,
  isOther: (value: unknown) => value is Other,
): Option<Flag, Flag | Other> => ({
  ...row,
  acceptsInCode: `${row.accepts}, or ${other}`,
  is: (value): value is Flag | Other => row.is(value) || isOther(value),
});

/** Makes an option that may be given several times; all its values count. */
export const repeatable = <Value>(row: Option<Value>): Option<readonly Value[]> => ({
  ...row,
  isRepeatable: true,
  acceptsInCode: `a list whose items are each ${row.accepts}`,
  is: (value): value is readonly Value[] => Array.isArray(value) && value.every((one) => row.is(one)),
  read: (given) => {
    const value = row.read(given);
    return value === undefined ? undefined : [value];
  },
});
