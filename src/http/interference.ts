/** What may answer instead of the operation: the rate limit, an injected fault, a preference (behaviour T4, X2). */
import { setTimeout as sleep } from 'node:timers/promises';
import { formatDuration } from '../core/duration.ts';
import { ApiError } from '../core/errors.ts';
import { type FaultEffect, preferredError, readPreference } from '../environments/fault-effect.ts';
import { type Call, operationIdOf } from './call.ts';
import { note } from './note.ts';

/**
 * Decides whether a call is to be refused, and what else becomes of it. Does nothing where nothing was asked for.
 * @returns what still has to be carried out
 * @throws ApiError of the limit or the preference
 */
export const checkLimitsAndFaults = (call: Call): FaultEffect | undefined => {
  requireRate(call);
  const operation = operationIdOf(call);
  if (operation === undefined) return undefined;
  const { environment, clientId: client_id, rawQuery: query, body } = call;
  const effect = environment.faults.effectOn({ operation, client_id, query, body });
  if (effect) return effect;
  const preference = readPreference(call.request.headers.prefer as string | undefined);
  if (!preference || !('status' in preference)) return undefined;
  call.extraHeaders['Preference-Applied'] = `code=${preference.status}`;
  throw preferredError(preference.status, operation);
};

/**
 * Delays, refuses or breaks off a call that a fault is for.
 * @returns true if the connection was broken off, so that there is nobody to answer
 * @throws ApiError of the fault
 */
export const applyFault = async (call: Call, effect: FaultEffect): Promise<boolean> => {
  call.fault = effect.fault;
  if (effect.delayMs > 0) await sleep(effect.delayMs, undefined, { ref: false });
  if (effect.answer instanceof ApiError) throw effect.answer;
  if (!effect.abort) return false;
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
