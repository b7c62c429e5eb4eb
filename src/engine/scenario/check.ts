/** Checks scenario sources against the schema and the limits of size (behaviour X1, X3). */

import type { ErrorObject } from 'ajv';
import { isJsonObject, type JsonObject } from '../contract/document.ts';
import {
  adviceOn,
  adviceOnName,
  describeWrong,
  requirementOf,
  shownValue,
  unknownWords,
} from '../contract/words.ts';
import { MOST_LEVELS_OF_SCENARIO } from '../core/limits.ts';
import { stepsOfPointer, valueAt } from '../core/object.ts';
import { misfit } from '../core/text.ts';
import { allSections, type Service } from '../service.ts';
import { hasPlaceholder } from '../stubs/echo.ts';
import { copiesOf } from './load-rows.ts';
import { type Problems, partOf, problemAt, type Source } from './source.ts';
import { SCENARIO_FORMATS } from './times.ts';
import { type Path, TOO_DEEP } from './yaml.ts';

/** Whether a source holds a whole scenario, or only the content of `environments.NAME`. */
type SourceKind = 'scenario' | 'environment';

/** The most rows that `repeat` can make: in a scenario they fit the memory, in an environment other calls wait for them. */
const MOST_REPEATED = { scenario: 1_000_000, environment: 50_000 };
/** The most characters of such rows. */
const MOST_TEXT = 2 ** 29;

type List = Source<readonly unknown[]>;

/** Adds a problem for each place where a source breaks the schema, or where the sources together exceed a limit. */
export const checkShape = (
  service: Service,
  sources: readonly Source[],
  kind: SourceKind,
  problems: Problems,
): void => {
  const lists = sources.flatMap((source) => listsIn(service, source, kind));
  refuseTooMany(service, lists, MOST_REPEATED[kind], problems);
  // Skips nested scenarios, since `checkData` checks them as part of the scenario that contains them.
  for (const source of sources) if (source.at.length === 0 && !checkData(source, problems)) return;
  for (const source of sources) validate(service, kind, source.value, problems, source);
  for (const then of lists.flatMap(rowsOfStubs)) checkShape(service, [then], 'environment', problems);
  for (const list of lists)
    list.value.forEach((row, index) => {
      for (const example of examplesOf(row))
        validate(service, String(list.at.at(-1)), example, problems, list, [index]);
    });
};

const rowsOfStubs = (list: List): readonly Source[] =>
  list.at.at(-1) === 'stubs'
    ? list.value.map((_, index) => partOf(list, index, 'then')).filter(({ value }) => isJsonObject(value))
    : [];

/** Whether a text in `then` of a stub is known only when a call echoes it. */
const isEcho = ({ at }: Source, data: unknown): boolean =>
  at.includes('then') && typeof data === 'string' && hasPlaceholder(data);

const listsIn = ({ sections }: Service, source: Source, kind: SourceKind): readonly List[] => {
  const names = Object.keys(Object(valueAt(source.value, 'environments')));
  const environments =
    kind === 'environment' ? [source] : names.map((name) => partOf(source, 'environments', name));
  return environments
    .flatMap((environment) =>
      [...sections.map(({ name }) => name), 'faults'].map((name) => partOf(environment, name)),
    )
    .filter((list): list is List => Array.isArray(list.value));
};

/** Adds a problem for each `repeat` beyond a limit. Counts rows, and the rows inside them, without creating them. */
const refuseTooMany = (
  { sections }: Service,
  lists: readonly List[],
  mostRows: number,
  problems: Problems,
): void => {
  const left = { rows: mostRows, text: MOST_TEXT };
  for (const list of lists) {
    const part = sections.find(({ name }) => name === list.at.at(-1))?.part?.section.name ?? '';
    for (const [index, row] of list.value.entries()) {
      const repeat = repeatOf(row) ?? 0;
      const rows = repeat * (1 + [valueAt(row, part) ?? []].flat().length);
      const text = repeat && repeat * JSON.stringify(row).length;
      if (rows <= left.rows && text <= left.text) {
        left.rows -= rows;
        left.text -= text;
        continue;
      }
      const what = rows > left.rows ? `${mostRows} rows` : `${MOST_TEXT} characters`;
      const message = `brings the total to more than ${what}; write fewer`;
      problems.add(problemAt(list, [index, 'repeat'], message));
    }
  }
};

const repeatOf = (row: unknown): number | undefined => {
  const count = valueAt(row, 'repeat');
  return typeof count === 'number' && Number.isInteger(count) && count > 0 ? count : undefined;
};

/** The rows to check against the schema: the row itself, or the first and last copies of a repeated row. */
const examplesOf = (row: unknown): readonly unknown[] => {
  const count = repeatOf(row);
  return count === undefined ? [row] : [1, count].map(copiesOf(row));
};

