/** The scenarios of a folder, for `ca-mock list`. */
import { readFileSync } from 'node:fs';
import { isJsonObject } from '../openapi/document.ts';
import { createFaults } from './fault.ts';
import { findFile, scenarioNames } from './files.ts';
import { textSource } from './source.ts';

export interface ListedScenario {
  readonly name: string;
  /** Empty where the file has none, or cannot be read. */
  readonly description: string;
}

/** Names and descriptions, sorted by name. The files are read and not checked. */
export const listScenarios = (fixturesDir: string): readonly ListedScenario[] =>
  scenarioNames(fixturesDir).map((name) => {
    const found = findFile(name, fixturesDir, { fixturesDir, workingDirectory: fixturesDir });
    return { name, description: 'problem' in found ? '' : describeScenario(found.file) };
  });

/** What a scenario file says of itself; empty if it says nothing, or cannot be read. */
export const describeScenario = (file: string): string => {
  const { value } = textSource(file, readFileSync(file, 'utf8'), createFaults());
  const description = isJsonObject(value) ? value.description : undefined;
  return typeof description === 'string' ? description : '';
};
