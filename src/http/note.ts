/** Writes a finished call into its environment's journal and coverage. Runs on every call: it keeps, and reads nothing. */
import { monotonicNow } from '../core/clock.ts';
import { readNow } from '../environments/environment.ts';
import { type Call, operationIdOf, requestIdOf } from './call.ts';
import type { Headers } from './cors.ts';

/** @param status 0 for a connection that was broken off. @param headers and text as they were sent */
export const note = (call: Call, status: number, headers: Headers, text: string): void => {
  const { environment, request, sentNames, body } = call;
  const operation = operationIdOf(call);
  environment.journal.record({
    request_id: requestIdOf(call),
    time: readNow(environment),
    duration_ms: monotonicNow() - call.startedAt,
    operation,
    method: call.method,
    url: request.url,
    request_headers: request.rawHeaders,
    request_body: call.bodyText,
    status,
    response_headers: headers,
    response_body: text,
    client_id: call.clientId,
    violations: call.violations,
    fault: call.fault,
  });
  if (operation) environment.coverage.record(operation, status, sentNames, body);
};
