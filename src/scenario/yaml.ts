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
  /** What stands there and is not part of the value. */
  readonly lost?: unknown;
}

/** Values that aliases may add to a document; more is a bomb. */
const MOST_ALIASED = 10_000;

export interface ParsedYaml {
  /** Without what there are problems with. Of a text that is no YAML only `extends` is left, if it stands before that. */
  readonly value: unknown;
  readonly locate: Locate;
  readonly problems: readonly Problem[];
  /** Whether the text is YAML at all. */
  readonly isReadable: boolean;
}

/** Reads a text. */
export const parseYaml = (text: string): ParsedYaml => {
  const { document, lines } = parse(text);
  const problems: Problem[] = document.errors.map(({ message, pos, code }) => ({
    ...placeAt(lines, pos[0]),
    path: [],
    message: code === 'RESOURCE_EXHAUSTION' ? TOO_DEEP : firstLine(message),
  }));
  const report: Report = (node, path, message, lost) => {
    problems.push({ ...placeAt(lines, node?.range?.[0]), path, message, lost });
  };
  const isReadable = problems.length === 0;
  const value = isReadable ? readDocument(document, report) : readExtends(document);
  return { value, locate: locator(document, lines), problems, isReadable };
};

/** What a text that is broken further down extends, since those files may have faults to tell as well. */
const readExtends = ({ contents, errors }: Document): object => {
  const node = isMap(contents) ? contents.get('extends', true) : undefined;
  const end = node?.range?.[1] ?? Number.POSITIVE_INFINITY;
  if (errors.some(({ pos }) => pos[0] <= end)) return {};
  const named: unknown = node?.toJSON();
  return { extends: [named].flat().filter((name) => typeof name === 'string') };
};

/** Places in a text that is known to be readable; it is read when the first one is asked for. */
export const locateIn = (text: string): Locate => {
  let locate: Locate | undefined;
  return (path, part) => {
    if (!locate) {
      const { document, lines } = parse(text);
      locate = locator(document, lines);
    }
    return locate(path, part);
  };
};

const parse = (text: string): { document: Document; lines: LineCounter } => {
  const lines = new LineCounter();
  // The library's check for equal names is quadratic; our own is below.
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, logLevel: 'silent' });
  return { document, lines };
};

/** The library ends the first line with the place, which is told apart here. */
const firstLine = (message: string): string =>
  (message.split('\n')[0] ?? message).replace(/ at line \d+, column \d+:?$/, '');

const placeAt = (lines: LineCounter, offset = 0): Place => {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
};

type Report = (node: Node | undefined, path: Path, message: string, lost?: unknown) => void;

/** What reading one document keeps in mind. */
interface Reading {
  readonly report: Report;
  readonly anchors: Map<string, Node>;
  /** Values that were read once more because an alias stands for them. */
  aliased: number;
}

const readDocument = (document: Document, report: Report): unknown =>
  readNode({ report, anchors: new Map(), aliased: 0 }, document.contents, [], false);

const readNode = (reading: Reading, node: unknown, path: Path, inAlias: boolean): unknown => {
  if (!isNode(node)) return null;
  if (inAlias) reading.aliased += 1;
  if (reading.aliased > MOST_ALIASED) return refuseBomb(reading, node, path);
  if (path.length > DEEPEST) return reading.report(node, path, TOO_DEEP);
  if (isAlias(node)) return readNode(reading, reading.anchors.get(node.source), path, true);
  if (node.anchor !== undefined) reading.anchors.set(node.anchor, node);
  if (isMap(node)) return readMap(reading, node, path, inAlias);
  if (isSeq(node)) return node.items.map((item, index) => readNode(reading, item, [...path, index], inAlias));
  return isScalar(node) ? node.value : null;
};

/** Told once: everything after the first value too many is left unread. */
const refuseBomb = (reading: Reading, node: Node, path: Path): undefined => {
  if (reading.aliased === MOST_ALIASED + 1)
    reading.report(node, path, `aliases add more than ${MOST_ALIASED} values`);
};

const readMap = (reading: Reading, map: YAMLMap, path: Path, inAlias: boolean): object => {
  const members = new Map<string, unknown>();
  for (const { key, value } of map.items) {
    const name = nameOf(key);
    const problem = problemOfName(name, members);
    const at = name === undefined ? path : [...path, name];
    const held = readNode(reading, value, at, inAlias);
    if (problem !== undefined) reading.report(isNode(key) ? key : map, at, problem, held);
    else if (name !== undefined) members.set(name, held);
  }
  return Object.fromEntries(members);
};

const problemOfName = (
  name: string | undefined,
  members: ReadonlyMap<string, unknown>,
): string | undefined => {
  if (name === undefined) return 'a name must be a plain text';
  if (name === '__proto__') return FORBIDDEN_NAME;
  return members.has(name) ? 'stands twice; leave one out' : undefined;
};

const nameOf = (key: unknown): string | undefined =>
  isScalar(key) && (typeof key.value === 'string' || typeof key.value === 'number')
    ? String(key.value)
    : undefined;

/** A step into a document: the node that it leads to, and the node of the member's name. */
const stepInto = (document: Document, node: unknown, step: string | number) => {
  const within = isAlias(node) ? node.resolve(document) : node;
  if (isSeq(within)) return { value: within.items[Number(step)], key: undefined };
  const pair = isMap(within) ? within.items.find(({ key }) => nameOf(key) === step) : undefined;
  return { value: pair?.value, key: pair?.key };
};

const locator =
  (document: Document, lines: LineCounter): Locate =>
  (path, part) => {
    let node: unknown = document.contents;
    let offset = isNode(node) ? node.range?.[0] : undefined;
    for (const [index, step] of path.entries()) {
      const { value, key } = stepInto(document, node, step);
      const isNamed = (part === 'key' && index === path.length - 1) || !isNode(value);
      const shown = isNamed ? key : value;
      if (!isNode(shown)) break;
      offset = shown.range?.[0] ?? offset;
      node = value;
    }
    return placeAt(lines, offset);
  };
