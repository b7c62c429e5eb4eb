/** Handlers of the console's calls that look something up. */

import { loadControlContract } from '../../engine/control/control-document.ts';
import { Refusal } from '../../engine/core/errors.ts';
import { defined } from '../../engine/core/object.ts';
import { toHar } from '../../engine/environments/har.ts';
import type { ConsoleHandlers } from './call-types.ts';

const MOST_LISTED = 10;

const firstOf = <Call>(calls: readonly Call[]) => ({
  total: calls.length,
  first: calls.slice(0, MOST_LISTED),
});

export const lookups = {
  // Copies the document only for the type checker: the reply's type has an index signature, `OpenApiDocument` has none.
  getControlDocument: () => ({ status: 200, body: { ...loadControlContract().document } }),

  listScenarios: (_input, { listScenarios }) => ({ status: 200, body: { scenarios: [...listScenarios()] } }),

  getRun: (_input, { environments, version }) => {
    const { run, byId, baseUrl } = environments;
    const calls = run.calls(byId.values());
    const troubles = calls.filter(
      ({ status, fault, operation, stub }) =>
        fault === undefined && (status >= 400 || (operation === undefined && stub === undefined)),
    );
    const refused = troubles.map(({ request: { method, url: path }, status, reason, environment }) =>
      defined({ method, path, status, reason, environment }),
    );
    const archive = { ...toHar(calls, version, baseUrl) };
    const [own, control] = [firstOf(refused), firstOf(run.refused.list())];
    return { status: 200, body: { archive, refused: own, refused_control: control } };
  },

  getRequest: ({ path: { sequence } }, { environment }) => {
    const entry = environment.journal.find(sequence);
    if (entry) return { status: 200, body: entry };
    throw new Refusal(
      'NOT_FOUND',
      `The journal has no call ${sequence}.`,
      'The journal keeps the last 1,000 calls; GET .../requests lists them.',
    );
  },
} satisfies Partial<ConsoleHandlers>;
