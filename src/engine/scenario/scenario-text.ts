/**
 * The text of scenario files. The mock writes JSON with each row on one line, which is YAML too, and YAML for people. It
 * reads YAML, and
 * reads long JSON without the YAML parser, which takes ten times as long and would take minutes for 100,000 rows.
 */

import { stringify } from 'yaml';
import { isJsonObject } from '../contract/document.ts';
import { builtValue } from '../contract/package-root.ts';
import { hasMembers, parseJson } from '../core/object.ts';
import { type Locate, type ParsedYaml, parseYaml } from './yaml.ts';

/** How deep lists of rows are nested: inside `environments`, and there inside an environment. */
const DEPTH = 2;

/** The text of a scenario file. */
export const writeScenario = (scenario: object): string => `${writeMembers(scenario, DEPTH)}\n`;

/** More rows than this nobody reads, and the YAML writer would take long. */
const MOST_READ = 5_000;

/** The text of a scenario file for people: YAML or, if it has very many rows, JSON with each row on one line. */
export const writeYaml = (scenario: { readonly environments: object }): string => {
  const lists = Object.values(scenario.environments).flatMap((each) => Object.values(Object(each)));
  return lists.flat().length > MOST_READ ? writeScenario(scenario) : stringify(scenario, { lineWidth: 0 });
};

const writeMembers = (members: object, depth: number): string => {
  const lines = Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}: ${writeValue(value, depth)}`);
  return `{\n${lines.join(',\n')}}`;
};

const writeValue = (value: unknown, depth: number): string => {
  if (Array.isArray(value) && value.length > 0)
    return `[\n${value.map((row) => JSON.stringify(row)).join(',\n')}]`;
  return depth > 0 && isJsonObject(value) && hasMembers(value)
    ? writeMembers(value, depth - 1)
    : JSON.stringify(value);
};

const MIB = 2 ** 20;
/** The most characters that the YAML parser gets. JSON may be longer. */
const MOST_YAML = 8 * MIB;
/** JSON up to this length is parsed as YAML, because only the YAML parser reports repeated names. */
const MOST_JSON_CHECKED = MIB;

/** Reads the text of a scenario file. @param file the file's name; in a `.json` file, comments are reported as such */
export const readScenario = (text: string, file = ''): ParsedYaml => {
  const isLong = text.length > MOST_JSON_CHECKED && /^\s*[{[]/.test(text);
  const known = builtValue(text) ?? (isLong ? parseJson(text) : undefined);
  if (known !== undefined) return { problems: [], value: known, locate: locateIn(text) };
  if (text.length > MOST_YAML) return refused(`is larger than ${MOST_YAML / MIB} MiB and is not JSON`);
  const comment = file.toLowerCase().endsWith('.json') ? findComment(text) : undefined;
  return comment === undefined
    ? parseYaml(text)
    : refused(
        'JSON has no comments; remove this one, or rename the file to .yaml and begin comments with #',
        placeIn(text, comment),
      );
};

const refused = (message: string, place = { line: 1, column: 1 }): ParsedYaml => ({
  problems: [{ ...place, message }],
  value: undefined,
  locate: () => place,
});

/** Finds the places of values in JSON. The YAML parser supplies them; it runs only when a place is asked for. */
const locateIn = (text: string): Locate => {
  let locate: Locate | undefined;
  return (path, part) => {
    if (text.length > MOST_YAML) return undefined;
    locate ??= parseYaml(text).locate;
    return locate(path, part);
  };
};

const STRING_OR_COMMENT = /"(?:[^"\\]|\\.)*(?:"|\\?$)|(?<=^|[\s,{}[\]])(\/[/*])/gs;

/** The offset of the first comment outside of strings in a text that is not JSON. */
const findComment = (text: string): number | undefined =>
  parseJson(text) === undefined
    ? [...text.matchAll(STRING_OR_COMMENT)].find(([, comment]) => comment !== undefined)?.index
    : undefined;

const placeIn = (text: string, offset: number) => {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
};
