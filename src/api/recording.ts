/** Writing a call where it belongs, in one place and when it is over: journal and coverage of its environment, and the log. */
import type { RequestHandler, Response } from 'express';
import { monotonicNow, realNow } from '../core/clock.ts';
import { defined, parseJson } from '../core/object.ts';
import { maskUrl } from '../core/secrets.ts';
import { readNow } from '../environments/environment.ts';
import { readPreference } from '../environments/injected.ts';
import { originOf } from '../http/grpc-origin.ts';
import { warningsOf } from '../http/progress.ts';
import { type Call, findCall } from './call.ts';
import { rowsMet } from './rows-met.ts';

/** A call of any plane, as the log has it. */
export interface LoggedCall {
  /** A call is over. Only functions get these entries, since there are many and nothing is wrong. */
  readonly event: 'request';
  readonly method: string;
  /** Without the query; tokens in it are cut short. */
  readonly path: string;
  /** 0 for a connection that was broken off. */
  readonly status: number;
  /** Milliseconds, to a tenth. */
  readonly ms: number;
  /** Of a call of the API: its operation and the name of its environment. */
  readonly operation?: string;
  readonly environment?: string;
  /** Why it was refused. */
  readonly reason?: string;
  /** Address of the words of the rule that the refusal follows. */
  readonly rule?: string;
  /** What was let through and ignored, in words. */
  readonly warnings?: readonly string[];
}

/** The first step of every call. @internal the package's types leave it out, as it needs Express's types */
export const recordCalls =
  (log: ((entry: LoggedCall) => void) | undefined, baseUrl: () => string): RequestHandler =>
  (request, response, next) => {
    const startedAt = monotonicNow();
    const { method, url } = request; // later steps rewrite them
    let isOver = false;
    const end = (status: number): void => {
      if (isOver) return;
      isOver = true;
      const call = findCall(response);
      const ms = monotonicNow() - startedAt;
      if (call) record(call, response, status, ms);
      log?.({
        event: 'request',
        method,
        path: shownPath(url),
        status,
        ms: Math.round(ms * 10) / 10,
        ...(call && about(call, baseUrl())),
      });
    };
    response.once('finish', () => end(response.statusCode));
    response.once('close', () => end(0)); // the answer did not get out
    next();
  };

const record = (call: Call, response: Response, status: number, duration_ms: number): void => {
  const { environment, request, operation, sentNames } = call;
  environment.journal.record({
    request_id: call.requestId,
    time: readNow(environment),
    real_time: realNow(),
    duration_ms,
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
    warnings: allWarnings(call),
    reason: call.reason,
    rule: call.rule,
    fault: call.fault,
    stub: call.stub,
    rows: call.rows ?? rowsMet(call),
  });
  if (!operation) return;
  environment.coverage.record(operation.operationId, status, sentNames, request.body);
  environment.used.record({
    operation: operation.operationId,
    status,
    sentNames,
    query: request.query,
    body: request.body,
    reply: replyOf(call),
    isRefused: status === 400 && call.violations.length > 0,
  });
};

/** The reply's body; undefined for a remembered reply, which was recorded when it was made. */
const replyOf = ({ answer, answerText, reason, fault }: Call): unknown =>
  answer ?? (reason === undefined && fault === undefined ? undefined : parseJson(answerText));

/** What was let through and ignored, a preference that cannot be met among it (RFC 7240). */
const allWarnings = ({ request, response }: Call): readonly string[] => {
  const warnings = warningsOf(response);
  const preference = readPreference(request.get('prefer'));
  return preference && 'warning' in preference ? [...warnings, preference.warning] : warnings;
};

const about = (call: Call, baseUrl: string): Partial<LoggedCall> => {
  const { environment, operation, reason, rule } = call;
  const warnings = allWarnings(call);
  return {
    environment: environment.name,
    ...defined({ operation: operation?.operationId, reason }),
    ...(rule !== undefined && { rule: `${baseUrl}/_mock/guide/rules#${rule.toLowerCase()}` }),
    ...(warnings.length > 0 && { warnings }),
  };
};

/** The token of a link or an invitation is all that is needed to use it. */
const TOKEN = /[A-Za-z0-9_-]{40,}/g;

const shownPath = (url: string): string =>
  maskUrl(url.replace(/\?.*/s, '')).replace(TOKEN, (token) => `${token.slice(0, 8)}...`);
