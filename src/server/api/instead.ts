/**
 * Answers calls without running an operation. The reason can be the rate limit, an injected fault, or the `Prefer` header
 * of the client (behaviour T4, X2).
 */

import type { Request } from 'express';
import { formatDuration } from '../../core/clock.ts';
import { Refusal } from '../../core/errors.ts';
import { preferredError, readPreference, type SentReply } from '../../model/environments/instead.ts';
import { rawQuery } from '../http/spelling.ts';
import type { Pauses } from '../http/under-way.ts';
import { type Ended, endCall, type Input, type Keep, requireSameWorld } from './call.ts';

/**
 * Ends a call without its operation, if the rate limit, a fault or the `Prefer` header requires that.
 * @param operation the operationId, or the method and path of a stub
 * @returns the call, ended if a fault answers it
 * @throws Refusal if the rate limit, a fault or the `Prefer` header refuses the call
 */
export const answerInstead = async <Call extends Input>(
  call: Call,
  operation: string,
  keep: Keep,
  { pause }: Pauses,
): Promise<Call | (Call & Ended)> => {
  requireRate(call);
  const { environment, clientId: client_id, request, response, body } = call;
  const query = rawQuery(request);
  const effect = environment.faults.effectOn({ operation, client_id, path: request.path, query, body });
  if (!effect) {
    requireNoPreference(request, operation);
    return call;
  }
  const { fault, delayMs, abort, instead } = effect;
  const faulty = keep({ ...call, fault });
  if (delayMs > 0) await pause(response, delayMs);
  if (abort) {
    request.socket.destroy();
    return endCall(faulty, { reply: NONE });
  }
  if (instead instanceof Refusal) throw instead;
  if (instead) return endCall(faulty, { reply: instead });
  requireSameWorld(faulty);
  return faulty;
};

/** A reply that is never sent, since a fault cut the connection. */
const NONE: SentReply = { status: 500, text: '' };

/** Refuses a call with the status that the client prefers (`Prefer: code=503`). @throws Refusal */
const requireNoPreference = (request: Request, operation: string): void => {
  const { prefer } = request.headers;
  const preference = prefer === undefined ? undefined : readPreference(String(prefer));
  if (preference && 'status' in preference) throw preferredError(preference.status, operation);
};

const requireRate = ({ environment, clientId, request }: Input): void => {
  const { clock, settings } = environment.current;
  if (!settings.rate_limit) return;
  // Requests with a fixed bearer string have no client, so each such string has its own limit.
  const client = clientId ?? request.headers.authorization ?? '';
  const wait = environment.rateLimiter.take(client, settings.rate_limit, clock);
  if (wait === undefined) return;
  const { requests, per } = settings.rate_limit;
  throw new Refusal(
    'RATE_LIMITED',
    `One client sent more than ${requests} requests in ${formatDuration(per)}.`,
    `Wait ${wait} s and call again.`,
    { guide: 'flags#rate-limit', headers: { 'Retry-After': String(wait) } },
  );
};
