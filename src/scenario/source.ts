/** A text or an object that a scenario is read from, with the places of its values. */
import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { builtValue } from '../openapi/built-yaml.ts';
import { checkData, DEEPEST } from './data.ts';
import { formatPath, type Path, type Problem, type Problems } from './problem.ts';
import { type Locate, type Part, parseYaml } from './yaml.ts';

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
  part: Part = 'value',
): Problem => ({
  ...(file !== undefined && { file, ...locate([...at, ...path], part) }),
  path: formatPath([...at, ...path]),
  message,
});

/** A scenario that is an object already. Its problems have a path only. */
export const objectSource = (value: unknown): Source => ({ value, locate: () => undefined });

/** Adds a problem for every place of a source's value that no data may have (behaviour T10). */
export const checkSourceData = (source: Source, problems: Problems): void =>
  checkData(source.value, (path, message) => problems.add(problemAt(source, path, message, 'key')));

const MIB = 2 ** 20;
const MOST_JSON = 64 * MIB;
/** YAML takes the reader some ten times as long. */
const MOST_YAML = 8 * MIB;

/** What a file holds, or why it is not read. */
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
  const { bytes } = read;
  if (isUtf8(bytes)) return textSource(file, bytes.toString('utf8').replace(/^\uFEFF/, ''), problems);
  const readable = bytes.toString('utf8').split('\uFFFD', 1)[0] ?? '';
  return problems.add({ file, ...placeAtEnd(readable), path: '', message: 'holds bytes that are not UTF-8' });
};

/** The source that a text is, see `fileSource`. */
export const textSource = (file: string, text: string, problems: Problems): Source | undefined =>
  isJsonFile(file) ? jsonSource(file, text, problems) : yamlSource(file, text, problems);

const isJsonFile = (file: string): boolean => file.toLowerCase().endsWith('.json');

const yamlSource = (file: string, text: string, problems: Problems): Source | undefined => {
  const known = builtValue(text);
  if (known !== undefined) return { file, value: known, locate: locateIn(text) };
  const { value, locate, problems: found } = parseYaml(text);
  for (const { path, ...problem } of found) problems.add({ file, path: formatPath(path), ...problem });
  return value === undefined ? undefined : { file, value, locate };
};

const jsonSource = (file: string, text: string, problems: Problems): Source | undefined => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const [message = '', position] = String((error as Error).message).split(
      / in JSON at position | at position /,
    );
    const place = placeAtEnd(position === undefined ? text : text.slice(0, Number.parseInt(position, 10)));
    return problems.add({ file, ...place, path: '', message: `is not JSON: ${message}` });
  }
  if (countNames(text) !== countMembers(value, 0)) addTwice(file, text, problems);
  return { file, value, locate: locateIn(text) };
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

/** The names that are written twice, which the platform's reader lets pass. */
const addTwice = (file: string, text: string, problems: Problems): void => {
  const found = text.length > MOST_YAML ? [] : parseYaml(text).problems;
  for (const { path, ...problem } of found) problems.add({ file, path: formatPath(path), ...problem });
  if (found.length === 0) problems.add({ file, path: '', message: 'a name is written twice in one object' });
};

/** How many names of members a JSON text writes; more than its value has members where a name is there twice. */
const countNames = (text: string): number => {
  let count = 0;
  for (const [, colon] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"?\s*(:)?/gs)) if (colon) count += 1;
  return count;
};

const countMembers = (value: unknown, depth: number): number => {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, member) => sum + countMembers(member, depth + 1), own);
};

const placeAtEnd = (text: string): { readonly line: number; readonly column: number } => {
  const lines = text.split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
};
