/** The file that says what an application relies on: names only, no data. */
import { readFileSync } from 'node:fs';
import { Unusable } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { parseJson } from '../core/object.ts';
import { isJsonObject } from '../openapi/document.ts';
import { type ContractOperation, loadContract } from '../openapi/load.ts';

export interface UsedOperation {
  /** Parameters and body members that were sent: `roles[].name`, or `include=all` where the contract lists values. */
  readonly sends: readonly string[];
  /** Members that replies held, by status. */
  readonly gets: Readonly<Record<string, readonly string[]>>;
}

export interface Used {
  readonly format: 1;
  /** Version of the contract that the names are from. */
  readonly api: string;
  /** By operation id. */
  readonly operations: Readonly<Record<string, UsedOperation>>;
}

/** @throws Unusable */
export const readUsed = (file: string): Used => {
  const value = parseJson(readText(file));
  if (!isJsonObject(value) || !isJsonObject(value.operations))
    throw new Unusable(
      `${file} does not say what an application relies on. Write it with "ca-mock exec --used ${file} -- COMMAND".`,
    );
  if (value.format !== 1)
    throw new Unusable(`${file} has format ${value.format}, but this version reads format 1. Write it anew.`);
  const operations = Object.entries(value.operations).map(([id, used]) => [
    id,
    toOperation(`${file}: operation ${id}`, id, used),
  ]);
  return { format: 1, api: String(value.api), operations: Object.fromEntries(operations) };
};

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // an error of the file system
    throw new Unusable(`${file} cannot be read (${code}). Check its name.`);
  }
};

const toOperation = (place: string, id: string, used: unknown): UsedOperation => {
  const known = loadContract().operations.map(({ operationId }) => operationId);
  if (!known.some((one) => one === id))
    throw new Unusable(`${place} is not in the contract of this mock.${didYouMean(id, known)}`);
  if (isJsonObject(used) && isTexts(used.sends) && isJsonObject(used.gets)) {
    const gets = Object.entries(used.gets);
    if (gets.every((each): each is [string, string[]] => isTexts(each[1])))
      return { sends: used.sends, gets: Object.fromEntries(gets) };
  }
  throw new Unusable(`${place} should have a list "sends" and lists by status under "gets".`);
};

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** The operations of the contract that are used. */
export const usedOperations = ({
  operations,
}: Used): readonly (readonly [ContractOperation, UsedOperation])[] =>
  loadContract().operations.flatMap((operation) => {
    const used = operations[operation.operationId];
    return used ? [[operation, used] as const] : [];
  });

/** `include=all` as name and value; most have a name alone. */
export const splitSent = (sent: string): { readonly name: string; readonly value: string | undefined } => {
  const [name = '', ...value] = sent.split('=');
  return { name, value: value.length > 0 ? value.join('=') : undefined };
};
