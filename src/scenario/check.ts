/** Checks scenario sources against the schema and the size limits (behaviour X1, X3). */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { valueAt } from '../core/object.ts';
import { isJsonObject } from '../openapi/document.ts';
import * as generated from './generated.ts';
import { describeProblem } from './messages.ts';
import type { Path, Problems } from './problem.ts';
import { SECTIONS } from './sections/index.ts';
import { problemAt, type Source } from './source.ts';
import { copiesOf } from './written-row.ts';
import { DEEPEST, TOO_DEEP } from './yaml.ts';

/** Limits how many rows and how much text `repeat` makes: a few lines of a scenario could fill the memory. */
export interface Limits {
  readonly rows: number;
  /** The most members of one object, and the most items of a list that does not hold rows. */
  readonly members: number;
  /** How many characters `repeat` may make. */
  readonly text: number;
  /** What a user who needs more can do. */
  readonly advice: string;
}

/** Limits for scenario files, which the mock reads when it starts. */
export const FILE_LIMITS: Limits = {
  rows: 1_000_000,
  members: Infinity,
  text: 2 ** 29,
  advice: 'write fewer',
};

/**
 * Limits for HTTP bodies. Loading a row takes up to 20 µs, so the largest body delays other calls by a second at most.
 */
export const BODY_LIMITS: Limits = {
  rows: 50_000,
  members: 10_000,
  text: 2 ** 25,
  advice: 'send fewer, or serve them from a scenario file',
};

/** Whether a source holds a whole scenario, or only the content of `environments.NAME`. */
type SourceKind = 'scenario' | 'environment';

/**
 * The validators that Ajv generates: one for a file without rows, one for an environment without rows, and one for a
 * row of each list.
 */
const VALIDATORS = generated as unknown as Readonly<Record<string, ValidateFunction>>;

/** Adds a problem for each place where a source breaks the schema, or where the sources together exceed a limit. */
export const checkShape = (
  sources: readonly Source[],
  kind: SourceKind,
  problems: Problems,
  limits: Limits,
): void => {
  const lists = sources.flatMap((source) => listsIn(source, kind));
  if (isTooMuch(lists, problems, limits)) return;
  const ofRows = new Set<unknown>(lists.map(({ rows }) => rows));
  const mostIn = (value: object): number => (ofRows.has(value) ? Infinity : limits.members);
  // Checks a nested scenario, which has `at`, as a part of the source that holds it.
  for (const source of sources) if (source.at === undefined && !checkData(source, problems, mostIn)) return;
  for (const source of sources) validate(kind, source, source.value, [], problems);
  for (const { source, name, rows, path } of lists)
    rows.forEach((row, index) => {
      for (const example of examplesOf(row)) validate(name, source, example, [...path, index], problems);
    });
};

const validate = (part: string, source: Source, value: unknown, base: Path, problems: Problems): void => {
  const isValid = VALIDATORS[part];
  if (!isValid || isValid(value)) return;
  for (const error of relevant(isValid.errors ?? [])) {
    const path = [...base, ...readPointer(value, error.instancePath)];
    const message = describeProblem(error, path);
    const name = namedMember(error);
    problems.add(
      name === undefined
        ? problemAt(source, path, message)
        : problemAt(source, [...path, name], message, 'key'),
    );
  }
  isValid.errors = null; // otherwise Ajv would keep the checked value in memory
};

/**
 * Adds a problem for data that is nested too deeply, too large, or has a member named `__proto__` (behaviour T10).
 * @returns false if the data is too large for further checks
 */
const checkData = (source: Source, problems: Problems, mostIn: (value: object) => number): boolean => {
  const refuse = (path: Path, message: string): false => {
    problems.add(problemAt(source, path, message, 'key'));
    return false;
  };
  const check = (value: unknown, path: Path): boolean => {
    if (typeof value !== 'object' || value === null) return true;
    if (path.length > DEEPEST) return refuse(path, TOO_DEEP);
    const members = Object.entries(value);
    if (members.length > mostIn(value))
      return refuse(path, `holds more than ${mostIn(value)} values; send fewer`);
    return members.every(([name, member]) => {
      const at = [...path, Array.isArray(value) ? Number(name) : name];
      if (name === '__proto__') refuse(at, 'the name __proto__ cannot be used; choose another name');
      return check(member, at);
    });
  };
  return check(source.value, []);
};

