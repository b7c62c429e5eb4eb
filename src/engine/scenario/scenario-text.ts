/**
 * The text of scenario files. The mock writes JSON with each row on one line, which is YAML too, and YAML for people. It
 * reads YAML with the place of every value, but long JSON without the YAML parser, which would take minutes for 100,000
 * rows.
 */
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
  stringify,
  visit,
  type YAMLMap,
} from 'yaml';
import { builtValue } from '../contract/package-root.ts';
import { isExactNumber, MOST_LEVELS_OF_SCENARIO } from '../core/limits.ts';
import { hasMembers, isJsonObject, lazily, parseJson } from '../core/object.ts';
import { cut } from '../core/text.ts';

export const writeScenario = (scenario: object): string => `${writeMembers(scenario, DEPTH)}\n`;

/** How many objects are around a list of rows: the scenario, `environments`, and an environment. */
const DEPTH = 3;

/** More rows than this nobody reads, and the YAML writer would take long. */
const MOST_READ = 5_000;

/** The text of a scenario file for people: YAML or, if it has very many rows, JSON with each row on one line. */
export const writeYaml = (scenario: { readonly environments: object }): string => {
  const lists = Object.values(scenario.environments).flatMap((each) => Object.values(Object(each)));
  return lists.flat().length > MOST_READ
    ? writeScenario(scenario)
    : stringify(scenario, { lineWidth: 0, aliasDuplicateObjects: false });
};

