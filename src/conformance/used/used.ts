/** Reads the file that lists what an application relies on: names and values from the contract. */
import { readFileSync } from 'node:fs';
import { isJsonObject } from '../../contract/document.ts';
import { type ContractOperation, loadContract } from '../../contract/load.ts';
import { Unusable } from '../../core/errors.ts';
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
}

export interface Used {
  readonly format: 1;
  /** The version of the contract that describes these operations. */
  readonly api: string;
  /** What the application used of each operation, by operation id. */
  readonly operations: Readonly<Record<string, UsedOperation>>;
}

/** Reads a file that `exec --used` wrote. @throws Unusable if the file is of another kind */
export const readUsed = (file: string): Used => {
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

/** Reads a file. @param advice the end of the error message @throws Unusable if the file cannot be read */
export const readText = (file: string, advice: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // the cast is safe: the errors of `readFileSync` have a `code`
    throw new Unusable(`${file} cannot be read (${code}). ${advice}`);
  }
};

const toOperation = (place: string, id: string, used: unknown): UsedOperation => {
  const known = loadContract().operations.map(({ operationId }) => operationId);
  if (!known.some((one) => one === id))
    throw new Unusable(`${place} is not in the contract of this mock.${didYouMean(id, known)}`);
  const { sends, gets } = Object(used);
  if (isTexts(sends) && isLists(gets)) return { sends, gets };
  throw new Unusable(
    `${place} should have a list "sends", and an object "gets" with one list for each status.`,
  );
};

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const isLists = (value: unknown): value is Record<string, string[]> =>
  isJsonObject(value) && Object.values(value).every(isTexts);

/** The operations that the application used, as the mock's contract describes them. */
export const usedOperations = ({
  operations,
}: Used): readonly (readonly [ContractOperation, UsedOperation])[] =>
  loadContract().operations.flatMap((operation) => {
    const used = operations[operation.operationId];
    return used ? [[operation, used] as const] : [];
  });

/** Splits `NAME=VALUE`. Without `=`, the whole text is the name, and the value is undefined. */
export const splitSent = (sent: string): { readonly name: string; readonly value: string | undefined } => {
  const [name = '', ...value] = sent.split('=');
  return { name, value: value.length > 0 ? value.join('=') : undefined };
};
