/**
 * Writes and reads the text of scenario files. Writes each row as one line of JSON, which is also valid YAML. Parses
 * such lines as JSON, because a YAML parser would take minutes for 100,000 rows.
 */

import { isJsonObject } from '../../contract/document.ts';
import { parseJson } from '../../core/object.ts';
import { parseYaml } from './yaml.ts';

/** The number of characters after which `writePieces` yields a piece. */
const PIECE = 16_384;

/** How deep lists of rows are nested: inside `environments`, and there inside an environment. */
const DEPTH = 2;

/**
 * Yields the text of a scenario file in pieces, so that the caller can do other work in between. Reads each row only
 * when a piece needs it.
 * @param file its extension decides the format: JSON for `.json`, YAML for any other
 */
export function* writePieces(scenario: object, file: string): Generator<string> {
  const isJson = file.toLowerCase().endsWith('.json');
  let piece = '';
  for (const text of isJson ? jsonOf(scenario, DEPTH) : yamlOf(scenario, DEPTH)) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield isJson ? `${piece}\n` : piece;
}

/** The text of a scenario file. */
export const writeScenario = (scenario: object, file: string): string =>
  [...writePieces(scenario, file)].join('');

function* jsonOf(members: object, depth: number): Generator<string> {
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
    } else if (depth > 0 && isFilled(value)) yield* jsonOf(value, depth - 1);
    else yield JSON.stringify(value);
  }
  yield '}';
}

function* yamlOf(members: object, depth: number, indent = ''): Generator<string> {
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    const isPlain = /^(?!(?:true|false|null)$)[a-z_]/i.test(name);
    yield `${indent}${isPlain ? name : JSON.stringify(name)}:`;
    if (isRows(value)) {
      for (const row of value) yield `\n${indent}  - ${JSON.stringify(row)}`;
      yield '\n';
    } else if (depth > 0 && isFilled(value)) {
      yield '\n';
      yield* yamlOf(value, depth - 1, `${indent}  `);
    } else yield ` ${JSON.stringify(value)}\n`;
  }
}

const isRows = (value: unknown): value is Iterable<unknown> =>
  Array.isArray(value) ? value.length > 0 : Symbol.iterator in Object(value) && typeof value === 'object';

const isFilled = (value: unknown): value is object => isJsonObject(value) && Object.keys(value).length > 0;

/** The start of a string that stands for several JSON rows while the rest of the text is parsed as YAML. */
const PLACEHOLDER = 'rows-in-lines-of-json-';
const ROW_LINES = /(?:^ *- \{".*\}\n){2,}/gm;

/** Parses a scenario file. @throws Error if the text is neither YAML nor JSON */
export const readScenario = (text: string): unknown => {
  const json = /^\s*\{/.test(text) ? parseJson(text) : undefined;
  if (json !== undefined) return json;
  const lists: unknown[][] = [];
  const short = text.replaceAll(ROW_LINES, (lines) => {
    const rows = lines
      .trimEnd()
      .split('\n')
      .map((line) => parseJson(line.slice(line.indexOf('{'))));
    if (rows.includes(undefined)) return lines;
    // Empty lines follow the placeholder, so that messages about later lines show the correct line numbers.
    return `${/^ */.exec(lines)}- ${PLACEHOLDER}${lists.push(rows) - 1}${'\n'.repeat(rows.length)}`;
  });
  let restored = 0;
  const rowsOf = (item: unknown): readonly unknown[] => {
    if (typeof item !== 'string' || !item.startsWith(PLACEHOLDER)) return [item];
    restored += 1;
    return lists[Number(item.slice(PLACEHOLDER.length))] ?? [];
  };
  const value = parse(short, (_name, each) => (Array.isArray(each) ? each.flatMap(rowsOf) : each));
  // If a placeholder ended up inside a longer string, it was not restored: then the lines were part of that string.
  return restored === lists.length ? value : parse(text);
};

const parse = (...given: Parameters<typeof parseYaml>): unknown => {
  const { problems, value } = parseYaml(...given);
  const [first] = problems;
  if (first) throw new Error(`line ${first.line}, column ${first.column}: ${first.message}`);
  return value;
};
