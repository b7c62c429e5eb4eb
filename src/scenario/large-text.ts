/**
 * Reads and writes scenario files of any size. A long list has one line of JSON per row. The lines are valid YAML, but
 * the mock parses them as JSON, because a YAML parser would block the server for minutes on 100,000 rows.
 */
import { parse } from 'yaml';
import { writeScenario } from './scenario-text.ts';
import { DEEPEST } from './yaml.ts';

type Rows = Iterable<unknown>;

/** A list with more rows than this is long. */
export const LONG = 1_000;
/** How many rows of a long list make one piece of text. */
const AT_ONCE = 500;

/** A placeholder for the rows of a long list. It is so long that the YAML writer puts it on a line of its own. */
const MARK = 'rows-of-a-long-list'.padEnd(140, '-');
const MARK_LINE = new RegExp(`^( *)- ${MARK}(\\d+)\\n`, 'm');
const ROW_LINES = /(?:^ *- \{".*\}\n){2,}/gm;

/** Yields the text of a scenario file in pieces. Reads a list that is not an array only when a piece needs its rows. */
export function* writeInPieces(scenario: object): Iterable<string> {
  const lists: Rows[] = [];
  const short = mapLists(scenario, (list) => {
    if (Array.isArray(list) && list.length <= LONG) return list;
    lists.push(list);
    return [`${MARK}${lists.length - 1}`];
  });
  let text = writeScenario(short as object, 'scenario.yaml');
  for (let found = MARK_LINE.exec(text); found; found = MARK_LINE.exec(text)) {
    const [whole, indent = '', place] = found;
    yield text.slice(0, found.index);
    let lines = 0;
    let piece = '';
    for (const row of lists[Number(place)] ?? []) {
      piece += `${indent}- ${JSON.stringify(row)}\n`;
      lines += 1;
      if (lines % AT_ONCE > 0) continue;
      yield piece;
      piece = '';
    }
    yield piece;
    text = text.slice(found.index + whole.length);
  }
  yield text;
}

/** Parses a scenario file. @throws Error if the text is neither YAML nor JSON */
export const readLargeText = (text: string): unknown => {
  if (/^\s*\{/.test(text)) {
    const value = tryJson(text);
    if (value !== undefined) return value;
  }
  const lists: Rows[] = [];
  const short = text.replaceAll(ROW_LINES, (lines) => {
    const rows = lines
      .trimEnd()
      .split('\n')
      .map((line) => tryJson(line.slice(line.indexOf('{'))));
    if (rows.includes(undefined)) return lines;
    lists.push(rows);
    return `${/^ */.exec(lines)}- ${MARK}${lists.length - 1}\n`;
  });
  return mapLists(parse(short), (list) =>
    [...list].flatMap((row) => {
      const place = typeof row === 'string' && row.startsWith(MARK) ? row.slice(MARK.length) : undefined;
      return place === undefined ? [row] : [...(lists[Number(place)] ?? [row])];
    }),
  );
};

const tryJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Applies `change` to every list, except lists inside lists. */
const mapLists = (value: unknown, change: (list: Rows) => Rows, depth = 0): unknown => {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Symbol.iterator in value) return change(value as Rows);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, mapLists(part, change, depth + 1)]),
  );
};
