/** The one place that draws anything by chance: seeded, and kept in the environment's state (behaviour I1). */
import { createHash, randomInt } from 'node:crypto';
import { customRandom } from 'nanoid';
import { xoroshiro128plus } from 'pure-rand';

/** Prefixes of ids, as the document and behaviour I1 name them. */
export type IdPrefix = 'ca' | 'org' | 'usr' | 'usp' | 'conn' | 'role' | 'env' | 'prv';

/** How far a generator has come: a plain value, so that a snapshot or a reset repeats what it draws. */
export interface GeneratorState {
  readonly words: readonly number[];
  /** For each prefix the number of the highest id so far, whether drawn or written in a scenario. */
  readonly highest: Readonly<Record<string, bigint>>;
}

/** The generator a seed starts with. */
export const seedGenerator = (seed: number): GeneratorState => ({
  words: xoroshiro128plus(seed).getState?.() ?? [],
  highest: {},
});

/** A seed that cannot be foreseen, for `--seed random`. */
export const randomSeed = (): number => randomInt(2 ** 31);

/** Draws while one request or one load lasts; `state()` is what to keep afterwards. */
export interface Draw {
  /** `size` characters of `alphabet`. */
  text(alphabet: string, size: number): string;
  /** A number from 0 up to, not including, 1. */
  fraction(): number;
  /** Prefix and 18 digits, above every id of the prefix so far (behaviour I1). */
  id(prefix: IdPrefix): string;
  /** Keeps later ids above this one, if it has their form. */
  reserve(id: string): void;
  /** An opaque base64url token; the default of 43 characters carries 258 bits (behaviour I1). */
  token(size?: number): string;
  state(): GeneratorState;
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const RESOURCE_ID = /^([a-z]+)_(\d{18,20})$/;

/** All ids lie above it, so that they have 18 digits. */
const LOWEST = 10n ** 17n;

/** Draws from `state` on. Nothing is computed before the first draw. */
export const drawFrom = (state: GeneratorState): Draw => {
  let generator: ReturnType<typeof xoroshiro128plus> | undefined;
  let highest: Record<string, bigint> | undefined;
  const next = (): number => {
    generator ??= xoroshiro128plus.fromState(state.words);
    return generator.unsafeNext() >>> 0;
  };
  const bytes = (count: number): Uint8Array => {
    const words = new Uint32Array(Math.ceil(count / 4));
    for (let nth = 0; nth < words.length; nth += 1) words[nth] = next();
    return new Uint8Array(words.buffer).subarray(0, count);
  };
  const text = (alphabet: string, size: number): string => customRandom(alphabet, size, bytes)();
  const raise = (prefix: string, number: bigint): void => {
    highest ??= { ...state.highest };
    if (number > (highest[prefix] ?? LOWEST)) highest[prefix] = number;
  };
  return {
    text,
    fraction: () => next() / 2 ** 32,
    id: (prefix) => {
      const number = ((highest ?? state.highest)[prefix] ?? LOWEST) + BigInt(next() + 1);
      raise(prefix, number);
      return `${prefix}_${number}`;
    },
    reserve: (id) => {
      const [, prefix, digits] = RESOURCE_ID.exec(id) ?? [];
      if (prefix !== undefined && digits !== undefined) raise(prefix, BigInt(digits));
    },
    token: (size = 43) => text(BASE64URL, size),
    state: () =>
      generator || highest
        ? { words: generator?.getState?.() ?? state.words, highest: highest ?? state.highest }
        : state,
  };
};

/** Eleven base64url characters that stand for an environment at the end of a token (behaviour E5). */
export const environmentKey = (environmentId: string): string =>
  createHash('sha256').update(environmentId).digest('base64url').slice(0, 11);
