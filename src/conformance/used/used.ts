/** Reads the file that lists what an application relies on: names and values from the contract. */
import { existsSync } from 'node:fs';
import { isJsonObject } from '../../contract/document.ts';
import { type Contract, type ContractOperation, loadContract } from '../../contract/load.ts';
import { holdersOf } from '../../contract/members.ts';
import { Unusable } from '../../core/errors.ts';
import { readRegularFile } from '../../core/files.ts';
import { parseJson } from '../../core/object.ts';
import { didYouMean } from '../../core/text.ts';

export interface UsedOperation {
  /**
   * The parameters and body members that the application sent, such as `roles[].name`. If the contract lists the
   * allowed values of a parameter, the sent value stands after the name: `include=all`.
   */
  readonly sends: readonly string[];
  /** The members that the application got in replies, by HTTP status. */
  readonly gets: Readonly<Record<string, readonly string[]>>;
  /** Written by a person: the members that the application reads. Without it, nobody knows which of `gets` are read. */
  readonly reads?: readonly string[];
}

export interface UsedFile {
  readonly format: 1;
  readonly api: string;
  readonly operations: Readonly<Record<string, UsedOperation>>;
}

/** Reads a file that `exec --used` wrote. @throws Unusable if the file is of another kind */
export const readUsed = (file: string): UsedFile => {
  const value = parseJson(readText(file, 'Check its name.'));
  if (!isJsonObject(value) || !isJsonObject(value.operations))
    throw new Unusable(
      `${file} does not say what an application relies on. Write it with "ca-mock exec --used ${file} -- COMMAND".`,
    );
  if (value.format !== 1)
    throw new Unusable(
      `${file} has format ${value.format}, but this version reads format 1. Write the file again.`,
    );
  const operations = Object.entries(value.operations).map(([id, used]) => [
    id,
    toOperation(`${file}: operation ${id}`, id, used),
  ]);
  return { format: 1, api: String(value.api), operations: Object.fromEntries(operations) };
};

/** The largest file or reply that is read, in MiB. */
export const LARGEST = 20;

/** Adds the lists "reads", which people write, from an earlier version of the file. @throws Unusable as in `readUsed` */
export const withReads = (used: UsedFile, file: string): UsedFile => {
  if (!existsSync(file)) return used;
  const { operations: earlier } = readUsed(file);
  const operations = Object.entries(used.operations).map(([id, own]) => {
    const { reads } = earlier[id] ?? {};
    return [id, { ...own, ...(reads && { reads }) }];
  });
  return { ...used, operations: Object.fromEntries(operations) };
};

/** Reads a file. @param advice the end of the error message @throws Unusable if the file cannot be read */
export const readText = (file: string, advice: string): string => {
  const read = readRegularFile(file, LARGEST);
  if ('problem' in read) throw new Unusable(`${file} ${read.problem}. ${advice}`);
  return read.bytes.toString('utf8').replace(/^\uFEFF/, '');
};

const toOperation = (place: string, id: string, used: unknown): UsedOperation => {
  const known = loadContract().operations.map(({ operationId }) => operationId);
  if (!known.some((one) => one === id))
    throw new Unusable(`${place} is not in the contract of this mock.${didYouMean(id, known)}`);
  const { sends, gets, reads } = Object(used);
  if (!isTexts(sends) || !isLists(gets))
    throw new Unusable(
      `${place} should have a list "sends", and an object "gets" with one list for each status.`,
    );
  if (reads === undefined) return { sends, gets };
  if (!isTexts(reads)) throw new Unusable(`${place} has "reads", which should be a list of members.`);
  const withHolders = (member: string) => [...holdersOf(member).slice(1), member]; // without the whole reply
  const got = new Set(Object.values(gets).flat().flatMap(withHolders));
  const unknown = reads.find((name) => !got.has(name));
  if (unknown === undefined) return { sends, gets, reads };
  const meant = didYouMean(unknown, got);
  throw new Unusable(`${place} reads ${unknown}, but no reply in "gets" has this member.${meant}`);
};

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const isLists = (value: unknown): value is Record<string, string[]> =>
  isJsonObject(value) && Object.values(value).every(isTexts);

/** The operations that the application used, as the mock's contract describes them. */
export const usedOperations = <Id extends string>(
  { operations }: UsedFile,
  contract: Contract<Id>,
): readonly (readonly [ContractOperation<Id>, UsedOperation])[] =>
  contract.operations.flatMap((operation) => {
    const used = operations[operation.operationId];
    return used ? [[operation, used] as const] : [];
  });

/** Splits `NAME=VALUE`. Without `=`, the whole text is the name, and the value is undefined. */
export const splitSent = (sent: string): { readonly name: string; readonly value: string | undefined } => {
  const [name = '', ...value] = sent.split('=');
  return { name, value: value.length > 0 ? value.join('=') : undefined };
};
