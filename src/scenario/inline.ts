/** A scenario file as one object, with all that it extends: what can be sent to a mock elsewhere, which reads no files of ours. */
import { dirname, resolve } from 'node:path';
import { collectSources, findFile } from './files.ts';
import { createProblems, ScenarioError } from './problem.ts';
import type { ScenarioForm } from './sections/index.ts';

/**
 * Names that it extends are looked for beside it, and among the scenarios that come with the package.
 * @throws ScenarioError with every problem of its shape; the mock finds those of what it means
 */
export const inlineScenario = (named: string): ScenarioForm => {
  const workingDirectory = process.cwd();
  const places = { fixturesDir: dirname(resolve(named)), workingDirectory };
  const found = findFile(named, workingDirectory, places);
  if ('problem' in found) throw new ScenarioError([{ path: '', message: found.problem }]);
  const problems = createProblems();
  const { sources } = collectSources(found, places, problems);
  problems.throwIfAny();
  const forms = sources.map(({ form: { extends: _extends, ...form } }) => form);
  return { ...forms.at(-1), extends: forms.slice(0, -1) };
};
