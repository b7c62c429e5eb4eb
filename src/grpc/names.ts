/**
 * Matches names of the descriptors with names of the contract: equal names, values of enums without the prefix that
 * descriptors add, and names that a user maps by hand.
 */
import { readFileSync } from 'node:fs';
import type { DescEnum } from '@bufbuild/protobuf';
import { parse } from 'yaml';

/** The contract's names of names of the descriptors, as a user maps them by hand. */
export type GivenNames = ReadonlyMap<string, string>;

/** @throws Error that says what is wrong with a file */
export const readNames = (files: readonly string[]): GivenNames =>
  new Map(
    files.flatMap((file) => {
      const { names }: { names?: unknown } = parse(readFileSync(file, 'utf8'), { logLevel: 'silent' }) ?? {};
      const entries = typeof names === 'object' && names !== null ? Object.entries(names) : [];
      if (
        entries.length > 0 &&
        entries.every((pair): pair is [string, string] => typeof pair[1] === 'string')
      )
        return entries;
      throw new Error(
        `${file} has no names. Write "names:", and below it a line "NAME_OF_DESCRIPTORS: NAME_OF_CONTRACT" for each.`,
      );
    }),
  );

/** The values of an enum in both languages. */
export interface ValueNames {
  /** Undefined for a value that means none, such as `STATUS_UNSPECIFIED`. */
  toContract(name: string): string | undefined;
  /** The number of the value; undefined if the descriptors have none. */
  toDescriptor(value: string): number | undefined;
}

/** @param known the contract's values; undefined where it takes any text */
export const nameValues = (
  { values }: DescEnum,
  known: readonly string[] | undefined,
  given: GivenNames,
): ValueNames => {
  const prefix = sharedPrefix(values.map(({ name }) => name));
  const pairs = new Map<string, string>();
  const numbers = new Map<string, number>();
  const spelled = (value: string): string => (known ? value : value.toUpperCase());
  for (const { name, number } of values) {
    const plain = name.slice(prefix.length);
    const byHand = given.get(name) ?? given.get(plain);
    const found = known ? [byHand, name, plain].find((one) => known.includes(one ?? '')) : (byHand ?? plain);
    if (found === undefined || (!known && number === 0 && NONE.test(name))) continue;
    pairs.set(name, found);
    numbers.set(spelled(found), number);
  }
  return { toContract: (name) => pairs.get(name), toDescriptor: (value) => numbers.get(spelled(value)) };
};

/** What all names begin with, up to an underscore. */
const sharedPrefix = ([first = '', ...names]: readonly string[]): string => {
  let end = first.lastIndexOf('_') + 1;
  while (end > 0 && !names.every((name) => name.startsWith(first.slice(0, end))))
    end = first.lastIndexOf('_', end - 2) + 1;
  return first.slice(0, end);
};

/** Of the value of an enum that stands for no value. */
export const NONE = /(^|_)(UNSPECIFIED|UNKNOWN)$/;
