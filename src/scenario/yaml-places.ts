/** Where the values of a YAML document stand in its text. */
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type LineCounter, type YAMLMap } from 'yaml';
import type { Path } from './fault.ts';

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The place of a member's name or value; of the nearest thing around it where it is not there. */
export type Locate = (path: Path, part: 'key' | 'value') => Place | undefined;

/** The place of an offset. */
export const placeAt = (lines: LineCounter, offset = 0): Place => {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
};

/** The name that the key of a member is, or undefined if it is none. */
export const nameOf = (key: unknown): string | undefined =>
  isScalar(key) && (typeof key.value === 'string' || typeof key.value === 'number')
    ? String(key.value)
    : undefined;

/** The members of a map by name; where a name stands twice, the first. */
type Pairs = ReadonlyMap<string | undefined, YAMLMap['items'][number]>;

const pairsOf = ({ items }: YAMLMap): Pairs =>
  new Map(items.toReversed().map((pair) => [nameOf(pair.key), pair]));

/** Takes steps into a document: to the node that one leads to, and the node of the member's name. */
const walker = (document: Document) => {
  // A file of a hundred thousand members may have a fault at each.
  const known = new WeakMap<YAMLMap, Pairs>();
  const pairOf = (map: YAMLMap, name: string | number) => {
    const pairs = known.get(map) ?? pairsOf(map);
    known.set(map, pairs);
    return pairs.get(String(name));
  };
  return (node: unknown, step: string | number) => {
    const within = isAlias(node) ? node.resolve(document) : node;
    if (isSeq(within)) return { value: within.items[Number(step)], key: undefined };
    const pair = isMap(within) ? pairOf(within, step) : undefined;
    return { value: pair?.value, key: pair?.key };
  };
};

/** Finds the places of a document. */
export const locator = (document: Document, lines: LineCounter): Locate => {
  const stepInto = walker(document);
  return (path, part) => {
    let node: unknown = document.contents;
    let offset = isNode(node) ? node.range?.[0] : undefined;
    for (const [index, step] of path.entries()) {
      const { value, key } = stepInto(node, step);
      const isNamed = (part === 'key' && index === path.length - 1) || !isNode(value);
      const shown = isNamed ? key : value;
      if (!isNode(shown)) break;
      offset = shown.range?.[0] ?? offset;
      node = value;
    }
    return placeAt(lines, offset);
  };
};
