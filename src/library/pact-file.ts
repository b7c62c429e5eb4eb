/** The file of a Pact, which is committed like a lock file: what a run does not have in common with it. */
import { existsSync } from 'node:fs';
import { Unusable } from '../engine/core/errors.ts';
import { readRegularFile } from '../engine/core/files.ts';
import { parseJson, valueAt } from '../engine/core/object.ts';
import type { Pact } from './published-types.ts';

/** @throws Unusable if there is a file, but not one with a Pact */
export const readPact = (file: string): Pact | undefined => {
  if (!existsSync(file)) return undefined;
  const read = readRegularFile(file);
  if ('problem' in read) throw new Unusable(`${file} ${read.problem}. Choose another file.`);
  const pact = parseJson(read.bytes.toString('utf8').replace(/^\uFEFF/, ''));
  if (!Array.isArray(valueAt(pact, 'interactions')))
    throw new Unusable(`${file} is not a Pact. Write it with "ca-mock exec --pact ${file} -- COMMAND".`);
  return pact as Pact; // anything else that is not as in a Pact shows as a difference
};

const MOST_LINES = 20;

/** @returns a list with one message that names what differs between the file and a run, or an empty list */
export const comparePact = (file: string, pact: Pact): readonly string[] => {
  const lines = differences(byDescription(readPact(file)), byDescription(pact));
  if (lines.length === 0) return [];
  const more = lines.length > MOST_LINES ? [`  and ${lines.length - MOST_LINES} more`] : [];
  const advice = `${file} is not what this run relied on. To write it anew, run again without --pact-check.`;
  return [[advice, ...lines.slice(0, MOST_LINES), ...more].join('\n')];
};

/** Interactions by their description, so that a new one is one difference. */
const byDescription = (pact: Pact | undefined): unknown => {
  if (!pact) return { interactions: {} };
  const named = pact.interactions.map((one) => {
    const states = valueAt(one, 'providerStates', 0, 'name');
    return [`${valueAt(one, 'description')} (${states})`, one] as const;
  });
  return { ...pact, interactions: Object.fromEntries(named) };
};

/** `+` for what only the run has, `-` for what only the file has, `~` for what both have with other values. */
const differences = (before: unknown, after: unknown, place = ''): readonly string[] => {
  if (before === undefined) return [`  + ${place}`];
  if (after === undefined) return [`  - ${place}`];
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null)
    return before === after ? [] : [`  ~ ${place}: ${JSON.stringify(before)}, now ${JSON.stringify(after)}`];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    differences(
      valueAt(before, name),
      valueAt(after, name),
      place === 'interactions' || place === '' ? name : `${place} ${name}`,
    ),
  );
};
