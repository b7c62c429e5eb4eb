/** Writing a call into its environment's journal and coverage, in one place: when it is over. */

import type { Response } from 'express';
import { monotonicNow } from '../core/clock.ts';
import { readNow } from '../environments/environment.ts';
import { readPreference } from '../environments/fault-effect.ts';
import { originOf } from '../http/origin.ts';
import { type Call, requestIdOf } from './call.ts';

/** @param status 0 for a connection that was broken off */
export const recordCall = (call: Call, response: Response, status: number): void => {
  const { environment, request, operation, sentNames } = call;
  environment.journal.record({
    request_id: requestIdOf(call),
    time: readNow(environment),
    duration_ms: monotonicNow() - call.startedAt,
    operation: operation?.operationId,
    grpc_method: originOf(request)?.method,
    method: request.method,
    url: request.url,
    request_headers: request.rawHeaders,
    request_body: call.bodyText,
    status,
    response_headers: status === 0 ? {} : response.getHeaders(),
    response_body: status === 0 ? '' : call.answerText,
    client_id: call.clientId,
    violations: call.violations,
    warnings: warningsOf(call),
    reason: call.reason,
    fault: call.fault,
  });
  if (operation) environment.coverage.record(operation.operationId, status, sentNames, request.body);
};

/** What was let through and ignored, a preference that cannot be met among it (RFC 7240). */
export const warningsOf = ({ request, warnings }: Call): readonly string[] => {
  const preference = readPreference(request.get('prefer'));
  return preference && 'warning' in preference ? [...warnings, preference.warning] : warnings;
};
