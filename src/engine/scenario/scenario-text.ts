/**
 * The text of scenario files. The mock writes JSON with each row on one line, which is YAML too, and YAML for people. It
 * reads YAML, but long JSON without the YAML parser, which would take minutes for 100,000 rows.
 */
import { stringify } from 'yaml';
import { builtValue } from '../contract/package-root.ts';
import { hasMembers, isJsonObject, parseJson } from '../core/object.ts';
import { type Locate, type ParsedYaml, parseYaml } from './yaml.ts';

/** The text of a scenario file. */
export const writeScenario = (scenario: object): string => `${writeMembers(scenario, DEPTH)}\n`;

/** How many objects are around a list of rows: the scenario, `environments`, and an environment. */
const DEPTH = 3;

/** More rows than this nobody reads, and the YAML writer would take long. */
const MOST_READ = 5_000;

/** The text of a scenario file for people: YAML or, if it has very many rows, JSON with each row on one line. */
export const writeYaml = (scenario: { readonly environments: object }): string => {
  const lists = Object.values(scenario.environments).flatMap((each) => Object.values(Object(each)));
  return lists.flat().length > MOST_READ ? writeScenario(scenario) : stringify(scenario, { lineWidth: 0 });
};

const writeMembers = (value: unknown, depth: number): string => {
  if (Array.isArray(value) && value.length > 0)
    return `[\n${value.map((row) => JSON.stringify(row)).join(',\n')}]`;
  if (depth === 0 || !isJsonObject(value) || !hasMembers(value)) return JSON.stringify(value);
  const lines = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}: ${writeMembers(member, depth - 1)}`);
  return `{\n${lines.join(',\n')}}`;
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
  if (text.length <= MOST_YAML) return parseYaml(text, file.toLowerCase().endsWith('.json'));
  const message = `is larger than ${MOST_YAML / MIB} MiB and is not JSON`;
  return { problems: [{ line: 1, column: 1, message }], value: undefined, locate: () => undefined };
};

/** Finds the places of values in JSON. The YAML parser supplies them; it runs only when a place is asked for. */
const locateIn = (text: string): Locate => {
  let locate: Locate | undefined;
  return (path, part) => {
    if (text.length > MOST_YAML) return undefined;
    locate ??= parseYaml(text).locate;
    return locate(path, part);
  };
};
