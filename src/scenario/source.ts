/** A text or an object that a scenario is read from, with the places of its values. */

import { prebuiltValue } from '../contract/prebuilt.ts';
import { checkData } from './data.ts';
import { type Fault, type Faults, formatPath, type Path } from './fault.ts';
import { type Locate, locateIn, parseYaml } from './yaml.ts';

export interface Source {
  /** As messages name it; absent for an object. */
  readonly file?: string;
  readonly value: unknown;
  readonly locate: Locate;
}

/** Whether a fault is about the name of a member or about what stands under it. */
export type Part = 'key' | 'value';

/** A fault of a source, with line and column where it has any. */
export const faultAt = (source: Source, path: Path, message: string, part: Part = 'value'): Fault => ({
  ...(source.file !== undefined && { file: source.file, ...source.locate(path, part) }),
  path: formatPath(path),
  message,
});

/** A scenario that is an object already. Its faults have a path only. */
export const objectSource = (value: unknown, faults: Faults): Source => {
  const source: Source = { value, locate: () => undefined };
  for (const { path, message } of checkData(value)) faults.add(faultAt(source, path, message, 'key'));
  return source;
};

const MOST_YAML = 8 * 2 ** 20;
const MOST_JSON = 128 * 2 ** 20;

/** The source that a file's text is; what is wrong with the text itself goes to `faults`. */
export const textSource = (file: string, text: string, faults: Faults): Source => {
  const limit = file.endsWith('.json') ? MOST_JSON : MOST_YAML;
  if (text.length > limit) {
    faults.add({ file, line: 1, column: 1, path: '', message: `is larger than ${limit / 2 ** 20} MiB` });
    return { file, value: undefined, locate: () => undefined };
  }
  const json = file.endsWith('.json') ? parseJson(text) : undefined;
  return json === undefined ? yamlSource(file, text, faults) : jsonSource(file, text, json.value, faults);
};

const yamlSource = (file: string, text: string, faults: Faults): Source => {
  const known = prebuiltValue(text);
  if (known !== undefined) return { file, value: known, locate: locateIn(text) };
  const { value, locate, problems } = parseYaml(text);
  for (const { line, column, path, message } of problems)
    faults.add({ file, line, column, path: formatPath(path), message });
  return { file, value, locate };
};

/** JSON is read by the platform, which is fast; places are looked up only when there is a fault to place. */
const jsonSource = (file: string, text: string, value: unknown, faults: Faults): Source => {
  const source: Source = { file, value, locate: locateIn(text) };
  for (const { path, message } of checkData(value)) faults.add(faultAt(source, path, message, 'key'));
  return source;
};

const parseJson = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // the YAML reader tells where it is broken
  }
};
