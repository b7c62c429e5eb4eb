/** Calls about what clients sent and got. */
import { parseTimestamp } from '../../core/clock.ts';
import { toHar } from '../../environments/har.ts';
import { ControlError } from '../errors.ts';
import type { Handlers } from '../types.ts';
import { DONE, requireEnvironment } from './lookup.ts';
import { requireOperation } from './operation-name.ts';

export const journal: Pick<Handlers, 'listRequests' | 'getRequest' | 'clearRequests'> = {
  listRequests: ({ path, query }, context) => {
    const { operation, status, since, format } = query;
    const environment = requireEnvironment(context, path.env);
    const requests = environment.journal.list({
      operation:
        operation === undefined ? undefined : requireOperation(context.environments, 'operation', operation),
      status,
      since: since === undefined ? undefined : parseTimestamp(since),
    });
    return {
      status: 200,
      body:
        format === 'har'
          ? toHar(requests, context.environments.baseUrl, context.version)
          : { requests, dropped: environment.journal.dropped() },
    };
  },

  getRequest: ({ path: { env, sequence } }, context) => {
    const entry = requireEnvironment(context, env).journal.find(sequence);
    if (entry) return { status: 200, body: entry };
    throw new ControlError(
      'NOT_FOUND',
      `The journal has no call ${sequence}.`,
      'It keeps the last 1,000; GET .../requests lists them.',
    );
  },

  clearRequests: ({ path }, context) => {
    requireEnvironment(context, path.env).journal.clear();
    return DONE;
  },
};
