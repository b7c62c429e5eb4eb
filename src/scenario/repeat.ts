/** `repeat: N`: one row that stands for many, with `{n}` in its strings counting from 1. */
import { isJsonObject } from '../openapi/document.ts';
import type { Path } from './fault.ts';
import { SECTION_NAMES } from './written.ts';

/** Stands for the number of the row. */
export const PLACEHOLDER = '{n}';

/** Gives the n-th of a repeated value. What does not hold `{n}` is shared between all of them. */
type Nth<Value> = (n: number) => Value;

/** Prepares a value for repetition once, so that the n-th costs only what differs. */
export const repeater = <Value>(value: Value): Nth<Value> => compile(value) ?? (() => value);

/** Undefined where the value is the same for every n. */
const compile = <Value>(value: Value): Nth<Value> | undefined => {
  if (typeof value === 'string') return compileText(value) as Nth<Value> | undefined; // a text for a text
  if (Array.isArray(value)) return compileList(value) as Nth<Value> | undefined; // a list of the same for a list
  if (typeof value !== 'object' || value === null) return undefined;
  const moving = Object.entries(value).flatMap(([name, held]) => {
    const nth = compile<unknown>(held);
    return nth ? [{ name, nth }] : [];
  });
  if (moving.length === 0) return undefined;
  return (n) => {
    const copy = { ...value };
    for (const { name, nth } of moving) Reflect.set(copy, name, nth(n));
    return copy;
  };
};

const compileText = (text: string): Nth<string> | undefined =>
  text.includes(PLACEHOLDER) ? (n) => text.replaceAll(PLACEHOLDER, String(n)) : undefined;

const compileList = (list: readonly unknown[]): Nth<unknown[]> | undefined => {
  const nths = list.map((item) => compile(item));
  return nths.some((nth) => nth !== undefined)
    ? (n) => list.map((item, index) => nths[index]?.(n) ?? item)
    : undefined;
};

/** Whether any text within a value differs from row to row. */
export const holdsPlaceholder = (value: unknown): boolean => compile(value) !== undefined;

/**
 * The values to hold against the schema instead of one with repeated rows: with each such row as the first and as the
 * last of what it makes, at the same place. A hundred thousand rows are checked at the price of two.
 */
export const withExamplesOfRepeats = (
  value: unknown,
  kind: 'scenario' | 'environment',
): readonly unknown[] => {
  if (!hasRepeat(value, kind)) return [value];
  return ['first', 'last'].map((which) => {
    const example = (row: unknown): unknown => {
      const count = isJsonObject(row) ? row.repeat : undefined;
      if (count === undefined) return row;
      return repeater(row)(which === 'last' && typeof count === 'number' ? count : 1);
    };
    return mapEnvironments(value, kind, (environment) => mapRows(environment, example));
  });
};

const hasRepeat = (value: unknown, kind: 'scenario' | 'environment'): boolean => {
  let found = false;
  mapEnvironments(value, kind, (environment) =>
    mapRows(environment, (row) => {
      found ||= isJsonObject(row) && row.repeat !== undefined;
      return row;
    }),
  );
  return found;
};

const mapEnvironments = (
  value: unknown,
  kind: 'scenario' | 'environment',
  change: (environment: unknown) => unknown,
): unknown => {
  if (kind === 'environment') return change(value);
  if (!isJsonObject(value) || !isJsonObject(value.environments)) return value;
  const environments = Object.entries(value.environments).map(([name, held]) => [name, change(held)]);
  return { ...value, environments: Object.fromEntries(environments) };
};

const mapRows = (environment: unknown, change: (row: unknown) => unknown): unknown => {
  if (!isJsonObject(environment)) return environment;
  const sections = SECTION_NAMES.flatMap((name) => {
    const rows = environment[name];
    return Array.isArray(rows) ? [[name, rows.map(change)]] : [];
  });
  return { ...environment, ...Object.fromEntries(sections) };
};

/** Rows that repetition may make of one file or body: a few lines must not fill the memory. */
export const MOST_REPEATED = 1_000_000;

/** Every repetition of a value that has too many of them in all. */
export const excessiveRepeats = (value: unknown, kind: 'scenario' | 'environment'): readonly Repeat[] => {
  const repeats: Repeat[] = [];
  let made = 0;
  for (const { repeat, path } of repeatsIn(value, kind)) {
    made += repeat;
    repeats.push({ path, isBeyond: made > MOST_REPEATED && repeat <= MOST_REPEATED });
  }
  return made > MOST_REPEATED ? repeats : [];
};

interface Repeat {
  readonly path: Path;
  /** Whether it is one of those with which there are too many; one that is too many by itself breaks the schema. */
  readonly isBeyond: boolean;
}

function* repeatsIn(
  value: unknown,
  kind: 'scenario' | 'environment',
  path: Path = [],
): Generator<{ readonly repeat: number; readonly path: Path }> {
  if (!isJsonObject(value)) return;
  if (kind === 'scenario') {
    const environments = isJsonObject(value.environments) ? Object.entries(value.environments) : [];
    for (const [name, held] of environments) yield* repeatsIn(held, 'environment', ['environments', name]);
    return;
  }
  for (const section of SECTION_NAMES) {
    const rows = value[section];
    if (!Array.isArray(rows)) continue;
    for (const [index, row] of rows.entries())
      if (isJsonObject(row) && typeof row.repeat === 'number')
        yield { repeat: row.repeat, path: [...path, section, index, 'repeat'] };
  }
}
