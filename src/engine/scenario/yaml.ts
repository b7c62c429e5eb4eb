/** Parses YAML into plain data, with the place of every value. JSON is valid YAML. */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import { isExactNumber, MOST_LEVELS_OF_SCENARIO } from '../core/limits.ts';
import { isJsonObject, parseJson } from '../core/object.ts';
import { cut } from '../core/text.ts';

/** A place within a scenario, from its root: `['environments', 'development', 'users', 0, 'email']`. */
export type Path = readonly (string | number)[];

export const TOO_DEEP = `is nested deeper than ${MOST_LEVELS_OF_SCENARIO} levels`;

export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Finds the position of a value, or of its name (`key`). If the value is missing, finds the innermost value around it. */
export type Locate = (path: Path, part?: 'key') => Located | undefined;

interface Located extends TextPosition {
  /** A number as the text has it: `1.10`, which is read as 1.1. */
  readonly written?: string | undefined;
}

export interface ParsedYaml {
  readonly problems: readonly (TextPosition & { readonly message: string })[];
  /** The plain data; undefined if there are problems. */
  readonly value: unknown;
  readonly locate: Locate;
}

/** The maximum number of values that aliases can add, as the yaml package counts them. More could fill the memory. */
const MOST_ALIASED = 10_000;
/** The maximum number of anchors and aliases, since the yaml package looks through all of them for each alias. */
const MOST_ANCHORS = 10_000;

/** @param isJson whether a comment is a mistake */
export const parseYaml = (text: string, isJson = false): ParsedYaml => {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: false, // the yaml package would compare each name with all others; `nodeProblems` finds repeated names
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const positionAt = (offset = 0): TextPosition => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const locate: Locate = (path, part) => {
    const node = nodeAt(document, path, part);
    const written = isScalar(node) && typeof node.value === 'number' ? node.source : undefined;
    return { ...positionAt(node?.range?.[0]), written };
  };
  const { problems, value } = readDocument(document, text, isJson);
  return {
    problems: problems.map(([offset, message]) => ({ ...positionAt(offset), message })),
    value,
    locate,
  };
};

type FoundProblem = readonly [offset: number | undefined, message: string];

const readDocument = (document: Document, text: string, isJson: boolean) => {
  const comments = isJson ? commentProblems(text) : [];
  const found =
    comments.length > 0 ? comments : [...syntaxProblems(document, text), ...nodeProblems(document)];
  if (found.length > 0) return { problems: found, value: undefined };
  try {
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASED });
    const problems = applyMergeKeys(value).map(
      ({ path, message }): FoundProblem => [nodeAt(document, path)?.range?.[0], message],
    );
    return { problems, value: problems.length > 0 ? undefined : value };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error; // too many aliases cause a `ReferenceError`
    const problem: FoundProblem = [undefined, `aliases add more than ${MOST_ALIASED} values`];
    return { problems: [problem], value: undefined };
  }
};

