/** Parses YAML into plain data, with the place of every value. */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import type { Path } from './problem.ts';

/** The deepest nesting that is allowed. A connector's free-form settings do not need more. */
export const DEEPEST = 64;

export const TOO_DEEP = `is nested deeper than ${DEEPEST} levels`;

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Whether a problem is about the name of a member or about its value. */
export type KeyOrValue = 'key' | 'value';

/** Finds the place of a member's name or value. For a missing member, finds the innermost value around it. */
export type Locate = (path: Path, part: KeyOrValue) => Place | undefined;

export interface ParsedYaml {
  readonly problems: readonly (Place & { readonly message: string })[];
  /** The plain data; undefined if the text cannot be parsed at all. */
  readonly value: unknown;
  readonly locate: Locate;
}

/** How many values aliases may add, as the yaml package counts them. A text with more is an attack on the memory. */
const MOST_ALIASED = 10_000;

/** Parses YAML. Also parses JSON, which is valid YAML. */
export const parseYaml = (text: string): ParsedYaml => {
  const lines = new LineCounter();
  // The package's own check for repeated names is off: it compares each name with all others. `nodeProblems` finds them.
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const place = (offset = 0): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const locate: Locate = (path, part) => place(offsetOf(document, path, part));
  const found = [...syntaxProblems(document, text), ...nodeProblems(document)];
  const problems = found.map(([offset, message]) => ({ ...place(offset), message }));
  if (problems.length > 0) return { problems, value: undefined, locate };
  try {
    return { problems, value: document.toJS({ maxAliasCount: MOST_ALIASED }), locate };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error; // the package throws this error for too many aliases
    return {
      problems: [{ ...place(), message: `aliases add more than ${MOST_ALIASED} values` }],
      value: undefined,
      locate,
    };
  }
};

type NodeProblem = readonly [offset: number | undefined, message: string];

/** The problems that the package finds. Leaves out the text that the package quotes, which may hold credentials. */
const syntaxProblems = ({ errors, warnings }: Document, text: string): readonly NodeProblem[] => {
  const isUnquoted = ({ pos: [start] }: YAMLError): boolean =>
    text.startsWith('{n}', start) || text.slice(0, start).endsWith('{n}');
  const unquoted = errors.find(isUnquoted);
  // A text with {n} and without quotes causes all the other errors.
  if (unquoted)
    return [[unquoted.pos[0], 'a text that contains {n} must be quoted here, such as "user-{n}@acme.test"']];
  return [...errors, ...warnings].map(({ code, message, pos }) => [
    pos[0],
    OWN_WORDS[code] ?? message.replace(/: ".*$/s, ''),
  ]);
};

/** Replaces some messages of the yaml package, which are written for programmers. */
const OWN_WORDS: Readonly<Record<string, string>> = {
  RESOURCE_EXHAUSTION: TOO_DEEP,
  MULTIPLE_DOCS:
    'a second document begins here, but a file may hold only one; move it to another file and name that file under extends',
  TAG_RESOLVE_FAILED: 'this tag is not supported; leave it out',
};

/** The problems that the package does not report: repeated names, and aliases without an anchor. */
const nodeProblems = (document: Document): readonly NodeProblem[] => {
  const found: NodeProblem[] = [];
  const anchors = new Set<string>();
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node)) {
        if (!anchors.has(node.source))
          found.push([node.range?.[0], `this alias needs an anchor &${node.source} before it`]);
      } else if ('anchor' in node && node.anchor !== undefined) anchors.add(String(node.anchor));
      if (isMap(node)) found.push(...namesWrittenTwice(node));
    },
  });
  return found;
};

const namesWrittenTwice = ({ items }: YAMLMap): readonly NodeProblem[] => {
  const names = new Set<string>();
  return items.flatMap(({ key }): readonly NodeProblem[] => {
    const name = nameOf(key);
    if (name === undefined || !isNode(key)) return [];
    if (names.has(name)) return [[key.range?.[0], `${name} is written twice; leave one out`]];
    names.add(name);
    return [];
  });
};

const nameOf = (key: unknown): string | undefined =>
  isScalar(key) && (typeof key.value === 'string' || typeof key.value === 'number')
    ? String(key.value)
    : undefined;

/**
 * The position of the value at a path, or of the innermost value around that path. Inside an alias, the position of the
 * alias.
 */
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
