/** Checks scenario sources against the schema and the limits of size (behaviour X1, X3). */
import type { ErrorObject, ValidateFunction } from 'ajv';
import {
  adviceOn,
  adviceOnName,
  describeWrong,
  requirementOf,
  shownValue,
  unknownWords,
} from '../contract/words.ts';
import { MOST_LEVELS_OF_SCENARIO } from '../core/limits.ts';
import { isJsonObject, type JsonObject, stepsOfPointer, valueAt } from '../core/object.ts';
import { misfit } from '../core/text.ts';
import { allSections, type Service } from '../service.ts';
import { hasPlaceholder } from '../stubs/echo.ts';
import { copiesOf } from './load-rows.ts';
import { type Problems, partOf, type Source } from './source.ts';
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
  for (const source of sources) validate(service, kind, source, problems);
  for (const then of lists.flatMap(rowsOfStubs)) checkShape(service, [then], 'environment', problems);
  for (const list of lists)
    for (const [index, row] of list.value.entries())
      for (const value of examplesOf(row))
        validate(service, String(list.at.at(-1)), { ...partOf(list, index), value }, problems);
};

const rowsOfStubs = (list: List): readonly Source[] =>
  list.at.at(-1) === 'stubs'
    ? list.value.map((_, index) => partOf(list, index, 'then')).filter(({ value }) => isJsonObject(value))
    : [];

const listsIn = ({ sections }: Service, source: Source, kind: SourceKind): readonly List[] => {
  const named = Object.keys(Object(valueAt(source.value, 'environments')));
  const environments =
    kind === 'environment' ? [source] : named.map((name) => partOf(source, 'environments', name));
  const names = [...sections.map(({ name }) => name), 'faults'];
  return environments
    .flatMap((environment) => names.map((name) => partOf(environment, name)))
    .filter((list): list is List => Array.isArray(list.value));
};

/** Adds a problem for each `repeat` beyond a limit. Counts rows, and the rows inside them, without creating them. */
const refuseTooMany = (
  { sections }: Service,
  lists: readonly List[],
  mostRows: number,
  problems: Problems,
): void => {
  let [rowsLeft, textLeft] = [mostRows, MOST_TEXT];
  for (const list of lists) {
    const part = sections.find(({ name }) => name === list.at.at(-1))?.part?.section.name ?? '';
    for (const [index, row] of list.value.entries()) {
      const repeat = repeatOf(row) ?? 0;
      const rows = repeat * (1 + [valueAt(row, part) ?? []].flat().length);
      const text = repeat && repeat * JSON.stringify(row).length;
      if (rows > rowsLeft || text > textLeft) {
        const most = rows > rowsLeft ? `${mostRows} rows` : `${MOST_TEXT} characters`;
        problems.at(list, [index, 'repeat'], `brings the total to more than ${most}; write fewer`);
        continue;
      }
      rowsLeft -= rows;
      textLeft -= text;
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
  const { value, at } = source;
  if (at.at(-1) === '__proto__')
    problems.at(source, [], 'the name __proto__ cannot be used; choose another name', 'key');
  if (typeof value !== 'object' || value === null) return true;
  if (at.length > MOST_LEVELS_OF_SCENARIO) problems.at(source, [], TOO_DEEP, 'key');
  const isList = Array.isArray(value);
  return (
    at.length <= MOST_LEVELS_OF_SCENARIO &&
    Object.entries(value).every(([name, member]) =>
      checkData({ ...source, value: member, at: [...at, isList ? Number(name) : name] }, problems),
    )
  );
};

/** Adds a problem for each place where a source breaks its schema. */
const validate = (service: Service, schema: string, source: Source, problems: Problems): void => {
  const isValid = service.scenarioChecks[schema] as ValidateFunction | undefined; // rows have their own checks, so the checks of files and environments skip rows
  if (!isValid || isValid(source.value)) return;
  // Keeps only the last error for each value or name, since Ajv reports the least helpful errors first.
  const errors = new Map(isValid.errors?.map((error) => [`${error.instancePath}\0${nameIn(error)}`, error]));
  for (const error of errors.values()) {
    const name = nameIn(error);
    // Skips an error that repeats another: Ajv reports a wrong name twice, and `checkData` also reports `__proto__`.
    if (error.keyword === 'propertyNames' || name === '__proto__') continue;
    const place = partOf(source, ...readPointer(source.value, error.instancePath));
    // A text in `then` of a stub may be known only when a call echoes it.
    if (source.at.includes('then') && typeof error.data === 'string' && hasPlaceholder(error.data)) continue;
    const [path, part] = name === undefined ? [[]] : ([[name], 'key'] as const);
    problems.at(place, path, messageOf(service, error, place), part);
  }
  isValid.errors = null; // without this line, `errors` keeps the checked value in memory
};

/** The member name that breaks the schema, or that is missing. Undefined if a value breaks it. */
const nameIn = ({ params, propertyName }: ErrorObject): string | undefined =>
  params.additionalProperty ?? params.missingProperty ?? propertyName;

/** Turns a JSON pointer into a path inside `root`. The steps into lists become numbers, all other steps strings. */
const readPointer = (root: unknown, pointer: string): Path => {
  const path: (string | number)[] = [];
  for (const step of stepsOfPointer(pointer))
    path.push(Array.isArray(valueAt(root, ...path)) ? Number(step) : step);
  return path;
};

/** Says which value or name breaks the schema, and what the schema requires. Never shows credentials (behaviour R2). */
const messageOf = (service: Service, error: ErrorObject, { at: path, locate }: Source): string => {
  const { keyword, data, propertyName, params } = error;
  const schema: JsonObject = error.parentSchema ?? {};
  if (keyword === 'additionalProperties') return unknownMember(service, params.additionalProperty, schema);
  if (keyword === 'required') return 'is missing. Add it.';
  if (propertyName !== undefined)
    return `the key "${propertyName}" of ${path.at(-1)} ${requirementOf(keyword, [schema], SCENARIO_FORMATS)}`;
  const types = keyword === 'type' ? [params.type].flat() : [];
  const written = typeof data === 'number' ? locate(path)?.written : undefined;
  const wrong = { keyword, value: data, path, forms: [schema], types, formats: SCENARIO_FORMATS, written };
  const [list, index] = path.slice(-2);
  const section = allSections(service).find(({ name }) => name === list);
  if (types.length > 0 && typeof index === 'number' && section)
    return misfit(shownValue(wrong), `must be a row such as ${section.example}`);
  const isUnquoted = types.includes('string') && valueAt(data, 'n') === null;
  const advice = isUnquoted ? 'Write "{n}", because YAML reads {n} as an object.' : adviceOn(wrong);
  return [describeWrong(wrong), advice].filter((part) => part !== '').join('. ');
};

const unknownMember = ({ sections }: Service, name: string, { properties }: JsonObject): string => {
  const known = Object.keys(Object(properties));
  const ofEnvironments = ['access_tokens', 'settings', ...sections.map((section) => section.name)];
  return known.includes('environments') && ofEnvironments.includes(name)
    ? `${name} belongs below an environment: write it below environments.development`
    : `${unknownWords('member')}. ${adviceOnName(name, known, 'member')}`;
};
