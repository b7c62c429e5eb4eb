/** YAML to plain data, with the place of every value. */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import type { Path } from './problem.ts';

/** Nothing in a scenario is deeper than this; free-form settings of a connector have room enough. */
export const DEEPEST = 64;

export const TOO_DEEP = `is nested deeper than ${DEEPEST} levels`;

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Whether a problem is about the name of a member or about its value. */
export type KeyOrValue = 'key' | 'value';

/** The place of a member's name or value; of the nearest thing around it where it is not there. */
export type Locate = (path: Path, part: KeyOrValue) => Place | undefined;

export interface ParsedYaml {
  readonly problems: readonly (Place & { readonly path: Path; readonly message: string })[];
  /** Undefined where the text cannot be read at all. */
  readonly value: unknown;
  readonly locate: Locate;
}

/** How much aliases may repeat, as the library counts it; more is a bomb. */
const MOST_ALIASED = 10_000;

export const parseYaml = (text: string): ParsedYaml => {
  const lines = new LineCounter();
  // The library's check for equal names is quadratic; our own is below. A silent one would drop further documents.
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, logLevel: 'error' });
  const place = (offset = 0): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const locate: Locate = (path, part) => place(offsetOf(document, path, part));
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ message, pos, code }) => ({
      ...place(pos[0]),
      path: [],
      message: OWN_WORDS[code] ?? firstLine(message),
    }));
    return { problems, value: undefined, locate };
  }
  const problems = checkNodes(document).map(({ node, ...rest }) => ({
    ...place(isNode(node) ? node.range?.[0] : undefined),
    ...rest,
  }));
  try {
    return { problems, value: document.toJS({ maxAliasCount: MOST_ALIASED }), locate };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error; // what the library throws for aliases
    const bomb = { ...place(), path: [], message: `aliases add more than ${MOST_ALIASED} values` };
    return { problems: problems.length > 0 ? problems : [bomb], value: undefined, locate };
  }
};

/** What the library says for programmers. */
const OWN_WORDS: Readonly<Record<string, string>> = {
  RESOURCE_EXHAUSTION: TOO_DEEP,
  MULTIPLE_DOCS: 'another document begins here; a file holds one, and those under extends hold more',
};

/** The library ends the first line with the place, which is shown apart here. */
const firstLine = (message: string): string =>
  message.replace(/\n.*$/s, '').replace(/ at line \d+, column \d+:?$/, '');

/** What `!!` is short for. */
const YAML_TAGS = 'tag:yaml.org,2002:';

const KNOWN_TAGS = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => YAML_TAGS + name),
);

interface NodeProblem {
  readonly node: unknown;
  readonly path: Path;
  readonly message: string;
}

/** What the library lets pass: a name that is there twice or is no name, an unknown tag, an alias of nothing. */
const checkNodes = (document: Document): readonly NodeProblem[] => {
  const problems: NodeProblem[] = [];
  const anchors = new Set<string>();
  visit(document, {
    Node: (_, node, ancestors) => {
      const report = (message: string, at: unknown = node, ...name: readonly string[]): void => {
        problems.push({ node: at, path: [...pathOf([...ancestors, node]), ...name], message });
      };
      const { tag, anchor } = node as { readonly tag?: string; readonly anchor?: string }; // an alias has neither
      if (anchor !== undefined) anchors.add(anchor);
      if (tag !== undefined && !KNOWN_TAGS.has(tag))
        report(`the tag ${tag.replace(YAML_TAGS, '!!')} is not known here; leave it out`);
      if (isAlias(node) && !anchors.has(node.source)) report(`there is no anchor &${node.source} before it`);
      if (isMap(node)) checkNames(node, report);
    },
  });
  return problems;
};

const checkNames = (
  { items }: YAMLMap,
  report: (message: string, at: unknown, ...name: readonly string[]) => void,
): void => {
  const names = new Set<string>();
  for (const { key } of items) {
    const name = nameOf(key);
    if (name === undefined) report('a name must be a plain text', key);
    else if (names.has(name)) report('is written twice; leave one out', key, name);
    else names.add(name);
  }
};

/** @param chain from the document down to a node */
const pathOf = (chain: readonly unknown[]): Path =>
  chain.flatMap((each, depth): Path => {
    if (isPair(each)) return [nameOf(each.key) ?? ''];
    return isSeq(each) && depth + 1 < chain.length ? [each.items.indexOf(chain[depth + 1])] : [];
  });

const nameOf = (key: unknown): string | undefined =>
  isScalar(key) && (typeof key.value === 'string' || typeof key.value === 'number')
    ? String(key.value)
    : undefined;

/** Where a path is, or what of it is nearest: for what is within an alias that is the alias. */
const offsetOf = (document: Document, path: Path, part: KeyOrValue): number | undefined => {
  const { contents } = document;
  for (let length = path.length; length > 0; length -= 1) {
    const holder = length === 1 ? contents : document.getIn(path.slice(0, length - 1), true);
    const name = String(path[length - 1]);
    const member = isMap(holder) ? holder.items.find(({ key }) => nameOf(key) === name) : undefined;
    const value = isSeq(holder) ? holder.items[Number(name)] : member?.value;
    const isNamed = (part === 'key' && length === path.length) || !isNode(value);
    const shown = isNamed ? member?.key : value;
    if (isNode(shown) && shown.range) return shown.range[0];
  }
  return isNode(contents) ? contents.range?.[0] : undefined;
};
