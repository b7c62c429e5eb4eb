/** One thing is wrong, anywhere: nothing is told that only follows from it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type Fault, formatPath, type Path, ScenarioError } from '../../src/scenario/fault.ts';
import { loadScenario } from '../../src/scenario/scenario.ts';
import { fixturesDir } from './files.ts';

const pathsIn = (value: unknown, path: Path = []): Path[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, held]) => {
        const at = [...path, Array.isArray(value) ? Number(name) : name];
        return [at, ...pathsIn(held, at)];
      });

const faultsOfObject = (scenario: object): readonly Fault[] => {
  try {
    loadScenario(scenario, { fixturesDir, workingDirectory: fixturesDir });
  } catch (error) {
    if (error instanceof ScenarioError) return error.faults;
    throw error;
  }
  return [];
};

const misspelled = (holder: object, name: string): object =>
  Object.fromEntries(Object.entries(holder).map(([each, held]) => [each === name ? `${name}x` : each, held]));

/** A copy in which something at the path is wrong. */
const breakAt = (value: unknown, path: Path, isMisspelled: boolean): unknown => {
  const [step, ...rest] = path;
  if (step === undefined) return typeof value === 'object' ? 7 : { wrong: [true] };
  const copy: object = Array.isArray(value) ? [...value] : { ...(value as object) }; // the path leads through it
  if (isMisspelled && rest.length === 0) return Array.isArray(copy) ? copy : misspelled(copy, String(step));
  Reflect.set(copy, step, breakAt(Reflect.get(copy, step), rest, isMisspelled));
  return copy;
};

test.each([
  ['verify-flow', 'of the wrong type', false],
  ['verify-flow', 'misspelled', true],
  ['invitations', 'of the wrong type', false],
  ['invitations', 'misspelled', true],
])('wherever one thing of %s is %s, nothing but that is told', (name, _, isMisspelled) => {
  const scenario: unknown = parse(readFileSync(join(fixturesDir, `${name}.yaml`), 'utf8'));
  for (const path of pathsIn(scenario)) {
    const faults = faultsOfObject(breakAt(scenario, path, isMisspelled) as object); // the root stays
    const elsewhere = faults.filter((fault) => !fault.path.startsWith(formatPath(path)));
    // Free-form values can be anything; what is derived from them may then be missed elsewhere.
    if (elsewhere.length < faults.length) expect(elsewhere).toEqual([]);
  }
});
