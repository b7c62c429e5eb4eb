/** A text or an object that a scenario is read from, with the places of its values. */
import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { builtValue } from '../openapi/built-yaml.ts';
import { formatPath, type Path, type Problem, type Problems } from './problem.ts';
import { DEEPEST, type KeyOrValue, type Locate, type Place, parseYaml } from './yaml.ts';

export interface Source {
  /** As messages name it; absent for an object. */
  readonly file?: string;
  readonly value: unknown;
  /** Where the value is in the file or object; absent for the whole of it. */
  readonly at?: Path;
  readonly locate: Locate;
}

/** A problem of a source, with line and column where it has any. */
export const problemAt = (
  { file, at = [], locate }: Source,
  path: Path,
  message: string,
  part: KeyOrValue = 'value',
): Problem => ({
  ...(file !== undefined && { file, ...locate([...at, ...path], part) }),
  path: formatPath([...at, ...path]),
  message,
});

/** A scenario that is an object already. Its problems have a path only. */
export const objectSource = (value: unknown): Source => ({ value, locate: () => undefined });

const MIB = 2 ** 20;
const MOST_JSON = 64 * MIB;
/** YAML takes the reader some ten times as long. */
const MOST_YAML = 8 * MIB;

/** What a file holds, or why it is not read. @internal left out of the package's types, as it needs those of node */
export const readScenarioFile = (path: string): { readonly bytes: Buffer } | { readonly problem: string } => {
  const limit = isJsonFile(path) ? MOST_JSON : MOST_YAML;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return { problem: 'is not there any more' };
  if (!stats.isFile()) return { problem: 'is not a regular file' };
  return stats.size > limit
    ? { problem: `is larger than ${limit / MIB} MiB` }
    : { bytes: readFileSync(path) };
};

/** The source that a file is; undefined, with the problems of it, where it cannot be read. @param file as messages name it */
export const fileSource = (path: string, file: string, problems: Problems): Source | undefined => {
  const read = readScenarioFile(path);
  if ('problem' in read) return problems.add({ file, line: 1, column: 1, path: '', message: read.problem });
  const text = read.bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (!isUtf8(read.bytes)) {
    const place = placeAtEnd(text.replace(/\uFFFD.*$/s, ''));
    return problems.add({ file, ...place, path: '', message: 'holds bytes that are not UTF-8' });
  }
  return isJsonFile(file) ? jsonSource(file, text, problems) : yamlSource(file, text, problems);
};

const isJsonFile = (file: string): boolean => file.toLowerCase().endsWith('.json');

const yamlSource = (file: string, text: string, problems: Problems): Source | undefined => {
  const known = builtValue(text);
  if (known !== undefined) return { file, value: known, locate: locateIn(text) };
  const { problems: found, value, locate } = parseYaml(text);
  for (const { path, ...problem } of found) problems.add({ file, path: formatPath(path), ...problem });
  return value === undefined ? undefined : { file, value, locate };
};

const jsonSource = (file: string, text: string, problems: Problems): Source | undefined => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // What it quotes of the text can be a credential.
    const message = messageOf(error).replace(/^(Unexpected token '.*?'), .*/s, '$1');
    const [words = '', position] = message.split(/ in JSON at position | at position /);
    const length = position === undefined ? readableLength(text) : Number.parseInt(position, 10);
    return problems.add({
      file,
      ...placeAtEnd(text.slice(0, length)),
      path: '',
      message: `is not JSON: ${words}`,
    });
  }
  // The platform's reader lets a name pass that is written twice; the other one says where it is.
  if (countNames(text) > countMembers(value)) {
    if (text.length <= MOST_YAML) yamlSource(file, text, problems);
    else problems.add({ file, path: '', message: 'a name is written twice in one object' });
  }
  return { file, value, locate: locateIn(text) };
};

const messageOf = (error: unknown): string => (error as Error).message; // what the platform's reader throws

/** How much of a text is JSON so far: the platform's reader does not always say where it met what it did not expect. */
const readableLength = (text: string): number => {
  let [good, bad] = [0, text.length + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (hasUnexpectedToken(text.slice(0, middle))) bad = middle;
    else good = middle;
  }
  return good;
};

const hasUnexpectedToken = (text: string): boolean => {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return messageOf(error).startsWith('Unexpected token');
  }
};

/** Places in a text that was read without them; it is read again when the first is asked for, unless that takes too long. */
const locateIn = (text: string): Locate => {
  let locate: Locate | undefined;
  return (path, part) => {
    if (text.length > MOST_YAML) return undefined;
    locate ??= parseYaml(text).locate;
    return locate(path, part);
  };
};

/** How many names of members a JSON text writes. */
const countNames = (text: string): number => {
  let count = 0;
  for (const [, colon] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"?\s*(:)?/gs)) if (colon) count += 1;
  return count;
};

/** How many members a value has at all depths; of one that is refused as too deep, more than any text writes. */
const countMembers = (value: unknown, depth = 0): number => {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > DEEPEST) return Number.POSITIVE_INFINITY;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, member) => sum + countMembers(member, depth + 1), own);
};

const placeAtEnd = (text: string): Place => {
  const lines = text.split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
};
