/**
 * Which names of the descriptors and of the contract are the same. Most are equal; a prefix that an enum puts before its
 * values, and the name of a vendor at the beginning, may differ: then the same ending decides, where one fits alone.
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

/** Pairs each of `theirs` with one of `ours`, where one fits. */
export const pairNames = (
  theirs: readonly string[],
  ours: readonly string[],
  given: GivenNames,
): ReadonlyMap<string, string> => {
  const pairs = new Map<string, string>();
  const left = new Set(ours);
  const pair = (find: (name: string) => string | undefined): void => {
    for (const name of theirs) {
      const found = pairs.has(name) ? undefined : find(name);
      if (found === undefined || !left.delete(found)) continue;
      pairs.set(name, found);
    }
  };
  pair((name) => given.get(name));
  pair((name) => name);
  pair((name) => [...left].filter((our) => name.endsWith(`_${our}`)).sort(byLength)[0]);
  pair((name) => {
    const found = closest(name, [...left]);
    const free = theirs.filter((other) => !pairs.has(other));
    return found !== undefined && closest(found, free) === name ? found : undefined;
  });
  return pairs;
};

const byLength = (one: string, other: string): number => other.length - one.length;

/** The one that shares most words at the end; undefined if none or several do. */
const closest = (name: string, among: readonly string[]): string | undefined => {
  const shared = among.map((other) => [other, sharedWords(name, other)] as const);
  const most = Math.max(1, ...shared.map(([, count]) => count));
  const [found, another] = shared.filter(([, count]) => count === most);
  return another ? undefined : found?.[0];
};

const sharedWords = (one: string, other: string): number => {
  const [words, others] = [one.split('_').reverse(), other.split('_').reverse()];
  const end = words.findIndex((word, index) => word !== others[index]);
  return end < 0 ? words.length : end;
};

/** The values of an enum in both languages. */
export interface ValueNames {
  /** Undefined for a value that means none, such as `STATUS_UNSPECIFIED`. */
  toContract(name: string): string | undefined;
  /** The number of the value; undefined if the descriptors have none. */
  toDescriptor(value: string): number | undefined;
}

/** @param known the contract's values; undefined where it takes any text */
export const nameValues = (
  descriptor: DescEnum,
  known: readonly string[] | undefined,
  given: GivenNames,
): ValueNames => {
  const names = descriptor.values.map(({ name }) => name);
  const plain = (name: string): string => name.slice(descriptor.sharedPrefix?.length ?? 0);
  const pairs = known
    ? pairNames(names, known, given)
    : new Map(
        descriptor.values
          .filter(({ number, name }) => number !== 0 || !/(^|_)(UNSPECIFIED|UNKNOWN)$/.test(name))
          .map(({ name }) => [name, given.get(name) ?? plain(name)]),
      );
  const spelled = (value: string): string => (known ? value : value.toUpperCase());
  const back = new Map(descriptor.values.map(({ name, number }) => [spelled(pairs.get(name) ?? ''), number]));
  return {
    toContract: (name) => pairs.get(name),
    toDescriptor: (value) => back.get(spelled(value)),
  };
};
