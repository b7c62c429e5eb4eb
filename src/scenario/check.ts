/** Compares a source with the schema and the limits of scenarios, and says what is wrong in words (behaviour X1, X3). */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { isJsonObject, type JsonObject } from '../openapi/document.ts';
import { DEEPEST } from './data.ts';
import * as generated from './generated.ts';
import { describeProblem } from './messages.ts';
import type { Path, Problems } from './problem.ts';
import { repeater } from './repeat.ts';
import { SECTIONS } from './sections/index.ts';
import { checkSourceData, problemAt, type Source } from './source.ts';

/** What rows may become: so many, and so much text where they are repeated. A few lines must not fill the memory. */
export interface Limits {
  readonly rows: number;
  /** Characters. */
  readonly text: number;
  /** What to do where that is not enough. */
  readonly advice: string;
}

/** For files, which are read at the start. */
export const FILE_LIMITS: Limits = { rows: 1_000_000, text: 2 ** 29, advice: 'write fewer' };

/** For what comes over HTTP, so that others wait for a second at most: a row with credentials takes up to 20 µs. */
export const BODY_LIMITS: Limits = {
  rows: 50_000,
  text: 2 ** 25,
  advice: 'send fewer, or serve them from a scenario file',
};

/** What Ajv has written: of the file and of an environment without their rows, and of each row by the name of its list. */
const VALIDATORS = generated as unknown as Readonly<Record<string, ValidateFunction>>;

/**
 * Adds a problem for everything in a source that its schema or the limits do not allow.
 * @param kind whether it is a whole scenario, or what is under `environments.NAME`
 */
export const checkShape = (
  source: Source,
  kind: 'scenario' | 'environment',
  problems: Problems,
  limits: Limits,
): void => {
  const check = checker(source, problems);
  const lists = [...listsIn(source.value, kind)];
  if (isTooMuch(source, lists, problems, limits)) return;
  checkSourceData(source, problems);
  const wholes = kind === 'scenario' ? scenariosIn(source.value) : [{ value: source.value, path: [] }];
  for (const { value, path } of wholes) check(kind, value, path);
  for (const { name, rows, path } of lists)
    rows.forEach((row, index) => {
      for (const example of examplesOf(row)) check(name, example, [...path, index]);
    });
};

const checker =
  (source: Source, problems: Problems) =>
  (part: string, value: unknown, path: Path): void => {
    const validate = VALIDATORS[part];
    if (!validate || validate(value)) return;
    for (const error of relevant(validate.errors ?? [])) report(source, error, path, value, problems);
    validate.errors = null; // they hold on to the value
  };

interface List {
  /** Of the section. */
  readonly name: string;
  readonly rows: readonly unknown[];
  readonly path: Path;
}

/** Every list of rows. */
function* listsIn(value: unknown, kind: 'scenario' | 'environment', path: Path = []): Generator<List> {
  if (!isJsonObject(value)) return;
  if (kind === 'scenario') {
    for (const scenario of scenariosIn(value)) yield* listsInScenario(scenario);
    return;
  }
  for (const { name } of SECTIONS) {
    const rows: unknown = value[name];
    if (Array.isArray(rows)) yield { name, rows, path: [...path, name] };
  }
}

function* listsInScenario({ value, path }: ValueWithin): Generator<List> {
  const environments = isJsonObject(value) ? value.environments : undefined;
  if (!isJsonObject(environments)) return;
  for (const [name, rows] of Object.entries(environments))
    yield* listsIn(rows, 'environment', [...path, 'environments', name]);
}

interface ValueWithin {
  readonly value: unknown;
  readonly path: Path;
}

/** A scenario, and those that are written in its `extends`. One that is within itself is refused as too deep. */
function* scenariosIn(value: unknown, path: Path = []): Generator<ValueWithin> {
  yield { value, path };
  if (!isJsonObject(value) || path.length > DEEPEST) return;
  for (const { each, step } of extensionsOf(value))
    if (isJsonObject(each)) yield* scenariosIn(each, [...path, ...step]);
}

