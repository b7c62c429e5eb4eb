/** What may answer instead of the operation: the rate limit, an injected fault, a preference (behaviour T4, X2). */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import { formatDuration } from '../core/duration.ts';
import { Refusal } from '../core/errors.ts';
import { node } from '../core/node-globals.ts';
import { preferredError, readPreference } from '../environments/injected.ts';
import { rawQuery } from '../http/query.ts';
import type { OperationId } from '../openapi/types.ts';
import { type Call, callOf, sendText } from './call.ts';

/** @throws Refusal of the limit, the fault or the preference */
export const checkLimitsAndFaults: RequestHandler = async (request, response, next) => {
  const call = callOf(response);
  requireRate(call);
  const operation = call.operation?.operationId ?? call.stub;
  if (!operation) return next();
  const { environment, clientId: client_id } = call;
  const { path } = request;
  const query = rawQuery(request);
  const effect = environment.faults.effectOn({ operation, client_id, path, query, body: request.body });
  if (!effect) {
    requireNoPreference(request, response, operation);
    return next();
  }
  call.fault = effect.fault;
  if (effect.delayMs > 0) await delay(response, effect.delayMs);
  if (response.destroyed) return; // the client has gone meanwhile
  if (effect.abort) {
    request.socket.destroy();
    return;
  }
  if (effect.answer instanceof Refusal) throw effect.answer;
  if (!effect.answer) return next();
  const { status, headers, body } = effect.answer;
  sendText(response.status(status).set(headers), body);
};

/** Waits, but no longer than there is a client. */
const delay = async (response: Response, ms: number): Promise<void> => {
  const gone = new node.AbortController();
  const end = (): void => gone.abort();
  response.once('close', end);
  await sleep(ms, undefined, { signal: gone.signal }).catch(() => {});
  response.off('close', end);
};

/** A fault that looks at the body has it read before its turn (behaviour T4). */
export const readBodyForFaults =
  (operationId: OperationId, readBody: RequestHandler): RequestHandler =>
  (request, response, next) =>
    callOf(response).environment.faults.readsBody(operationId) ? readBody(request, response, next) : next();

/** @throws Refusal of the status that the client prefers (`Prefer: code=503`) */
const requireNoPreference = (request: Request, response: Response, operation: string): void => {
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
  throw new Refusal(
    'RATE_LIMITED',
    `More than ${requests} requests in ${formatDuration(per)} from one client.`,
    `Wait ${wait} s and call again.`,
    { headers: { 'Retry-After': String(wait) } },
  );
};
