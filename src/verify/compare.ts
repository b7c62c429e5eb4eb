/** Two servers, or two days, compared: statuses and shapes of replies in a recording, known differences in a ledger. */
import { valueAt } from '../core/object.ts';
import type { Observed, Outcome, Report } from './run.ts';

/** Type by place, such as `connected_accounts[].id`: `string`; several types of one place are joined by `|`. */
export type Shape = Readonly<Record<string, string>>;

/** A reply that is made to be large has no shape worth more. */
const MOST_PLACES = 1000;

/** Which members a body has and of what type, without their values. */
export const shapeOf = (body: unknown): Shape => {
  const types = new Map<string, Set<string>>();
  for (const [place, type] of placesIn(body, '')) {
    types.set(place, (types.get(place) ?? new Set()).add(type));
    if (types.size === MOST_PLACES) break;
  }
  return Object.fromEntries(
    [...types]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([place, found]) => [place, [...found].sort().join('|')]),
  );
};

function* placesIn(value: unknown, place: string): Generator<readonly [string, string]> {
  if (value === undefined) return;
  yield [place || 'body', typeOf(value)];
  if (Array.isArray(value)) {
    for (const item of value) yield* placesIn(item, `${place}[]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value))
      yield* placesIn(member, place ? `${place}.${name}` : name);
  }
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
};

/** By the name of the case. */
export type Recording = ReadonlyMap<string, readonly Observed[]>;

const FORMAT = 1;

/** The text of a recording; the same run gives the same text. */
export const writeRecording = (outcomes: readonly Outcome[]): string => {
  const cases = outcomes
    .filter(({ result }) => result !== 'skipped')
    .map(({ case: { name }, observed }): [string, readonly Observed[]] => [name, observed]);
  return `${JSON.stringify({ format: FORMAT, cases: Object.fromEntries(cases) }, undefined, 2)}\n`;
};

/** @throws Error if the text is no recording */
export const readRecording = (text: string): Recording => {
  const written: unknown = text.trimStart().startsWith('{') ? JSON.parse(text) : undefined;
  const cases = valueAt(written, 'cases');
  if (valueAt(written, 'format') !== FORMAT || typeof cases !== 'object' || cases === null)
    throw new Error(`It is no recording of format ${FORMAT}. Make one with --record FILE.`);
  // Written by `writeRecording`, as its format says.
  return new Map(Object.entries(cases as Record<string, readonly Observed[]>));
};

/** How replies differ from those of a recording, a line each that begins with the name of the case. */
const findDifferences = (outcomes: readonly Outcome[], recording: Recording): readonly string[] =>
  outcomes.flatMap(({ case: { name }, result, observed }) => {
    const recorded = recording.get(name);
    if (result === 'skipped' || !recorded) return [];
    return caseDifferences(observed, recorded).map((difference) => `${name}: ${difference}`);
  });

const caseDifferences = (here: readonly Observed[], there: readonly Observed[]): readonly string[] => {
  const differences: string[] = [];
  for (let index = 0; index < Math.max(here.length, there.length); index += 1) {
    const [own, other] = [here[index], there[index]];
    const where = `step ${index + 1}, ${own?.operationId ?? other?.operationId}`;
    if (!own || !other) {
      differences.push(`${where}: not reached ${own ? 'in the recording' : 'here'}`);
      break;
    }
    if (own.status !== other.status)
      differences.push(`${where}: status ${own.status} here, ${other.status} in the recording`);
    else differences.push(...shapeDifferences(own.shape, other.shape).map((text) => `${where}: ${text}`));
  }
  return differences;
};

/** Items of a list are compared only where both lists have some. */
const shapeDifferences = (here: Shape, there: Shape): readonly string[] =>
  [...new Set([...Object.keys(here), ...Object.keys(there)])]
    .sort()
    .filter((place) => here[place] !== there[place])
    .filter((place) => !isInEmptyList(place, here) && !isInEmptyList(place, there))
    .map(
      (place) => `${place} is ${here[place] ?? 'absent'} here, ${there[place] ?? 'absent'} in the recording`,
    );

/** Whether the place lies within the items of a list that had none. */
const isInEmptyList = (place: string, shape: Shape): boolean => {
  for (let end = place.indexOf('[]'); end >= 0; end = place.indexOf('[]', end + 2)) {
    if (shape[place.slice(0, end)] === 'array' && shape[place.slice(0, end + 2)] === undefined) return true;
  }
  return false;
};

/** The lines of a ledger; empty ones and those that begin with `#` say nothing. */
export const readLedger = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Whether a run is good: by its failures, by a recording, by a ledger. */
export interface Verdict {
  readonly isGood: boolean;
  /** How many cases were compared with a recording; undefined without one. */
  readonly compared?: number;
  readonly hasLedger: boolean;
  /** Failures and differences that the ledger has. */
  readonly known: readonly string[];
  /** Those that it does not have: without a ledger, all. */
  readonly added: readonly string[];
  /** Lines of the ledger that were not found; one about a case that was skipped is left alone. */
  readonly gone: readonly string[];
}

/** What a run is compared with. */
interface Yardsticks {
  readonly recording?: Recording | undefined;
  readonly ledger?: readonly string[] | undefined;
}

export const judge = ({ outcomes, isStopped }: Report, { recording, ledger = [] }: Yardsticks): Verdict => {
  const named = (result: string): readonly string[] =>
    outcomes.filter((outcome) => outcome.result === result).map((outcome) => outcome.case.name);
  const found = [
    ...named('failed').map((name) => `${name}: fails`),
    ...(recording ? findDifferences(outcomes, recording) : []),
  ];
  const skipped = named('skipped');
  const isOpen = (line: string): boolean => skipped.some((name) => line.startsWith(`${name}: `));
  const added = found.filter((line) => !ledger.includes(line));
  const gone = ledger.filter((line) => !found.includes(line) && !isOpen(line));
  return {
    isGood: !isStopped && added.length === 0 && gone.length === 0,
    ...(recording && {
      compared: outcomes.filter((one) => one.result !== 'skipped' && recording.has(one.case.name)).length,
    }),
    hasLedger: ledger.length > 0,
    known: found.filter((line) => ledger.includes(line)),
    added,
    gone,
  };
};
