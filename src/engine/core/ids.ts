/** Generates ids, tokens and other random values from a seed (behaviour I1). */
import { createHash, randomInt } from 'node:crypto';
import { customRandom } from 'nanoid';
import { xoroshiro128plus } from 'pure-rand';

/** The state of a generator. When a reset or a snapshot restores this state, the same values are generated again. */
export interface GeneratorState {
  readonly words: readonly number[];
  /** For each prefix, the highest number in any id so far, including the ids in the scenario file. */
  readonly highest: Readonly<Record<string, bigint>>;
}

export const seedGenerator = (seed: number): GeneratorState => ({
  words: xoroshiro128plus(seed).getState?.() ?? [],
  highest: {},
});

/** An unpredictable seed, for `--seed random`. */
export const randomSeed = (): number => randomInt(2 ** 31);

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const RESOURCE_ID = /^([a-z]+)_(\d{18,20})$/;

/** Every id is above this number, so every id has 18 digits. */
const LOWEST = 10n ** 17n;

/** Draws numbers below 2 ** 32. Creates the generator on first use, since most requests need none. */
const startNumbers = (before: readonly number[]) => {
  let generator: ReturnType<typeof xoroshiro128plus> | undefined;
  const next = (): number => {
    generator ??= xoroshiro128plus.fromState(before);
    return generator.unsafeNext() >>> 0;
  };
  return { next, words: () => generator?.getState?.() ?? before };
};

/** Draws random values, continuing from `state`. */
export const drawFrom = (state: GeneratorState) => {
  const { next, words } = startNumbers(state.words);
  let highest: Record<string, bigint> | undefined;
  const bytes = (count: number): Uint8Array =>
    new Uint8Array(new Uint32Array(Math.ceil(count / 4)).map(next).buffer).subarray(0, count);
  const text = (alphabet: string, size: number): string => customRandom(alphabet, size, bytes)();
  const raise = (prefix: string, number: bigint): void => {
    highest ??= { ...state.highest };
    if (number > (highest[prefix] ?? LOWEST)) highest[prefix] = number;
  };
  return {
    text,
    /** An opaque base64url token; the default of 43 characters carries 258 bits (behaviour I1). */
    token: (size = 43) => text(BASE64URL, size),
    /** An id: the prefix and 18 digits, higher than every earlier id of the prefix (behaviour I1). */
    id: (prefix: string): string => {
      const number = ((highest ?? state.highest)[prefix] ?? LOWEST) + BigInt(next() + 1);
      raise(prefix, number);
      return `${prefix}_${number}`;
    },
    /** Makes later ids with the same prefix higher than this id. Ignores ids that `id()` cannot generate. */
    reserve: (id: string): void => {
      const [, prefix, digits] = RESOURCE_ID.exec(id) ?? [];
      if (prefix !== undefined && digits !== undefined) raise(prefix, BigInt(digits));
    },
    state: (): GeneratorState =>
      highest || words() !== state.words ? { words: words(), highest: highest ?? state.highest } : state,
  };
};

/** Eleven base64url characters that identify an environment at the end of a token (behaviour E5). */
export const environmentKey = (environmentId: string): string =>
  createHash('sha256').update(environmentId).digest('base64url').slice(0, 11);

/** An environment's trace id (behaviour E9): made from its id, so that an export, a reset or a restart keeps it. */
export const traceIdOf = (environmentId: string): string =>
  createHash('sha256').update(`trace ${environmentId}`).digest('hex').slice(0, 32);
