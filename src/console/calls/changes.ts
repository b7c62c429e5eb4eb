/** Handlers of the console's calls that change an environment: undo, export, import. */

import { contentOf } from '../../engine/control/handlers/environments.ts';
import { created, DONE } from '../../engine/control/handlers/shared.ts';
import { remakeEnvironment } from '../../engine/environments/all-environments.ts';
import { requireUndoPoint, takeUndoPoint, undoTo } from '../../engine/environments/snapshots.ts';
import { exportScenario } from '../../engine/scenario/export.ts';
import { writeScenario, writeYaml } from '../../engine/scenario/scenario-text.ts';
import type { ConsoleHandlers } from './console-document.ts';
import { readText } from './forms.ts';

export const changes = {
  takeUndoPoint: ({ body }, { environment }) => created({ id: takeUndoPoint(environment, body.label) }),

  closeUndoPoint: ({ path, body }, { environment }) => {
    const point = requireUndoPoint(environment, path.point);
    point.last = environment.events.last(); // changes from now on are not its own
    if (!body.done) environment.undoPoints = environment.undoPoints.filter((each) => each !== point);
    return DONE;
  },

  listUndoPoints: (_input, { environment: { undoPoints, events } }) => {
    const changes = events.list();
    const laterThan = (last: number) => changes.filter(({ sequence }) => sequence > last).length;
    return {
      body: { points: undoPoints.map(({ id, label, last }) => ({ id, label, later: laterThan(last) })) },
    };
  },

  undo: ({ path }, { environment, environments }) => {
    undoTo(environments, environment, path.point);
    return DONE;
  },

  exportScenario: ({ query: { format, relative: isRelative } }, { environment }) => {
    const content = { ...contentOf(environment), clock: environment.current.clock };
    const isShort = format === 'yaml';
    const scenario = exportScenario(content, environment.instant(), { isRelative, isShort });
    return isShort
      ? { status: 200, contentType: 'application/yaml', text: writeYaml(scenario) }
      : { status: 200, contentType: 'application/json', text: writeScenario(scenario) };
  },

  importScenario: ({ body, query: { file } }, { environment, environments, loadScenario }) => {
    const text = readText(body.text, 'a scenario');
    // A text without `environments` is the content of one environment.
    const written = 'environments' in text ? text : { environments: { [environment.name]: text } };
    const names = Object.keys(Object(written.environments));
    // Imports the file's environment that has the target environment's name, or else the file's first environment.
    const from = names.includes(environment.name) ? environment.name : (names[0] ?? environment.name);
    const scenario = loadScenario(written, {});
    remakeEnvironment(environments, environment, { scenario, from });
    if (file !== undefined) environment.origin = { ...environment.origin, scenario: file };
    return { body: { from } };
  },
} satisfies Partial<ConsoleHandlers>;
