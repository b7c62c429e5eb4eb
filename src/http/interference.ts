/** What may answer instead of the operation: the rate limit, an injected fault, a preference (behaviour T4, X2). */
import { setTimeout as sleep } from 'node:timers/promises';
import { formatDuration } from '../core/duration.ts';
import { ApiError, ERROR_KINDS } from '../core/errors.ts';
import type { FaultEffect } from '../environments/faults.ts';
import { injectedError, preferredCode } from '../environments/injected-error.ts';
import { type Call, operationIdOf } from './call.ts';
import { note } from './note.ts';

/**
 * Decides whether a call is to be refused, and what else becomes of it. Does nothing where nothing was asked for.
 * @returns what still has to be carried out
 * @throws ApiError of the limit or the preference
 */
export const decideInterference = (call: Call): FaultEffect | undefined => {
  requireRate(call);
  const operationId = operationIdOf(call);
  if (operationId === undefined) return undefined;
  const strike = call.environment.faults.strike(operationId);
  if (strike) return strike;
  const preferred = preferredCode(call.request.headers.prefer as string | undefined);
  if (preferred === undefined) return undefined;
  call.extraHeaders['Preference-Applied'] = `code=${ERROR_KINDS[preferred].status}`;
  throw injectedError(preferred, operationId, 'the Prefer header');
};

/**
 * Delays, refuses or breaks off a call that a fault struck.
 * @returns true if the connection was broken off, so that there is nobody to answer
 * @throws ApiError of the fault
 */
export const carryOut = async (call: Call, strike: FaultEffect): Promise<boolean> => {
  call.fault = strike.fault;
  if (strike.delayMs > 0) await sleep(strike.delayMs, undefined, { ref: false });
  if (strike.error) throw strike.error;
  if (!strike.abort) return false;
  call.request.socket.destroy();
  note(call, 0, {}, '');
  return true;
};

const requireRate = ({ environment, clientId, request }: Call): void => {
  const { clock, settings } = environment.current;
  if (!settings.rate_limit) return;
  // A fixed bearer string stands for no client, so it is counted by itself.
  const client = clientId ?? request.headers.authorization ?? '';
  const wait = environment.rateLimiter.take(client, settings.rate_limit, clock);
  if (wait === undefined) return;
  const { requests, per } = settings.rate_limit;
  throw new ApiError(
    'RATE_LIMITED',
    `More than ${requests} requests in ${formatDuration(per)} from one client. Wait ${wait} s and call again.`,
    { headers: { 'Retry-After': String(wait) } },
  );
};
