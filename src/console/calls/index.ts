/** The console's own calls. Users are not promised them: they can change in any version. */
import { loadControlContract } from '../../engine/control/control-document.ts';
import type { ControlCalls } from '../../engine/control/control-plane.ts';
import { contentOf, DONE } from '../../engine/control/handlers/environments.ts';
import { requireFound } from '../../engine/core/errors.ts';
import { defined } from '../../engine/core/object.ts';
import { toHar } from '../../engine/environments/har.ts';
import { exportScenario } from '../../engine/scenario/export.ts';
import { writeScenario, writeYaml } from '../../engine/scenario/scenario-text.ts';
import { type ConsoleHandlers, loadConsoleContract } from './console-document.ts';
import { forms, readText } from './forms.ts';
import { live } from './live.ts';
import { rows } from './rows.ts';

/** @param writeTests the library writes calls as a test, since it knows its own methods */
export const readConsoleCalls = (writeTests: ConsoleHandlers['writeTests']): ControlCalls => ({
  contract: loadConsoleContract(),
  // The build fails if a handler is missing.
  handlers: { ...rows, ...forms, ...live, ...others, writeTests } satisfies ConsoleHandlers,
});

const firstOf = <Call>(calls: readonly Call[]) => ({ total: calls.length, first: calls.slice(0, 10) });

/** Lookups, undo, export and import. */
const others = {
  // Copies the document only for the type checker: the reply's type has an index signature, `OpenApiDocument` has none.
  getControlDocument: () => ({ body: { ...loadControlContract().document } }),

  listScenarios: (_input, { listScenarios }) => ({ body: { scenarios: [...listScenarios()] } }),

  getRun: (_input, { environments, version }) => {
    const calls = environments.calls();
    const refused = calls
      .filter(({ fault, status, operation, stub }) => !fault && (status >= 400 || !(operation ?? stub)))
      .map(({ request: { method, url: path }, status, reason, environment }) =>
        defined({ method, path, status, reason, environment }),
      );
    const archive = { ...toHar(calls, version, environments.baseUrl) };
    const refused_control = firstOf(environments.refusedCalls.list());
    return { body: { archive, refused: firstOf(refused), refused_control } };
  },

  getRequest: ({ path: { sequence } }, { environment }) => {
    const hint = 'It is not one of the last 1,000 calls.';
    return { body: requireFound(environment.journal.find(sequence), `call ${sequence}`, hint) };
  },

  takeUndoPoint: ({ body: { label } }, { environment }) => ({
    body: { id: environment.takeUndoPoint(label) },
  }),

  closeUndoPoint: ({ path, body }, { environment }) => {
    const point = environment.requireUndoPoint(path.point);
    point.last = environment.events.last; // changes from now on are not its own
    if (!body.done) environment.undoPoints = environment.undoPoints.filter((each) => each !== point);
    return DONE;
  },

  listUndoPoints: (_input, { environment: { undoPoints, events } }) => {
    const laterThan = (last: number) => events.list().filter(({ sequence }) => sequence > last).length;
    const points = undoPoints.map(({ id, label, last }) => ({ id, label, later: laterThan(last) }));
    return { body: { points } };
  },

  undo: ({ path }, { environment, environments }) => {
    environments.undoTo(environment, path.point);
    return DONE;
  },

  exportScenario: ({ query: { format, relative: isRelative } }, { environment }) => {
    const content = { ...contentOf(environment), clock: environment.current.clock };
    const isShort = format === 'yaml';
    const scenario = exportScenario(content, environment.instant(), { isRelative, isShort });
    const text = isShort ? writeYaml(scenario) : writeScenario(scenario);
    return { status: 200, contentType: isShort ? 'application/yaml' : 'application/json', text };
  },

  importScenario: ({ body, query: { file } }, { environment, environments, loadScenario }) => {
    const text = readText(body.text, 'a scenario');
    // A text without `environments` is the content of one environment.
    const written = 'environments' in text ? text : { environments: { [environment.name]: text } };
    // A copy of another environment takes the one of its own name too, if the file has it.
    const from = Object.hasOwn(Object(written.environments), environment.name) ? environment.name : undefined;
    environments.remake(environment, { scenario: loadScenario(written, {}), from });
    if (file !== undefined) environment.origin = { ...environment.origin, scenario: file };
    return DONE;
  },
} satisfies Partial<ConsoleHandlers>;
