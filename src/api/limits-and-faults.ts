/** What may answer instead of the operation: the rate limit, an injected fault, a preference (behaviour T4, X2). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import { formatDuration } from '../core/duration.ts';
import { ApiError } from '../core/errors.ts';
import { preferredError, readPreference } from '../environments/fault-effect.ts';
import type { OperationId } from '../openapi/types.ts';
import { type Call, callOf } from './call.ts';

/** @throws ApiError of the limit, the fault or the preference */
export const checkLimitsAndFaults: RequestHandler = async (request, response, next) => {
  const call = callOf(response);
  requireRate(call);
  const operation = call.operation?.operationId;
  if (!operation) return next();
  const { environment, clientId: client_id } = call;
  const query = request.url.split(/\?(.*)/s)[1] ?? '';
  const effect = environment.faults.effectOn({ operation, client_id, query, body: request.body });
  if (!effect) {
    requireNoPreference(request, response, operation);
    return next();
  }
  call.fault = effect.fault;
  if (effect.delayMs > 0) await sleep(effect.delayMs);
  if (effect.answer instanceof ApiError) throw effect.answer;
  if (effect.abort) request.socket.destroy();
  else next();
};

/** @throws ApiError of the status that the client prefers (`Prefer: code=503`) */
const requireNoPreference = (request: Request, response: Response, operation: OperationId): void => {
  const preference = readPreference(request.get('prefer'));
  if (!preference || !('status' in preference)) return;
  response.set('Preference-Applied', `code=${preference.status}`);
  throw preferredError(preference.status, operation);
};

const requireRate = ({ environment, clientId, request }: Call): void => {
  const { clock, settings } = environment.current;
  if (!settings.rate_limit) return;
  // A fixed bearer string belongs to no client, so it is counted by itself.
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
