/** YAML to plain data, with the place of every value. Bombs, cycles and forbidden names are refused here. */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import { DEEPEST, FORBIDDEN_NAME, TOO_DEEP } from './data.ts';
import type { Path } from './fault.ts';

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The place of a member's name or value; of the nearest thing around it where it is not there. */
export type Locate = (path: Path, part: 'key' | 'value') => Place | undefined;

export interface Problem extends Place {
  readonly path: Path;
  readonly message: string;
}

/** Values that aliases may add to a document; more is a bomb. */
const MOST_ALIASED = 10_000;

/** Reads a text. Where there are problems the value is incomplete. */
export const parseYaml = (text: string): { value: unknown; locate: Locate; problems: Problem[] } => {
  const lines = new LineCounter();
  const parsed = parse(text, lines);
  if (!parsed) return { value: undefined, locate: () => undefined, problems: [tooDeep] };
  const problems: Problem[] = parsed.errors.map(({ message, pos }) => ({
    ...placeAt(lines, pos[0]),
    path: [],
    message: message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message,
  }));
  const report = (node: Node | undefined, path: Path, message: string): void => {
    problems.push({ ...placeAt(lines, node?.range?.[0]), path, message });
  };
  const value = problems.length > 0 ? undefined : toData(parsed, report);
  return { value, locate: locator(parsed, lines), problems };
};

/** Places in a text that is known to be readable; it is read when the first one is asked for. */
export const locateIn = (text: string): Locate => {
  let locate: Locate | undefined;
  return (path, part) => {
    if (!locate) {
      const lines = new LineCounter();
      const parsed = parse(text, lines);
      locate = parsed ? locator(parsed, lines) : () => undefined;
    }
    return locate(path, part);
  };
};

const tooDeep: Problem = { line: 1, column: 1, path: [], message: TOO_DEEP };

/** Undefined where the text is nested so deeply that the reader itself gives up. */
const parse = (text: string, lineCounter: LineCounter): Document | undefined => {
  try {
    // The check for equal names is quadratic in the library; our own is below.
    return parseDocument(text, { lineCounter, uniqueKeys: false, version: '1.2', logLevel: 'silent' });
  } catch (error) {
    if (error instanceof Error || (error as Error | null)?.name === 'RangeError') return undefined;
    throw error;
  }
};

const placeAt = (lines: LineCounter, offset = 0): Place => {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
};

type Report = (node: Node | undefined, path: Path, message: string) => void;

const toData = (document: Document, report: Report): unknown => {
  const anchors = new Map<string, Node>();
  let aliased = 0;
  const read = (node: unknown, path: Path, inAlias: boolean): unknown => {
    if (!isNode(node)) return null;
    if (inAlias) aliased += 1;
    if (path.length > DEEPEST || aliased > MOST_ALIASED) {
      if (aliased <= MOST_ALIASED) report(node, path, TOO_DEEP);
      else if (aliased === MOST_ALIASED + 1)
        report(node, path, `aliases add more than ${MOST_ALIASED} values`);
      return undefined;
    }
    if (isAlias(node)) return read(anchors.get(node.source), path, true);
    if ('anchor' in node && typeof node.anchor === 'string') anchors.set(node.anchor, node);
    if (isMap(node)) return readMap(node, path, inAlias);
    if (isSeq(node)) return node.items.map((item, index) => read(item, [...path, index], inAlias));
    return isScalar(node) ? node.value : null;
  };
  const readMap = (map: YAMLMap, path: Path, inAlias: boolean): object => {
    const members = new Map<string, unknown>();
    for (const { key, value } of map.items) {
      const name = nameOf(key);
      const keyNode = isNode(key) ? key : map;
      if (name === undefined) report(keyNode, path, 'a name must be a plain text');
      else if (name === '__proto__') report(keyNode, [...path, name], FORBIDDEN_NAME);
      else if (members.has(name)) report(keyNode, [...path, name], 'stands twice; leave one out');
      else members.set(name, read(value, [...path, name], inAlias));
    }
    return Object.fromEntries(members);
  };
  return read(document.contents, [], false);
};

const nameOf = (key: unknown): string | undefined =>
  isScalar(key) && (typeof key.value === 'string' || typeof key.value === 'number')
    ? String(key.value)
    : undefined;

const locator =
  (document: Document, lines: LineCounter): Locate =>
  (path, part) => {
    let node: unknown = document.contents;
    let offset = isNode(node) ? node.range?.[0] : undefined;
    for (const [index, step] of path.entries()) {
      if (isAlias(node)) node = node.resolve(document);
      const pair = isMap(node) ? node.items.find(({ key }) => nameOf(key) === step) : undefined;
      const next = isSeq(node) && typeof step === 'number' ? node.items[step] : pair?.value;
      const isLast = index === path.length - 1;
      const shown = pair && (!isNode(next) || (isLast && part === 'key')) ? pair.key : next;
      if (!isNode(shown)) break;
      offset = shown.range?.[0] ?? offset;
      node = next;
    }
    return placeAt(lines, offset);
  };
