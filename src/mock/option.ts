/** What an option may be. The command line and the library ask the same kind, and so accept the same values. */

import { CLOCK_HINT, parseClockTime } from '../core/clock.ts';
import { withoutLabel } from '../core/host-label.ts';

/** One option: a flag, its environment variable, and a member of the library's options. */
export interface Option<Flag, Code = Flag> {
  /** What is accepted, as messages say it. */
  readonly accepts: string;
  /** The same for the library, where it accepts more. */
  readonly acceptsInCode?: string;
  /** The value that a text of the command line stands for, or undefined if it stands for none. */
  read(text: string): Flag | undefined;
  /** Whether the library accepts a value. */
  is(value: unknown): value is Code;
  /** What stands for the value in the help text; absent for a switch, which needs none. */
  readonly placeholder?: string;
  /** The flag may be given more than once; its variable separates values by commas. */
  readonly isRepeatable?: true;
  /** A credential: messages do not show it. */
  readonly isSecret?: true;
  /** One letter. */
  readonly short?: string;
  /** What it does. */
  readonly words: string;
  /** What applies when it is not set. */
  readonly fallback: string;
}

/** Options by their name in the library, which is camelCase. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values of options, those that were set, as the library takes them. */
export type OptionValues<Table extends Options> = {
  readonly [Name in keyof Table]?: CodeOf<Table[Name]> | undefined;
};

/** The values of options, those that were set, as the command line reads them. */
export type FlagValues<Table extends Options> = {
  readonly [Name in keyof Table]?: NonNullable<ReturnType<Table[Name]['read']>>;
};

type CodeOf<Row> = Row extends { is(value: unknown): value is infer Code } ? Code : never;

/** A value as messages show it: not a credential, and no user and password in an address. */
export const showValue = ({ isSecret }: Option<unknown>, value: string): string =>
  isSecret ? 'its value' : JSON.stringify(value.slice(0, 200).replace(/\/\/[^/]*@/, '//[secret]@'));

/** `validateResponses` is `--validate-responses`. */
export const flagName = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** `validateResponses` is `CA_MOCK_VALIDATE_RESPONSES`. */
export const variableName = (name: string): string =>
  `CA_MOCK_${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;

type About = Pick<Option<unknown>, 'placeholder' | 'short' | 'words' | 'fallback'>;

const option = <Value>(
  accepts: string,
  is: (value: unknown) => value is Value,
  about: About,
  convert: (text: string) => unknown = (text) => text,
): Option<Value> => ({
  ...about,
  accepts,
  is,
  read: (text) => {
    const value = convert(text);
    return is(value) ? value : undefined;
  },
});

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export const text = (about: About): Option<string> => option('a text that is not empty', isText, about);

/** A text that messages do not show. */
export const secret = (about: About): Option<string> => ({ ...text(about), isSecret: true });

const toNumber = (given: string): unknown => (/^\d{1,15}$/.test(given) ? Number(given) : given);

export const wholeNumber = (lowest: number, highest: number, about: About): Option<number> =>
  option(
    `a whole number from ${lowest} to ${highest}`,
    (value): value is number =>
      typeof value === 'number' && Number.isInteger(value) && value >= lowest && value <= highest,
    about,
    toNumber,
  );

const HIGHEST_SEED = 4_294_967_295;

export const seed = (about: About): Option<number | 'random'> =>
  option(
    `a whole number from 0 to ${HIGHEST_SEED}, or random`,
    (value): value is number | 'random' =>
      value === 'random' || wholeNumber(0, HIGHEST_SEED, about).is(value),
    about,
    toNumber,
  );

export const choice = <const Choice extends string>(
  choices: readonly Choice[],
  about: About,
): Option<Choice> =>
  option(choices.join(', '), (value): value is Choice => choices.some((one) => one === value), {
    placeholder: choices.join('|'),
    ...about,
  });

const SWITCH_WORDS = new Map<string, boolean>(
  Object.entries({ true: true, on: true, 1: true, false: false, off: false, 0: false }),
);

/** A flag without a value; its variable has one. */
export const toggle = (about: About): Option<boolean> => ({
  ...option(
    'true or false',
    (value): value is boolean => typeof value === 'boolean',
    about,
    (given) => SWITCH_WORDS.get(given),
  ),
  accepts: 'true or false (on, off, 1, 0)',
  acceptsInCode: 'true or false',
});

export const time = (about: About): Option<string> =>
  option(CLOCK_HINT, (value): value is string => isText(value) && parseClockTime(value) !== undefined, about);

/** Links are this with more path. User and password would end up in messages. */
export const webAddress = (about: About): Option<string> =>
  option(
    'an http:// or https:// URL without query, fragment, user and password',
    (value): value is string => isText(value) && /^https?:\/\/[^?#@]+$/i.test(value) && URL.canParse(value),
    about,
  );

/** One that may leave a place for the name of an environment. */
export const environmentAddress = (about: About): Option<string> => {
  const plain = webAddress(about);
  return {
    ...option(
      `${plain.accepts}; its host may begin with {env}. for the name of the environment`,
      (value): value is string =>
        typeof value === 'string' && plain.is(withoutLabel(value)) && !withoutLabel(value).includes('{'),
      about,
    ),
  };
};

/** What `Authorization: Bearer` can carry. */
export const canBeSent = (token: string): boolean => /^[\x21-\x7e]+$/.test(token);

export const token = (about: About): Option<string> => ({
  ...option(
    'one or more letters, digits and signs, no spaces',
    (value): value is string => isText(value) && canBeSent(value),
    about,
  ),
  isSecret: true,
});

/** An option that the library accepts in another form too. */
export const orInCode = <Flag, Other>(
  row: Option<Flag>,
  other: string,
  isOther: (value: unknown) => value is Other,
): Option<Flag, Flag | Other> => ({
  ...row,
  acceptsInCode: `${row.accepts}, or ${other}`,
  is: (value): value is Flag | Other => row.is(value) || isOther(value),
});

/** An option that may be given several times; all its values count. */
export const repeatable = <Value>(row: Option<Value>): Option<readonly Value[]> => ({
  ...row,
  isRepeatable: true,
  acceptsInCode: `a list, each of it ${row.accepts}`,
  is: (value): value is readonly Value[] => Array.isArray(value) && value.every((one) => row.is(one)),
  read: (given) => {
    const value = row.read(given);
    return value === undefined ? undefined : [value];
  },
});
