/** The scenarios there are, for `ca-mock list`. */
import { isJsonObject } from '../openapi/document.ts';
import { findFile, scenarioNames } from './files.ts';
import { createProblems, ScenarioError } from './problem.ts';
import { fileSource } from './source.ts';

export interface ListedScenario {
  readonly name: string;
  /** Empty where the file has none, or cannot be read. */
  readonly description: string;
}

/** Names and descriptions, sorted by name: of a folder, and of those that come with the package. Nothing is checked. */
export const listScenarios = (fixturesDir: string): readonly ListedScenario[] =>
  scenarioNames(fixturesDir).map((name) => {
    const found = findFile(name, fixturesDir, { fixturesDir, workingDirectory: fixturesDir });
    return { name, description: 'problem' in found ? '' : describeScenario(found.file) };
  });

/** What a scenario file says of itself; empty if it says nothing, or cannot be read. */
export const describeScenario = (file: string): string => {
  try {
    const value = fileSource(file, file, createProblems())?.value;
    const description = isJsonObject(value) ? value.description : undefined;
    return typeof description === 'string' ? description : '';
  } catch (error) {
    if (error instanceof ScenarioError) return '';
    throw error;
  }
};