/** The rows of one section in a source. */
interface List {
  readonly source: Source;
  readonly name: string;
  readonly rows: readonly unknown[];
  readonly path: Path;
}

const listsIn = (source: Source, kind: SourceKind): readonly List[] => {
  const environments =
    kind === 'environment'
      ? [{ value: source.value, path: [] }]
      : membersOf(valueAt(source.value, 'environments')).map(([name, value]) => ({
          value,
          path: ['environments', name],
        }));
  return environments.flatMap(({ value, path }) =>
    SECTIONS.flatMap(({ name }): List | [] => {
      const rows = valueAt(value, name);
      return Array.isArray(rows) ? { source, name, rows, path: [...path, name] } : [];
    }),
  );
};

const membersOf = (value: unknown) => (isJsonObject(value) ? Object.entries(value) : []);

/**
 * Whether the sources hold too many rows. Counts them before any row is made or checked. A row that repeats too often
 * counts once, so that the mock still finds other mistakes.
 */
const isTooMuch = (lists: readonly List[], problems: Problems, limits: Limits): boolean => {
  const left = { rows: limits.rows, text: limits.text };
  for (const { source, row, at } of rowsIn(lists)) {
    const repeat = repeatOf(row);
    const needed = { rows: repeat ?? 1, text: textOf(row, repeat) };
    if (needed.rows <= left.rows && needed.text <= left.text) {
      left.rows -= needed.rows;
      left.text -= needed.text;
      continue;
    }
    const what = needed.rows > left.rows ? `${limits.rows} rows` : `${limits.text} characters`;
    const message = `makes more than ${what}, counting those before it; ${limits.advice}`;
    problems.add(problemAt(source, repeat === undefined ? at : [...at, 'repeat'], message));
    if (repeat === undefined) return true;
  }
  return false;
};

function* rowsIn(lists: readonly List[]) {
  for (const { source, rows, path } of lists)
    for (const [index, row] of rows.entries()) yield { source, row, at: [...path, index] };
}

/** How many characters the copies of a repeated row hold. */
const textOf = (row: unknown, repeat = 0): number =>
  repeat === 0 ? 0 : repeat * JSON.stringify(copiesOf(row)(repeat)).length;

const repeatOf = (row: unknown): number | undefined => {
  const count = isJsonObject(row) ? row.repeat : undefined;
  return typeof count === 'number' && Number.isInteger(count) && count > 0 ? count : undefined;
};

/** The rows to check against the schema. For a repeated row, its first and last copy. */
const examplesOf = (row: unknown): readonly unknown[] => {
  const count = repeatOf(row);
  return count === undefined ? [row] : [1, count].map(copiesOf(row));
};

/** Keeps the most helpful error for each value. */
const relevant = (errors: readonly ErrorObject[]): readonly ErrorObject[] => {
  const best = new Map<string, ErrorObject>();
  for (const error of errors) {
    const name = namedMember(error);
    // Ajv reports a wrong name in a second error, and `checkData` refuses __proto__.
    if (error.keyword === 'propertyNames' || name === '__proto__') continue;
    const about = `${error.instancePath}\0${name ?? ''}`;
    const other = best.get(about);
    if (!other || weight(error) > weight(other)) best.set(about, error);
  }
  return [...best.values()];
};

/**
 * Higher weights are more helpful: an error about an enum, then an error about a type, then an error about the text.
 */
const WEIGHTS: Readonly<Record<string, number>> = { enum: 3, type: 2, minLength: 1, maxLength: 1 };

const weight = ({ keyword }: ErrorObject): number => WEIGHTS[keyword] ?? 0;

/** The member whose name an error is about; undefined if the error is about a value. */
const namedMember = (error: ErrorObject): string | undefined => {
  const { additionalProperty } = error.params as Readonly<Record<string, unknown>>; // Ajv types `params` loosely, as each keyword has its own
  return typeof additionalProperty === 'string' ? additionalProperty : error.propertyName;
};

/** Turns a JSON pointer into a path of `root`. A number in the pointer is a position only if it points into a list. */
const readPointer = (root: unknown, pointer: string): Path => {
  const path: (string | number)[] = [];
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(valueAt(root, ...path)) ? Number(name) : name);
  }
  return path;
};