/** What a scenario says that it extends, each with where it says so. */
export const extensionsOf = ({ extends: named }: JsonObject) =>
  [named ?? []].flat().map((each: unknown, index) => ({
    each,
    step: Array.isArray(named) ? ['extends', index] : ['extends'],
  }));

/** Counted before anything is made or looked at. */
const isTooMuch = (source: Source, lists: readonly List[], problems: Problems, limits: Limits): boolean => {
  let left: Left = limits;
  for (const { rows, path } of lists)
    for (let index = 0; index < rows.length; index += 1) {
      left = without(left, rows[index]);
      if (left.rows >= 0 && left.text >= 0) continue;
      const what = left.rows < 0 ? `${limits.rows} rows` : `${limits.text} characters`;
      const at = [...path, index, ...(repeatOf(rows[index]) ? ['repeat'] : [])];
      problems.add(problemAt(source, at, `makes more than ${what}, with those before it; ${limits.advice}`));
      return true;
    }
  return false;
};

type Left = Omit<Limits, 'advice'>;

/** What is left of the limits when a row is made as often as it says. */
const without = ({ rows, text }: Left, row: unknown): Left => {
  const count = repeatOf(row);
  if (count === undefined) return { rows: rows - 1, text };
  return { rows: rows - count, text: text - count * JSON.stringify(repeater(row)(count)).length };
};

const repeatOf = (row: unknown): number | undefined => {
  const count = isJsonObject(row) ? row.repeat : undefined;
  return typeof count === 'number' && Number.isInteger(count) && count > 0 ? count : undefined;
};

/** The rows to compare with the schema instead of all that a repeated one makes: the first and the last. */
const examplesOf = (row: unknown): readonly unknown[] => {
  const count = repeatOf(row);
  return count === undefined ? [row] : [repeater(row)(1), repeater(row)(count)];
};

/** The errors that a reader needs: of several about one value the one that says most. */
const relevant = (errors: readonly ErrorObject[]): readonly ErrorObject[] => {
  const best = new Map<string, ErrorObject>();
  for (const error of errors) {
    const name = namedMember(error);
    // What is wrong with a name is an error of its own, and __proto__ is refused everywhere.
    if (error.keyword === 'propertyNames' || name === '__proto__') continue;
    const about = `${error.instancePath}\0${name ?? ''}`;
    const other = best.get(about);
    if (!other || weight(error) > weight(other)) best.set(about, error);
  }
  return [...best.values()];
};

/** A list of what is allowed says more than a type, and that more than any rule about the text. */
const WEIGHTS: Readonly<Record<string, number>> = { enum: 3, type: 2, minLength: 1, maxLength: 1 };

const weight = ({ keyword }: ErrorObject): number => WEIGHTS[keyword] ?? 0;

const report = (source: Source, error: ErrorObject, base: Path, root: unknown, problems: Problems): void => {
  const path = [...base, ...readPointer(root, error.instancePath)];
  const name = error.keyword === 'required' ? undefined : namedMember(error);
  const message = describeProblem(error, path);
  problems.add(
    name === undefined
      ? problemAt(source, path, message)
      : problemAt(source, [...path, name], message, 'key'),
  );
};

/** The member that an error is about, where it is about a name and not about a value. */
const namedMember = (error: ErrorObject): string | undefined => {
  const { additionalProperty } = error.params as Readonly<Record<string, unknown>>; // an object, for every keyword
  return typeof additionalProperty === 'string' ? additionalProperty : error.propertyName;
};

/** The path that a JSON pointer into `root` names; numbers are positions only within arrays. */
const readPointer = (root: unknown, pointer: string): Path => {
  let value = root;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const step = Array.isArray(value) ? Number(name) : name;
      value = Array.isArray(value) ? value[Number(name)] : isJsonObject(value) ? value[name] : undefined;
      return step;
    });
};
