/** What may answer instead of the operation: the rate limit, an injected fault, a preference (behaviour T4, X2). */
import { setTimeout as sleep } from 'node:timers/promises';
import { formatDuration } from '../core/duration.ts';
import { ApiError, ERROR_KINDS } from '../core/errors.ts';
import { injectedError, preferredCode } from '../world/faults.ts';
import { type Call, operationIdOf } from './call.ts';
import { note } from './note.ts';

/**
 * Delays, refuses or breaks off a call as the environment is set.
 * @returns true if the connection was broken off, so that there is nobody to answer
 * @throws ApiError of the limit, the fault or the preference
 */
export const interfere = async (call: Call): Promise<boolean> => {
  requireRate(call);
  if (await strike(call)) return true;
  const preferred = preferredCode(call.request.headers.prefer as string | undefined);
  if (preferred === undefined) return false;
  call.extraHeaders['Preference-Applied'] = `code=${ERROR_KINDS[preferred].status}`;
  throw injectedError(preferred, 'the Prefer header');
};

const requireRate = ({ environment, clientId }: Call): void => {
  const { clock, settings } = environment.current;
  if (!settings.rate_limit) return;
  const wait = environment.rateLimiter.take(clientId ?? '', settings.rate_limit, clock);
  if (wait === undefined) return;
  const { requests, per } = settings.rate_limit;
  throw new ApiError(
    'RATE_LIMITED',
    `More than ${requests} requests in ${formatDuration(per)} from one client. Wait ${wait} s and call again.`,
    { headers: { 'Retry-After': String(wait) } },
  );
};

const strike = async (call: Call): Promise<boolean> => {
  const operationId = operationIdOf(call);
  const struck = operationId && call.environment.faults.strike(operationId);
  if (!struck) return false;
  call.fault = struck.fault;
  if (struck.delayMs > 0) await sleep(struck.delayMs, undefined, { ref: false });
  if (struck.abort) {
    call.request.socket.destroy();
    note(call, 0, '');
    return true;
  }
  if (struck.error) throw struck.error;
  return false;
};
