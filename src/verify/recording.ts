/** What a server answered, case by case, as statuses and shapes: to be compared with another server, or a later day. */
import { valueAt } from './call.ts';
import type { Observed, Outcome } from './outcome.ts';
import { shapeDifferences } from './shape.ts';

/** The text of a recording; the same run gives the same text. */
export const writeRecording = (outcomes: readonly Outcome[]): string => {
  const cases = outcomes
    .filter(({ result }) => result !== 'skipped')
    .map(({ case: { name }, observed }): [string, readonly Observed[]] => [name, observed]);
  return `${JSON.stringify({ format: FORMAT, cases: Object.fromEntries(cases) }, undefined, 2)}\n`;
};

const FORMAT = 1;

export type Recording = ReadonlyMap<string, readonly Observed[]>;

/** @throws Error if the text is no recording */
export const readRecording = (text: string): Recording => {
  const written = parse(text);
  const cases = valueAt(written, 'cases');
  if (valueAt(written, 'format') !== FORMAT || typeof cases !== 'object' || cases === null)
    throw new Error(`It is no recording of format ${FORMAT}. Make one with --record FILE.`);
  // Written by `writeRecording`, as its format says.
  return new Map(Object.entries(cases as Record<string, readonly Observed[]>));
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** How replies differ from those of a recording, a line each that begins with the name of the case. */
export const findDifferences = (outcomes: readonly Outcome[], recording: Recording): readonly string[] =>
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

/** How many cases both have. */
export const countCompared = (outcomes: readonly Outcome[], recording: Recording): number =>
  outcomes.filter(({ case: { name }, result }) => result !== 'skipped' && recording.has(name)).length;
