/** The console's own calls. Users are not promised them: they can change in any version. */
import { loadControlContract } from '../../engine/control/control-document.ts';
import type { ControlCalls } from '../../engine/control/control-plane.ts';
import { requireFound } from '../../engine/core/errors.ts';
import { defined } from '../../engine/core/object.ts';
import type { Environments } from '../../engine/environments/all-environments.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import { toHar } from '../../engine/environments/har.ts';
import { changes } from './changes.ts';
import { type ConsoleHandlers, type ConsoleSchemas, loadConsoleContract } from './console-document.ts';
import { ends } from './ends.ts';
import { forms } from './forms.ts';
import { live } from './live.ts';
import { rows } from './rows.ts';

/** Writes recorded calls as a test. @throws Refusal 404 for a call that the journal does not have */
export type CopyAsTests = (
  environment: Environment,
  environments: Environments,
  sequences: readonly number[],
) => ConsoleSchemas['Tests'];

/** @param copyAsTests the library does it, which knows its own methods */
export const readConsoleCalls = (copyAsTests: CopyAsTests): ControlCalls => ({
  contract: loadConsoleContract(),
  handlers: {
    ...{ ...rows, ...forms, ...ends, ...live, ...lookups, ...changes },
    writeTests: ({ body }, { environment, environments }) => ({
      body: copyAsTests(environment, environments, body.sequences),
    }),
  } satisfies ConsoleHandlers, // the build fails if a handler is missing
  takesText: 'importScenario',
});

const MOST_LISTED = 10;

const firstOf = <Call>(calls: readonly Call[]) => ({
  total: calls.length,
  first: calls.slice(0, MOST_LISTED),
});

const lookups = {
  // Copies the document only for the type checker: the reply's type has an index signature, `OpenApiDocument` has none.
  getControlDocument: () => ({ body: { ...loadControlContract().document } }),

  listScenarios: (_input, { listScenarios }) => ({ body: { scenarios: [...listScenarios()] } }),

  getRun: (_input, { environments: { run, byId, baseUrl }, version }) => {
    const calls = run.calls(byId.values());
    const refused = calls
      .filter(({ fault, status, operation, stub }) => !fault && (status >= 400 || !(operation ?? stub)))
      .map(({ request: { method, url: path }, status, reason, environment }) =>
        defined({ method, path, status, reason, environment }),
      );
    const archive = { ...toHar(calls, version, baseUrl) };
    return { body: { archive, refused: firstOf(refused), refused_control: firstOf(run.refused.list()) } };
  },

  getRequest: ({ path: { sequence } }, { environment }) => {
    const hint = 'It is not one of the last 1,000 calls.';
    return { body: requireFound(environment.journal.find(sequence), `call ${sequence}`, hint) };
  },
} satisfies Partial<ConsoleHandlers>;
