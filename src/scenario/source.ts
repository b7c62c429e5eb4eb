/** The text or object that a scenario comes from. Knows the line and column of each value. */
import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { parseJson } from '../core/object.ts';
import { builtValue } from '../openapi/package-root.ts';
import { formatPath, type Path, type Problem, type Problems } from './problem.ts';
import { type KeyOrValue, type Locate, type Place, parseYaml } from './yaml.ts';

export interface Source {
  /** The name of the file in messages. Absent for an object. */
  readonly file?: string;
  readonly value: unknown;
  /** The path of the value in the file or object. Absent if the value is the whole file or object. */
  readonly at?: Path;
  readonly locate: Locate;
}

/** A problem in a source, with line and column if it is a file. */
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

/** A scenario given as an object. Its problems have a path only. */
export const objectSource = (value: unknown): Source => ({ value, locate: () => undefined });

const MIB = 2 ** 20;
const MOST_JSON = 64 * MIB;
/**
 * The most bytes of YAML, which takes ten times as long to parse as JSON. The places of values in a JSON file are found by
 * parsing it as YAML, so that is done for smaller files only.
 */
const MOST_YAML = 8 * MIB;
const MOST_JSON_CHECKED = MIB;

/** Returns the bytes of a file, or why the mock refuses it. @internal since its type needs Node's types */
export const readScenarioFile = (path: string): { readonly bytes: Buffer } | { readonly problem: string } => {
  const limit = isJsonFile(path) ? MOST_JSON : MOST_YAML;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return { problem: 'no longer exists' };
  if (!stats.isFile()) return { problem: 'is not a regular file' };
  return stats.size > limit
    ? { problem: `is larger than ${limit / MIB} MiB` }
    : { bytes: readFileSync(path) };
};

/**
 * Reads a file as a source. If that fails, adds problems and returns undefined.
 * @param file the name of the file in messages
 */
export const fileSource = (path: string, file: string, problems: Problems): Source | undefined => {
  const refuse = (message: string, place: Place = { line: 1, column: 1 }): undefined =>
    problems.add({ file, ...place, path: '', message });
  const read = readScenarioFile(path);
  if ('problem' in read) return refuse(read.problem);
  const text = read.bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (!isUtf8(read.bytes)) {
    const before = text.replace(/\uFFFD.*$/s, '').split('\n');
    const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    return refuse('holds bytes that are not UTF-8', place);
  }
  const known =
    builtValue(text) ?? (isJsonFile(file) && text.length > MOST_JSON_CHECKED ? parseJson(text) : undefined);
  if (known !== undefined) return { file, value: known, locate: locateIn(text) };
  if (text.length > MOST_YAML) return refuse('is not JSON');
  const { problems: found, value, locate } = parseYaml(text);
  for (const { message, ...place } of found) refuse(message, place);
  if (value === null)
    return refuse('is empty; write environments: { development: {} }, or start with ca-mock init');
  return value === undefined ? undefined : { file, value, locate };
};

const isJsonFile = (file: string): boolean => file.toLowerCase().endsWith('.json');

/**
 * Finds the places of values in a text that was parsed without places. Parses the text again when the first place is
 * needed, unless the text is too long for that.
 */
const locateIn = (text: string): Locate => {
  let locate: Locate | undefined;
  return (path, part) => {
    if (text.length > MOST_YAML) return undefined;
    locate ??= parseYaml(text).locate;
    return locate(path, part);
  };
};
