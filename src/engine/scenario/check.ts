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
import { TOO_DEEP } from './scenario-text.ts';
import type { Source } from './source.ts';
import { SCENARIO_FORMATS } from './times.ts';
import { copiesOf } from './written-rows.ts';

/** Whether a source holds a whole scenario, or only the content of `environments.NAME`. */
type SourceKind = 'scenario' | 'environment';

/** The most rows that `repeat` can make: in a scenario they fit the memory, in an environment other calls wait for them. */
const MOST_REPEATED = { scenario: 1_000_000, environment: 50_000 };
/** The most characters of such rows. */
const MOST_TEXT = 2 ** 29;

type List = Source<readonly unknown[]>;

/** Adds a problem for each place where a source breaks the schema, or where the sources together exceed a limit. */
export const checkShape = (service: Service, sources: readonly Source[], kind: SourceKind): void => {
  const lists = sources.flatMap((source) => listsIn(service, source, kind));
  refuseTooMany(service, lists, MOST_REPEATED[kind]);
  // Skips nested scenarios, since `checkData` checks them as part of the scenario that contains them.
  for (const source of sources) if (source.at.length === 0 && !checkData(source)) return;
  for (const source of sources) validate(service, kind, source);
  for (const list of lists)
    for (const index of list.value.keys()) checkRow(service, String(list.at.at(-1)), list.part(index));
};

const checkRow = (service: Service, list: string, row: Source): void => {
  const then = list === 'stubs' ? row.part('then') : undefined;
  if (isJsonObject(then?.value)) checkShape(service, [then], 'environment');
  for (const value of examplesOf(row.value)) validate(service, list, row.with(value));
};

const listsIn = ({ sections }: Service, source: Source, kind: SourceKind): readonly List[] => {
  const named = Object.keys(Object(valueAt(source.value, 'environments')));
  const environments =
    kind === 'environment' ? [source] : named.map((name) => source.part('environments', name));
  const names = [...sections.map(({ name }) => name), 'faults'];
  return environments
    .flatMap((environment) => names.map((name) => environment.part(name)))
    .filter((list): list is List => Array.isArray(list.value));
};

/** Adds a problem for each `repeat` beyond a limit. Counts rows, and the rows inside them, without creating them. */
const refuseTooMany = ({ sections }: Service, lists: readonly List[], mostRows: number): void => {
  let [rowsLeft, textLeft] = [mostRows, MOST_TEXT];
  const repeated = lists.flatMap((list) =>
    list.value.flatMap((row, index) => (repeatOf(row) === undefined ? [] : list.part(index))),
  );
  for (const row of repeated) {
    const { value, at } = row;
    const inner = sections.find(({ name }) => name === at.at(-2))?.part?.section.name ?? '';
    const repeat = repeatOf(value) ?? 0;
    const rows = repeat * (1 + [valueAt(value, inner) ?? []].flat().length);
    const text = repeat * JSON.stringify(value).length;
    const most = rows > rowsLeft ? `${mostRows} rows` : text > textLeft ? `${MOST_TEXT} characters` : '';
    if (most) row.problem(['repeat'], `brings the total to more than ${most}; write fewer`);
    else [rowsLeft, textLeft] = [rowsLeft - rows, textLeft - text];
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
const checkData = (source: Source): boolean => {
  const { value, at } = source;
  if (at.at(-1) === '__proto__')
    source.problem([], 'the name __proto__ cannot be used; choose another name', 'key');
  if (typeof value !== 'object' || value === null) return true;
  if (at.length > MOST_LEVELS_OF_SCENARIO) return Boolean(source.problem([], TOO_DEEP, 'key'));
  const isList = Array.isArray(value);
  return Object.entries(value).every(([name, member]) =>
    checkData(source.with(member, [isList ? Number(name) : name])),
  );
};

const validate = (service: Service, schema: string, source: Source): void => {
  const isValid = service.scenarioChecks[schema] as ValidateFunction | undefined; // rows have their own checks, so the checks of files and environments skip rows
  if (!isValid || isValid(source.value)) return;
  // Keeps only the last error for each value or name, since Ajv reports the least helpful errors first.
  const errors = new Map(isValid.errors?.map((error) => [`${error.instancePath}\0${nameIn(error)}`, error]));
  for (const error of errors.values()) {
    const name = nameIn(error);
    // Skips an error that repeats another: Ajv reports a wrong name twice, and `checkData` also reports `__proto__`.
    if (error.keyword === 'propertyNames' || name === '__proto__') continue;
    // A text in `then` of a stub may be known only when a call echoes it.
    if (source.at.includes('then') && typeof error.data === 'string' && hasPlaceholder(error.data)) continue;
    const place = placeAt(source, error.instancePath);
    const message = messageOf(service, error, place);
    if (name === undefined) place.problem([], message);
    else place.problem([name], message, 'key');
  }
  isValid.errors = null; // without this line, `errors` keeps the checked value in memory
};

/** The member name that breaks the schema, or that is missing. Undefined if a value breaks it. */
const nameIn = ({ params, propertyName }: ErrorObject): string | undefined =>
  params.additionalProperty ?? params.missingProperty ?? propertyName;

/** The place at the end of a JSON pointer. Steps into lists are numbers, all others strings. */
const placeAt = (source: Source, pointer: string): Source =>
  stepsOfPointer(pointer).reduce(
    (place, step) => place.part(Array.isArray(place.value) ? Number(step) : step),
    source,
  );

/** Says which value or name breaks the schema, and what the schema requires. Never shows credentials (behaviour R2). */
const messageOf = (service: Service, error: ErrorObject, { at: path, origin }: Source): string => {
  const { keyword, data, propertyName, params } = error;
  const schema: JsonObject = error.parentSchema ?? {};
  if (keyword === 'additionalProperties') return unknownMember(service, params.additionalProperty, schema);
  if (keyword === 'required') return 'is missing. Add it.';
  if (propertyName !== undefined)
    return `the key "${propertyName}" of ${path.at(-1)} ${requirementOf(keyword, [schema], SCENARIO_FORMATS)}`;
  const types = keyword === 'type' ? [params.type].flat() : [];
  const written = typeof data === 'number' ? origin.locate?.(path)?.written : undefined;
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
