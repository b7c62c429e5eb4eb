/** Calls about the server as a whole. */
import { loadControlContract } from '../document.ts';
import type { Handlers } from '../types.ts';
import { requireOperation } from './lookup.ts';

export const server = {
  getHealth: (_input, { environments, version, uptime }) => ({
    status: 200,
    body: {
      status: 'ok',
      version,
      uptime_seconds: uptime(),
      scenario: environments.scenario.name,
      environments: environments.byId.size,
      reply_violations: environments.replyViolations,
    },
  }),

  // A copy, since the document's own type has only the members that our code reads.
  getControlDocument: () => ({ status: 200, body: { ...loadControlContract().document } }),

  writeGrpcCall: ({ body: { operation, parameters = {}, body = {} } }, { environments }) => {
    const known = requireOperation(environments, operation);
    return { status: 200, body: environments.writeGrpcCall?.(known, parameters, body) ?? {} };
  },

  listScenarios: (_input, { scenarios }) => ({ status: 200, body: { scenarios: [...scenarios.list()] } }),
} satisfies Partial<Handlers>;
