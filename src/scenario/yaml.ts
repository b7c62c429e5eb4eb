/** YAML to plain data, with the place of every value. Bombs, cycles and forbidden names are refused here. */
import {
  type Alias,
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
import { type Locate, locator, nameOf, type Place, placeAt } from './yaml-places.ts';

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
    message: OWN_WORDS[code] ?? firstLine(message),
  }));
  const report: Report = (node, path, message, lost) => {
    problems.push({ ...placeAt(lines, node?.range?.[0]), path, message, lost });
  };
  const read = problems.length === 0 ? readDocument(document, report) : undefined;
  const value = read ? read.value : readExtends(document);
  return { value, locate: locator(document, lines), problems, isReadable: read !== undefined };
};

/** What the library says for programmers. */
const OWN_WORDS: Readonly<Record<string, string>> = {
  RESOURCE_EXHAUSTION: TOO_DEEP,
  MULTIPLE_DOCS: 'another document begins here; a file holds one, and those under extends hold more',
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
  // The library's check for equal names is quadratic; our own is below. A silent one would drop further documents.
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, logLevel: 'error' });
  return { document, lines };
};

/** The library ends the first line with the place, which is told apart here. */
const firstLine = (message: string): string =>
  (message.split('\n')[0] ?? message).replace(/ at line \d+, column \d+:?$/, '');

type Report = (node: Node | undefined, path: Path, message: string, lost?: unknown) => void;

/** What reading one document keeps in mind. */
interface Reading {
  readonly report: Report;
  readonly anchors: Map<string, Node>;
  /** Values that were read once more because an alias stands for them. */
  aliased: number;
  /** Whether an alias stands for nothing, so that nobody knows what the document was to hold. */
  isBroken: boolean;
}

/** Undefined where nobody knows what the document was to hold. */
const readDocument = (document: Document, report: Report): { readonly value: unknown } | undefined => {
  const reading = { report, anchors: new Map<string, Node>(), aliased: 0, isBroken: false };
  const value = readNode(reading, document.contents, [], false);
  return reading.isBroken ? undefined : { value };
};

const readNode = (reading: Reading, node: unknown, path: Path, inAlias: boolean): unknown => {
  if (!isNode(node)) return null;
  if (inAlias) reading.aliased += 1;
  if (reading.aliased > MOST_ALIASED) return refuseBomb(reading, node, path);
  if (path.length > DEEPEST) return reading.report(node, path, TOO_DEEP);
  if (isAlias(node)) return readAlias(reading, node, path);
  if (node.anchor !== undefined) reading.anchors.set(node.anchor, node);
  if (isMap(node)) return readMap(reading, node, path, inAlias);
  if (isSeq(node)) return node.items.map((item, index) => readNode(reading, item, [...path, index], inAlias));
  return isScalar(node) ? node.value : null;
};

const readAlias = (reading: Reading, alias: Alias, path: Path): unknown => {
  const anchored = reading.anchors.get(alias.source);
  if (anchored) return readNode(reading, anchored, path, true);
  reading.isBroken = true;
  return reading.report(alias, path, `there is no anchor &${alias.source} before it`);
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
