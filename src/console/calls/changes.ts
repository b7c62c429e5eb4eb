/** Handlers of the console's calls that change an environment: undo, export, import. */

import { contentOf } from '../../engine/control/handlers/content.ts';
import { DONE } from '../../engine/control/handlers/shared.ts';
import { Refusal } from '../../engine/core/errors.ts';
import { remakeEnvironment, switchScenario } from '../../engine/environments/all-environments.ts';
import type { Environment, UndoPoint } from '../../engine/environments/environment.ts';
import {
  closeUndoPoint,
  countLaterChanges,
  takeUndoPoint,
  undoTo,
} from '../../engine/environments/snapshots.ts';
import { exportScenario } from '../../engine/scenario/export.ts';
import { readScenario, writeScenario, writeYaml } from '../../engine/scenario/scenario-text.ts';
import type { ConsoleHandlers } from './call-types.ts';

export const changes = {
  takeUndoPoint: ({ body: { label } }, { environment }) => ({
    status: 201,
    body: { id: takeUndoPoint(environment, label) },
  }),

  closeUndoPoint: ({ path: { point } }, { environment }) => {
    closeUndoPoint(environment, point, true);
    return DONE;
  },

  forgetUndoPoint: ({ path: { point } }, { environment }) => {
    closeUndoPoint(environment, point, false);
    return DONE;
  },

  listUndoPoints: (_input, { environment }) => ({
    status: 200,
    body: { points: environment.undoPoints.map((point) => presentPoint(environment, point)) },
  }),

  undo: ({ path }, { environment, environments }) => {
    undoTo(environments, environment, path.point);
    return DONE;
  },

  exportScenario: ({ query }, { environment }) => {
    const content = { ...contentOf(environment), clock: environment.current.clock };
    const isYaml = query.format === 'yaml';
    const scenario = exportScenario(content, environment.instant(), {
      isRelative: query.relative,
      isShort: isYaml,
    });
    return isYaml
      ? { status: 200, contentType: 'application/yaml', text: writeYaml(scenario) }
      : { status: 200, contentType: 'application/json', text: writeScenario(scenario) };
  },

  importScenario: ({ body, query: { file } }, { environment, environments, loadScenario }) => {
    const written = readFile(body.text, environment.name);
    const names = Object.keys(Object(written.environments));
    // Imports the file's environment that has the target environment's name, or else the file's first environment.
    const from = names.includes(environment.name) ? environment.name : (names[0] ?? environment.name);
    const scenario = loadScenario(written, {});
    if (from === environment.name) switchScenario(environments, environment, scenario);
    else remakeEnvironment(environments, environment, { scenario, from });
    if (file !== undefined) environment.origin = { ...environment.origin, scenario: file };
    return { status: 200, body: { from } };
  },
} satisfies Partial<ConsoleHandlers>;

const presentPoint = (environment: Environment, point: UndoPoint) => ({
  ...{ id: point.id, label: point.label },
  later: countLaterChanges(environment, point),
});

/** Reads the text of a scenario file. @throws Refusal 400 if the text is not a scenario */
const readFile = (text: string, name: string): { readonly environments?: unknown } => {
  const { value, problems } = readScenario(text);
  for (const { line, column, message } of problems)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `Line ${line}, column ${column} of the file: ${message}.`,
      'Correct the file and import it again.',
    );
  if (typeof value !== 'object' || value === null)
    throw new Refusal(
      'INVALID_ARGUMENT',
      'The file is not a scenario.',
      'Choose a file that ca-mock can load.',
    );
  // A text without `environments` is the content of one environment.
  return 'environments' in value ? value : { environments: { [name]: value } };
};
