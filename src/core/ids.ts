/** The one place that draws anything by chance: seeded, and kept in the environment's state (behaviour I1). */
import { createHash, randomInt } from 'node:crypto';
import { customRandom } from 'nanoid';
import { xoroshiro128plus } from 'pure-rand';

/** The position of a seeded generator: a plain value, so that a snapshot or a reset repeats what it draws. */
export type GeneratorState = readonly number[];

/** The generator a seed starts with. */
export const seedGenerator = (seed: number): GeneratorState => xoroshiro128plus(seed).getState?.() ?? [];

/** A seed that cannot be foreseen, for `--seed random`. */
export const randomSeed = (): number => randomInt(2 ** 31);

/** Draws while one request or one load lasts; `state()` is what to keep afterwards. */
export interface Draw {
  /** `size` characters of `alphabet`. */
  text(alphabet: string, size: number): string;
  /** A number from 0 up to, not including, 1. */
  fraction(): number;
  state(): GeneratorState;
}

/** Draws from `state` on. Nothing is computed before the first draw. */
export const drawFrom = (state: GeneratorState): Draw => {
  let generator: ReturnType<typeof xoroshiro128plus> | undefined;
  const next = (): number => {
    generator ??= xoroshiro128plus.fromState(state);
    return generator.unsafeNext() >>> 0;
  };
  const bytes = (count: number): Uint8Array => {
    const words = new Uint32Array(Math.ceil(count / 4));
    for (let nth = 0; nth < words.length; nth += 1) words[nth] = next();
    return new Uint8Array(words.buffer).subarray(0, count);
  };
  return {
    text: (alphabet, size) => customRandom(alphabet, size, bytes)(),
    fraction: () => next() / 2 ** 32,
    state: () => generator?.getState?.() ?? state,
  };
};

const DIGITS = '0123456789';
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Prefixes of ids, as the document and behaviour I1 name them. */
export type IdPrefix = 'ca' | 'org' | 'usr' | 'usp' | 'conn' | 'role' | 'env' | 'prv';

/** A resource id: prefix and 18 digits (behaviour I1). */
export const drawId = (draw: Draw, prefix: IdPrefix): string => [prefix, draw.text(DIGITS, 18)].join('_');

/** An opaque base64url token; 43 characters carry 258 bits (behaviour I1). */
export const drawToken = (draw: Draw, size = 43): string => draw.text(BASE64URL, size);

/** Eleven base64url characters that stand for an environment at the end of a token (behaviour E5). */
export const environmentKey = (environmentId: string): string =>
  createHash('sha256').update(environmentId).digest('base64url').slice(0, 11);