/**
 * Adds a problem for data that is nested too deeply, or has a member named `__proto__` (behaviour T10).
 * @returns false if the data is too deep for further checks
 */
const checkData = (source: Source, problems: Problems): boolean => {
  const refuse = (path: Path, message: string): false => {
    problems.add(problemAt(source, path, message, 'key'));
    return false;
  };
  const check = (value: unknown, path: Path): boolean => {
    if (typeof value !== 'object' || value === null) return true;
    if (path.length > MOST_LEVELS_OF_SCENARIO) return refuse(path, TOO_DEEP);
    return Object.entries(value).every(([name, member]) => {
      const at = [...path, Array.isArray(value) ? Number(name) : name];
      if (name === '__proto__') refuse(at, 'the name __proto__ cannot be used; choose another name');
      return check(member, at);
    });
  };
  return check(source.value, []);
};

/** Adds a problem for each place where `value` breaks its schema. `at` is the path of `value` in the source. */
const validate = (
  service: Service,
  part: string,
  value: unknown,
  problems: Problems,
  source: Source,
  at: Path = [],
): void => {
  const isValid = service.scenarioChecks[part]; // rows have their own checks, so the checks of files and environments skip rows
  if (!isValid || isValid(value)) return;
  // Keeps only the last error for each value or name, since Ajv reports the least helpful errors first.
  const errors = new Map<string, ErrorObject>();
  for (const error of isValid.errors ?? []) errors.set(`${error.instancePath}\0${nameIn(error)}`, error);
  for (const error of errors.values()) {
    const name = nameIn(error);
    // Skips an error that repeats another: Ajv reports a wrong name twice, and `checkData` also reports `__proto__`.
    if (error.keyword === 'propertyNames' || name === '__proto__' || isEcho(source, error.data)) continue;
    const path = readPointer(value, error.instancePath);
    const place = [...source.at, ...at, ...path];
    const written = typeof error.data === 'number' ? source.locate(place)?.written : undefined;
    const message = messageOf(service, error, place, written);
    problems.add(
      name === undefined
        ? problemAt(source, [...at, ...path], message)
        : problemAt(source, [...at, ...path, name], message, 'key'),
    );
  }
  isValid.errors = null; // without this line, `errors` keeps the checked value in memory
};

/** The member name that breaks the schema, or that is missing. Undefined if a value breaks it. */
const nameIn = ({ params, propertyName }: ErrorObject): string | undefined => {
  const { additionalProperty, missingProperty } = params as Readonly<Record<string, string>>; // the cast is safe: in errors of Ajv, both are names of members
  return additionalProperty ?? missingProperty ?? propertyName;
};

/** Turns a JSON pointer into a path inside `root`. The steps into lists become numbers, all other steps strings. */
const readPointer = (root: unknown, pointer: string): Path => {
  const path: (string | number)[] = [];
  for (const step of stepsOfPointer(pointer))
    path.push(Array.isArray(valueAt(root, ...path)) ? Number(step) : step);
  return path;
};

/**
 * Says which value or name breaks the schema, and what the schema requires. Never shows credentials (behaviour R2).
 * @param written a number as the file has it
 */
const messageOf = (service: Service, error: ErrorObject, path: Path, written: string | undefined): string => {
  const { keyword, data, propertyName, params } = error;
  const schema: JsonObject = error.parentSchema ?? {};
  const name = nameIn(error);
  if (keyword === 'additionalProperties' && name !== undefined) return unknownMember(service, name, schema);
  if (keyword === 'required') return 'is missing. Add it.';
  if (propertyName !== undefined)
    return `the key "${propertyName}" of ${path.at(-1)} ${requirementOf(keyword, [schema], SCENARIO_FORMATS)}`;
  const types = keyword === 'type' ? [params.type].flat() : [];
  const wrong = { keyword, value: data, path, forms: [schema], types, formats: SCENARIO_FORMATS, written };
  const [list, index] = path.slice(-2);
  const ofRows = allSections(service).find(({ name }) => name === list);
  if (types.length > 0 && typeof index === 'number' && ofRows)
    return misfit(shownValue(wrong), `must be a row such as ${ofRows.example}`);
  const advice =
    types.includes('string') && valueAt(data, 'n') === null
      ? 'Write "{n}", because YAML reads {n} as an object.'
      : adviceOn(wrong);
  return [describeWrong(wrong), advice].filter((part) => part !== '').join('. ');
};

const unknownMember = ({ sections }: Service, name: string, { properties }: JsonObject): string => {
  const known = Object.keys(Object(properties));
  const ofEnvironments = ['access_tokens', 'settings', ...sections.map((section) => section.name)];
  if (known.includes('environments') && ofEnvironments.includes(name))
    return `${name} belongs below an environment: write it below environments.development`;
  return `${unknownWords('member')}. ${adviceOnName(name, known, 'member')}`;
};
