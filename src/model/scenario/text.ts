/**
 * The text of scenario files. The mock writes JSON with each row on one line, which is YAML too. It reads YAML, and
 * reads long JSON without the YAML parser, which takes ten times as long and would take minutes for 100,000 rows.
 */

import { isJsonObject } from '../../contract/document.ts';
import { builtValue } from '../../contract/package-root.ts';
import { hasMembers, parseJson } from '../../core/object.ts';
import { takeTurn } from '../../core/turns.ts';
import { type Locate, type ParsedYaml, parseYaml } from './yaml.ts';

/** How deep lists of rows are nested: inside `environments`, and there inside an environment. */
const DEPTH = 2;

/** The text of a scenario file. */
export const writeScenario = (scenario: object): string => `${[...linesOf(scenario, DEPTH)].join('')}\n`;

/** Characters to write between two looks at the turn. */
const PIECE = 16 * 1024;

/** Like `writeScenario`, but other calls run meanwhile. The lists of rows can be any iterables. */
export const writeInTurns = async (scenario: object): Promise<string> => {
  const pieces: string[] = [];
  let piece = '';
  for (const line of linesOf(scenario, DEPTH)) {
    piece += line;
    if (piece.length < PIECE) continue;
    pieces.push(piece);
    await takeTurn(piece.length);
    piece = '';
  }
  return `${pieces.join('')}${piece}\n`;
};

function* linesOf(members: object, depth: number): Generator<string> {
  let before = '{\n';
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}: `;
    before = ',\n';
    if (isRows(value)) {
      let separator = '[\n';
      for (const row of value) {
        yield separator + JSON.stringify(row);
        separator = ',\n';
      }
      yield ']';
    } else if (depth > 0 && isJsonObject(value) && hasMembers(value)) yield* linesOf(value, depth - 1);
    else yield JSON.stringify(value);
  }
  yield '}';
}

const isRows = (value: unknown): value is Iterable<unknown> =>
  Array.isArray(value) ? value.length > 0 : Symbol.iterator in Object(value) && typeof value === 'object';

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

const STRING_OR_COMMENT = /"(?:[^"\\]|\\.)*(?:"|$)|(?<=^|[\s,{}[\]])(\/[/*])/gs;

/** The offset of the first comment outside of strings in a text that is not JSON. */
const findComment = (text: string): number | undefined =>
  parseJson(text) === undefined
    ? [...text.matchAll(STRING_OR_COMMENT)].find(([, comment]) => comment !== undefined)?.index
    : undefined;

const placeIn = (text: string, offset: number) => {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
};