/** The first comment outside of strings in a text that is not JSON. */
const commentProblems = (text: string): readonly FoundProblem[] => {
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"?/gs, (string) => '"'.repeat(string.length));
  const offset = parseJson(text) === undefined ? bare.search(/(?<=^|[\s,{}[\]])\/[/*]/) : -1;
  return offset < 0 ? [] : [[offset, NO_COMMENTS]];
};

const NO_COMMENTS =
  'JSON has no comments; remove this one, or rename the file to .yaml and begin comments with #';

/** The problems that the yaml package finds. Their messages do not quote the file: a quote could be a credential. */
const syntaxProblems = ({ errors, warnings }: Document, text: string): readonly FoundProblem[] => {
  // A string with a placeholder such as `{n}` but no quotes causes several errors. One message about quotes replaces them.
  const unquoted = errors.find(({ pos: [start] }) =>
    /[{][\w.]+[}]/.test(text.slice(Math.max(start - 3, 0), start + 40).split('\n')[0] ?? ''),
  );
  if (unquoted)
    return [[unquoted.pos[0], 'a string with {...} must be quoted here, for example "user-{n}@acme.test"']];
  // After one wrong character, the parser stumbles over all that follows.
  const first = errors.find(({ code }) => code === 'UNEXPECTED_TOKEN');
  const told = errors.filter((error) => error === first || error.code !== 'UNEXPECTED_TOKEN');
  return [...told, ...warnings].map(({ code, message, pos }) => [
    pos[0],
    OWN_WORDS[code] ?? message.replace(/: ".*$/s, ''),
  ]);
};

/** Replaces some messages of the yaml package, which are written for programmers. */
const OWN_WORDS: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a second document begins here, but a file may hold only one',
  RESOURCE_EXHAUSTION: TOO_DEEP,
};

/** Problems that the yaml package misses, is slow to find, or reports without a position. */
const nodeProblems = (document: Document): readonly FoundProblem[] => {
  const found: FoundProblem[] = [];
  const anchors = new Set<string>();
  let count = 0;
  visit(document, {
    Node: (_, node) => {
      const [start] = node.range ?? [];
      if (isAlias(node) || node.anchor !== undefined) count += 1;
      if (count > MOST_ANCHORS) {
        found.push([start, `more than ${MOST_ANCHORS} anchors and aliases`]);
        return visit.BREAK;
      }
      for (const problem of problemsOf(node)) found.push(problem);
      if (!isAlias(node)) anchors.add(node.anchor ?? '');
      else if (!anchors.has(node.source))
        found.push([start, `this alias needs an anchor &${node.source} before it`]);
      return undefined;
    },
  });
  return found;
};

const problemsOf = (node: Node): readonly FoundProblem[] => {
  if (isMap(node)) return repeatedNames(node);
  if (!isScalar(node) || !isRewritten(node)) return [];
  const message = 'is not kept as a number as it is written; write it in quotes';
  return [[node.range?.[0], `${cut(node.source ?? '')} ${message}`]];
};

/** Whether a number would be read as another: an integer beyond 2^53, or with zeros at its beginning. */
const isRewritten = ({ value, source = '' }: Scalar): boolean =>
  typeof value === 'number' &&
  (/^[-+]?0[\dxo]/.test(source) || (Number.isFinite(value) && !isExactNumber(source, value)));

const repeatedNames = ({ items }: YAMLMap): readonly FoundProblem[] => {
  const names = new Set<string>();
  return items.flatMap(({ key }): readonly FoundProblem[] => {
    if (!isScalar(key)) return [];
    const before = names.size;
    return names.add(String(key.value)).size > before
      ? []
      : [[key.range?.[0], 'this name appears twice; remove one']];
  });
};

/** The value at a path. For a missing value, the innermost value around it. */
const nodeAt = (document: Document, path: Path, part?: 'key'): Node | null => {
  let found: Node | null = document.contents;
  let holder: unknown = found;
  for (const [index, step] of path.entries()) {
    const isNamed = ({ key }: Pair): boolean => isScalar(key) && String(key.value) === String(step);
    const member = isMap(holder) ? holder.items.find(isNamed) : undefined;
    holder = isSeq(holder) ? holder.items[Number(step)] : member?.value;
    const shown = isNode(holder) && (part !== 'key' || index < path.length - 1) ? holder : member?.key;
    if (!isNode(shown) || !shown.range) break;
    found = shown;
  }
  return found;
};

/** The merge key: `<<: *base` gives a map the members of another map, unless the map has members of these names. */
const MERGE = '<<';

/** The most members that all merge keys together can add. More could fill the memory. */
const MOST_MERGED = 100_000;

/**
 * Merges in place. A map that aliases use in several places is one object here, and is merged once; so maps that merge
 * each other in many layers take no longer than they are large.
 * @returns the paths of merge keys that cannot be applied, with the reasons
 */
const applyMergeKeys = (root: unknown): readonly { readonly path: Path; readonly message: string }[] => {
  const refused: { path: Path; message: string }[] = [];
  const done = new Set<unknown>();
  let left = MOST_MERGED;
  const apply = (value: unknown, path: Path): void => {
    if (typeof value !== 'object' || value === null || done.has(value)) return;
    done.add(value);
    const isList = Array.isArray(value);
    for (const [name, member] of Object.entries(value))
      apply(member, [...path, isList ? Number(name) : name]);
    if (Object.hasOwn(value, MERGE) && left >= 0) merge(value, path);
  };
  const merge = (map: object, path: Path): void => {
    const bases: readonly unknown[] = [Reflect.get(map, MERGE)].flat();
    if (!bases.every(isJsonObject)) return void refused.push({ path: [...path, MERGE], message: NOT_A_MAP });
    Reflect.deleteProperty(map, MERGE);
    for (const [name, value] of bases.flatMap((base) => Object.entries(base))) {
      if (Object.hasOwn(map, name)) continue;
      left -= 1;
      if (left < 0) return void refused.push({ path, message: TOO_MANY_MERGED });
      Object.defineProperty(map, name, { value, enumerable: true, configurable: true, writable: true });
    }
  };
  apply(root, []);
  return refused;
};

const TOO_MANY_MERGED = `merge keys add more than ${MOST_MERGED} members`;
const NOT_A_MAP =
  'the merge key << takes a map, such as the alias *base of an anchor &base, or a list of maps';