const writeMembers = (value: unknown, depth: number): string => {
  if (Array.isArray(value) && value.length > 0)
    return `[\n${value.map((row) => JSON.stringify(row)).join(',\n')}]`;
  if (depth === 0 || !isJsonObject(value) || !hasMembers(value)) return JSON.stringify(value);
  const lines = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}: ${writeMembers(member, depth - 1)}`);
  return `{\n${lines.join(',\n')}}`;
};

/** A place within a scenario, from its root: `['environments', 'development', 'users', 0, 'email']`. */
export type Path = readonly (string | number)[];

export const TOO_DEEP = `is nested deeper than ${MOST_LEVELS_OF_SCENARIO} levels`;

/** Counted from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/**
 * Finds the position of a value, or of its name (`key`). If the value is missing, finds the innermost value around it.
 * `written` is a number as the text has it: `1.10`, which is read as 1.1.
 */
export type Locate = (
  path: Path,
  part?: 'key',
) => (TextPosition & { readonly written?: string | undefined }) | undefined;

const MIB = 2 ** 20;
/** The most characters that the YAML parser gets. JSON may be longer. */
const MOST_YAML = 8 * MIB;
/** JSON up to this length is parsed as YAML, because only the YAML parser reports repeated names. */
const MOST_JSON_CHECKED = MIB;

/**
 * Reads the text of a scenario file as plain data, which is undefined if there are problems.
 * @param file the file's name; in a `.json` file, comments are reported as such
 */
export const readScenario = (text: string, file = ''): ReturnType<typeof parseYaml> => {
  const isLong = text.length > MOST_JSON_CHECKED && /^\s*[{[]/.test(text);
  const known = builtValue(text) ?? (isLong ? parseJson(text) : undefined);
  if (known !== undefined) return { problems: [], value: known, locate: locateIn(text) };
  if (text.length <= MOST_YAML) return parseYaml(text, file.toLowerCase().endsWith('.json'));
  const message = `is larger than ${MOST_YAML / MIB} MiB and is not JSON`;
  return { problems: [{ line: 1, column: 1, message }], value: undefined, locate: () => undefined };
};

/** Finds the places of values in JSON. The YAML parser supplies them; it runs only when a place is asked for. */
const locateIn = (text: string): Locate => {
  const locate = lazily(() => parseYaml(text).locate);
  return (path, part) => (text.length > MOST_YAML ? undefined : locate(undefined)(path, part));
};

/** Adds a problem. @param offset default: the beginning of the text */
type Refuse = (offset: number | undefined, message: string) => void;

/** @param isJson whether a comment is a mistake */
const parseYaml = (text: string, isJson = false) => {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: false, // the yaml package would compare each name with all others; `checkNodes` finds repeated names
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const positionAt = (offset = 0): TextPosition => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problems: (TextPosition & { readonly message: string })[] = [];
  const refuse: Refuse = (offset, message) => problems.push({ ...positionAt(offset), message });
  const locate: Locate = (path, part) => {
    const node = nodeAt(document, path, part);
    const written = isScalar(node) && typeof node.value === 'number' ? node.source : undefined;
    return { ...positionAt(node?.range?.[0]), written };
  };
  const isBare = !isJson || hasNoComments(text, refuse);
  if (isBare) checkSyntax(document, text, refuse);
  if (isBare) checkNodes(document, refuse);
  const value = problems.length === 0 ? toData(document, refuse) : undefined;
  return { problems, value: problems.length === 0 ? value : undefined, locate };
};

const NO_COMMENTS =
  'JSON has no comments; remove this one, or rename the file to .yaml and begin comments with #';

/** Refuses the first comment outside of strings in a text that is not JSON. */
const hasNoComments = (text: string, refuse: Refuse): boolean => {
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"?/gs, (string) => '"'.repeat(string.length));
  const offset = parseJson(text) === undefined ? bare.search(/(?<=^|[\s,{}[\]])\/[/*]/) : -1;
  if (offset >= 0) refuse(offset, NO_COMMENTS);
  return offset < 0;
};

/** Replaces some messages of the yaml package, which are written for programmers. */
const OWN_WORDS: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a second document begins here, but a file may hold only one',
  RESOURCE_EXHAUSTION: TOO_DEEP,
};

/** Tells what the yaml package finds. The messages do not quote the file: a quote could be a credential. */
const checkSyntax = ({ errors, warnings }: Document, text: string, refuse: Refuse): void => {
  // A string with a placeholder such as `{n}` but no quotes causes several errors. One message about quotes replaces them.
  const unquoted = errors.find(({ pos: [start] }) =>
    /[{][\w.]+[}]/.test(text.slice(Math.max(start - 3, 0), start + 40).split('\n')[0] ?? ''),
  );
  if (unquoted)
    return void refuse(
      unquoted.pos[0],
      'a string with {...} must be quoted here, for example "user-{n}@acme.test"',
    );
  // After one wrong character, the parser stumbles over all that follows.
  const first = errors.find(({ code }) => code === 'UNEXPECTED_TOKEN');
  const told = errors.filter((error) => error === first || error.code !== 'UNEXPECTED_TOKEN');
  for (const { code, message, pos } of [...told, ...warnings])
    refuse(pos[0], OWN_WORDS[code] ?? message.replace(/: ".*$/s, ''));
};

/** The maximum number of anchors and aliases, since the yaml package looks through all of them for each alias. */
const MOST_ANCHORS = 10_000;

/** Tells what the yaml package misses, is slow to find, or reports without a position. */
const checkNodes = (document: Document, refuse: Refuse): void => {
  const anchors = new Set<string>();
  let count = 0;
  visit(document, {
    Node: (_, node) => {
      const [start] = node.range ?? [];
      if (isAlias(node) || node.anchor !== undefined) count += 1;
      if (count > MOST_ANCHORS) {
        refuse(start, `more than ${MOST_ANCHORS} anchors and aliases`);
        return visit.BREAK;
      }
      if (!isAlias(node)) anchors.add(node.anchor ?? '');
      else if (!anchors.has(node.source))
        refuse(start, `this alias needs an anchor &${node.source} before it`);
      if (isMap(node)) refuseRepeated(node, refuse);
      if (isScalar(node)) refuseRewritten(node, refuse);
      return undefined;
    },
  });
};

/** Refuses a number that would be read as another: an integer beyond 2^53, or with zeros at its beginning. */
const refuseRewritten = ({ value, source = '', range }: Scalar, refuse: Refuse): void => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return;
  if (/^[-+]?0[\dxo]/.test(source) || !isExactNumber(source, value))
    refuse(range?.[0], `${cut(source)} is not kept as a number as it is written; write it in quotes`);
};

const refuseRepeated = ({ items }: YAMLMap, refuse: Refuse): void => {
  const names = new Set<string>();
  for (const { key } of items)
    if (isScalar(key) && names.size === names.add(String(key.value)).size)
      refuse(key.range?.[0], 'this name appears twice; remove one');
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

/** The maximum number of values that aliases can add, as the yaml package counts them. More could fill the memory. */
const MOST_ALIASED = 10_000;

const toData = (document: Document, refuse: Refuse): unknown => {
  try {
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASED });
    applyMergeKeys(value, (path, message) => refuse(nodeAt(document, path)?.range?.[0], message));
    return value;
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error; // too many aliases cause a `ReferenceError`
    return refuse(undefined, `aliases add more than ${MOST_ALIASED} values`);
  }
};

/** The merge key: `<<: *base` gives a map the members of another map, unless the map has members of these names. */
const MERGE = '<<';
const NOT_A_MAP =
  'the merge key << takes a map, such as the alias *base of an anchor &base, or a list of maps';

/** The most members that all merge keys together can add. More could fill the memory. */
const MOST_MERGED = 100_000;

/**
 * Merges in place. A map that aliases use in several places is one object here, and is merged once; so maps that merge
 * each other in many layers take no longer than they are large.
 */
const applyMergeKeys = (root: unknown, refuse: (path: Path, message: string) => void): void => {
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
    if (!bases.every(isJsonObject)) return void refuse([...path, MERGE], NOT_A_MAP);
    Reflect.deleteProperty(map, MERGE);
    for (const [name, value] of bases.flatMap((base) => Object.entries(base))) {
      if (Object.hasOwn(map, name)) continue;
      left -= 1;
      if (left < 0) return void refuse(path, `merge keys add more than ${MOST_MERGED} members`);
      Object.defineProperty(map, name, { value, enumerable: true, configurable: true, writable: true });
    }
  };
  apply(root, []);
};
