/** Matches names of descriptors and of the contract: equal, but for the prefix of an enum, or mapped by the user. */
import type { DescEnum } from '@bufbuild/protobuf';
import { parse } from 'yaml';
import { isJsonObject } from '../engine/contract/document.ts';
import { readRegularFile } from '../engine/core/files.ts';

/** The user's map from names of the descriptors to names of the contract. */
export type MappedNames = ReadonlyMap<string, string>;

/** Reads the user's files that map gRPC names to contract names. @throws Error that says what is wrong with a file */
export const readNames = (files: readonly string[]): MappedNames =>
  new Map(
    files.flatMap((file) => {
      const read = readRegularFile(file);
      if ('problem' in read)
        throw new Error(`The names in ${file} cannot be used: the file ${read.problem}.`);
      const { names }: { names?: unknown } = parse(read.bytes.toString('utf8'), { logLevel: 'silent' }) ?? {};
      const entries = Object.entries(isJsonObject(names) ? names : {});
      const isText = (pair: [string, unknown]): pair is [string, string] => typeof pair[1] === 'string';
      if (entries.length > 0 && entries.every(isText)) return entries;
      throw new Error(
        `${file} contains no names. Write "names:", and below it a line "NAME_IN_DESCRIPTORS: NAME_IN_CONTRACT" for each name.`,
      );
    }),
  );

export interface ValueNames {
  /** The contract's name for a value. Undefined for a value that means "none", such as `STATUS_UNSPECIFIED`. */
  toContract(name: string): string | undefined;
  /** The number that the descriptors give to an enum value of the contract; undefined if they do not have the value. */
  toDescriptor(value: string): number | undefined;
}

/** @param known the values of the contract; undefined if it accepts any string */
export const nameValues = (
  { values }: DescEnum,
  known: readonly string[] | undefined,
  given: MappedNames,
): ValueNames => {
  const prefix = sharedPrefix(values.map(({ name }) => name));
  const pairs = new Map<string, string>();
  const numbers = new Map<string, number>();
  const spelled = (value: string): string => (known ? value : value.toUpperCase());
  for (const { name, number } of values) {
    const plain = name.slice(prefix.length);
    const byHand = given.get(name) ?? given.get(plain);
    const found = known ? [byHand, name, plain].find((one) => known.includes(one ?? '')) : (byHand ?? plain);
    if (found === undefined || (!known && number === 0 && MEANS_NONE.test(name))) continue;
    pairs.set(name, found);
    numbers.set(spelled(found), number);
  }
  return { toContract: (name) => pairs.get(name), toDescriptor: (value) => numbers.get(spelled(value)) };
};

/** The prefix that all names share, up to an underscore. */
const sharedPrefix = ([first = '', ...names]: readonly string[]): string => {
  let end = first.lastIndexOf('_') + 1;
  while (end > 0 && !names.every((name) => name.startsWith(first.slice(0, end))))
    end = first.lastIndexOf('_', end - 2) + 1;
  return first.slice(0, end);
};

/** Names of enum values that mean "none". */
export const MEANS_NONE = /(^|_)(UNSPECIFIED|UNKNOWN)$/;
