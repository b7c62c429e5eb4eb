/** A text or an object that a scenario is read from, with the places of its values. */

import { builtValue } from '../openapi/built-yaml.ts';
import { checkData } from './data.ts';
import { type Fault, type Faults, formatPath, type Path } from './fault.ts';
import { addUnread, type Broken, type Unread, withoutBroken } from './unread.ts';
import { locateIn, parseYaml } from './yaml.ts';
import type { Locate } from './yaml-places.ts';

export interface Source {
  /** As messages name it; absent for an object. */
  readonly file?: string;
  /** Without what is wrong with it. */
  readonly value: unknown;
  readonly locate: Locate;
  /** What was wrong with it; absent where nothing was. */
  readonly unread?: Unread;
  /** Nobody wrote it: it is what an environment holds, put into the form of a scenario. */
  readonly isHeld?: true;
}

/** What an environment holds, as a source. Faults name it where a file would be named. */
export const heldSource = (environment: string, value: unknown): Source => ({
  file: `what ${environment} holds`,
  value,
  locate: () => undefined,
  isHeld: true,
});

/** The source to go on with where something is wrong. */
export const readOn = (source: Source, broken: readonly Broken[]): Source => ({
  ...source,
  value: withoutBroken(source.value, broken),
  unread: addUnread(source.unread, broken),
});

/** Whether a fault is about the name of a member or about what stands under it. */
export type Part = 'key' | 'value';

/** A fault of a source, with line and column where it has any. */
export const faultAt = (source: Source, path: Path, message: string, part: Part = 'value'): Fault => ({
  ...(source.file !== undefined && { file: source.file, ...source.locate(path, part) }),
  path: formatPath(path),
  message,
});

/** A scenario that is an object already. Its faults have a path only. */
export const objectSource = (value: unknown, faults: Faults): Source =>
  dataSource({ value, locate: () => undefined }, faults);

const dataSource = (source: Source, faults: Faults): Source => {
  const broken = [...checkData(source.value)];
  for (const { path, message } of broken) faults.add(faultAt(source, path, message, 'key'));
  return broken.length === 0 ? source : readOn(source, broken);
};

const MOST_YAML = 8 * 2 ** 20;
const MOST_JSON = 128 * 2 ** 20;

/** The source that a file's text is; what is wrong with the text itself goes to `faults`. */
export const textSource = (file: string, text: string, faults: Faults): Source => {
  const limit = file.endsWith('.json') ? MOST_JSON : MOST_YAML;
  if (text.length > limit) {
    faults.add({ file, line: 1, column: 1, path: '', message: `is larger than ${limit / 2 ** 20} MiB` });
    faults.lost.addFile(undefined);
    return readOn({ file, value: {}, locate: () => undefined }, [WHOLE]);
  }
  const json = file.endsWith('.json') ? parseJson(text) : undefined;
  // JSON is read by the platform, which is fast; places are looked up only when there is a fault to place.
  return json === undefined
    ? yamlSource(file, text, faults)
    : dataSource({ file, value: json.value, locate: locateIn(text) }, faults);
};

/** A file of which nothing, or next to nothing, could be read. */
const WHOLE: Broken = { path: [], isKept: true };

const yamlSource = (file: string, text: string, faults: Faults): Source => {
  const known = builtValue(text);
  if (known !== undefined) return { file, value: known, locate: locateIn(text) };
  const { value, locate, problems, isReadable } = parseYaml(text);
  for (const { line, column, path, message, lost } of problems) {
    faults.add({ file, line, column, path: formatPath(path), message });
    faults.lost.add(undefined, lost);
  }
  if (!isReadable) faults.lost.addFile(text);
  return isReadable ? { file, value, locate } : readOn({ file, value, locate }, [WHOLE]);
};

const parseJson = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // the YAML reader tells where it is broken
  }
};
