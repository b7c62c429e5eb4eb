/** What a flag of the command line is, and the kinds of value that flags take. */

export interface Flag<Value> {
  /** Without the dashes. */
  readonly name: string;
  readonly short?: string;
  /** Environment variables read when the flag is absent, the first that is set wins. */
  readonly variables: readonly string[];
  /** What stands for the value in the help text; absent for a switch, which needs none. */
  readonly placeholder?: string;
  /** What the flag does, as the help text says it. */
  readonly summary: string;
  /** What holds when nobody sets it, as the help text says it. */
  readonly fallback: string;
  /** What is accepted, as messages say it. */
  readonly accepts: string;
  /** The value that a text stands for, or undefined if it stands for none. */
  readonly read: (text: string) => Value | undefined;
}

/** Flags by the name their value has among the options. */
export type Flags = Readonly<Record<string, Flag<unknown>>>;

/** The values of flags, those that were set. */
export type FlagValues<Table extends Flags> = {
  readonly [Name in keyof Table]?: NonNullable<ReturnType<Table[Name]['read']>>;
};

/** What every flag has, and every kind leaves to its caller. */
type Description = Pick<Flag<unknown>, 'name' | 'summary' | 'fallback'> &
  Partial<Pick<Flag<unknown>, 'short' | 'variables' | 'placeholder'>>;

/** `CA_MOCK_` and the flag in upper snake case. */
const variableOf = (name: string): string => `CA_MOCK_${name.toUpperCase().replaceAll('-', '_')}`;

const flag = <Value>(
  description: Description & { readonly placeholder?: string },
  accepts: string,
  read: (text: string) => Value | undefined,
): Flag<Value> => ({
  ...description,
  variables: [variableOf(description.name), ...(description.variables ?? [])],
  accepts,
  read,
});

export const textFlag = (description: Description): Flag<string> =>
  flag(description, 'a text that is not empty', (text) => text || undefined);

export const choiceFlag = <const Choice extends string>(
  description: Description,
  choices: readonly Choice[],
): Flag<Choice> =>
  flag({ ...description, placeholder: choices.join('|') }, choices.join(', '), (text) =>
    choices.find((choice) => choice === text),
  );

const SWITCH_WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  on: true,
  1: true,
  false: false,
  off: false,
  0: false,
};

export const switchFlag = (description: Description): Flag<boolean> =>
  flag(description, 'true or false (on, off, 1, 0)', (text) =>
    Object.hasOwn(SWITCH_WORDS, text) ? SWITCH_WORDS[text] : undefined,
  );

/** A flag whose kind of value is its own. */
export const customFlag = flag;
