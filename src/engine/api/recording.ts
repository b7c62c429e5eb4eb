/** Records each call once, when it is over: in the journal and coverage of its environment, and in the log. */
import type { RequestHandler } from 'express';
import { monotonicNow, realNow } from '../core/clock.ts';
import { defined, parseJson } from '../core/object.ts';
import { maskUrl, withoutTokens } from '../core/secrets.ts';
import { headerWarnings } from '../environments/mock-headers.ts';
import type { Call } from './call.ts';

/** The log entry for a call that has ended. */
export interface LoggedCall {
  /** The kind of event: a `request` event is logged when the call has ended. */
  readonly event: 'request';
  /** Method of the call. */
  readonly method: string;
  /** The path without the query; tokens in the path are cut short. */
  readonly path: string;
  /** 0 if the connection was closed without an answer. */
  readonly status: number;
  /** How long the call took, in milliseconds with one decimal. */
  readonly ms: number;
  /** The operation of an API call. */
  readonly operation?: string;
  /** The name of an API call's environment. */
  readonly environment?: string;
  /** Why the call was refused. */
  readonly reason?: string;
  /** The URL of the rule that explains the refusal: `http://127.0.0.1:4720/_mock/guide/rules#t3`. */
  readonly rule?: string;
  /** Sentences that tell which parts of the input were ignored. */
  readonly warnings?: readonly string[];
}

/** The first step of every request: when it is over, records a call of the API, and logs every call. @internal */
export const recordCalls =
  (log: ((entry: LoggedCall) => void) | undefined, baseUrl: () => string): RequestHandler =>
  ({ method, url }, response, next) => {
    // `method` and `url` were read above, since the later steps change them
    const startedAt = monotonicNow();
    let isOver = false;
    /** @param status 0 if the connection closed before the answer */
    const end = (status: number): void => {
      if (isOver) return;
      isOver = true;
      const ms = monotonicNow() - startedAt;
      // Only a call of the API has an environment; a refused control call has only a reason.
      const { call = {} }: { call?: Call | Partial<Pick<Call, 'reason'>> } = response.locals;
      const isApi = 'environment' in call;
      if (isApi) {
        call.warnings = [...call.warnings, ...headerWarnings(call.request.headers).map(withoutTokens)];
        record(call, status, ms);
      }
      log?.({
        event: 'request',
        method,
        path: shownPath(url),
        status,
        ms: Math.round(ms * 10) / 10,
        ...(isApi ? aboutCall(call, baseUrl()) : defined({ reason: call.reason })),
      });
    };
    response.once('finish', () => end(response.statusCode)).once('close', () => end(0));
    next();
  };

const record = (call: Call, status: number, duration_ms: number): void => {
  const { environment, request, response, operation, body, violations } = call;
  environment.journal.record({
    request_id: call.requestId,
    time: environment.now,
    real_time: realNow(),
    duration_ms,
    operation: operation?.operationId,
    grpc_method: request.grpc?.method,
    request: { method: request.method, url: request.url, headers: request.headers, body: call.bodyText },
    status,
    response: status === 0 ? { headers: {} } : { headers: response.getHeaders(), body: call.reply?.text },
    client_id: call.clientId,
    violations,
    warnings: recordedWarnings(call),
    reason: call.reason,
    rule: call.rule,
    fault: call.fault,
    stub: call.stub,
    stub_reply: call.stubReply,
  });
  if (!operation || call.stub !== undefined) return; // the contract does not have what a stub answers
  environment.used.record({
    operation: operation.operationId,
    status,
    scenario: environment.origin.scenario,
    query: call.query,
    body,
    reply: answerOf(call),
    isInjected: isInjected(call),
  });
};

/**
 * The body of the reply. Undefined if the call has no answer, refusal or fault: then the reply came from the cache, and
 * an earlier call recorded the same body.
 */
const answerOf = ({ answer, reply, reason, fault }: Call): unknown =>
  answer ?? (reason === undefined && fault === undefined ? undefined : parseJson(reply?.text ?? ''));

/** Whether a fault or the header `Prefer` answered. A fault that only delays leaves the answer to the operation. */
const isInjected = ({ fault, answer, response }: Call): boolean =>
  (fault !== undefined && answer === undefined) || response.hasHeader('Preference-Applied');

/** For a gRPC call, the list grows once more when the reply is converted. */
const recordedWarnings = ({ request: { grpc }, warnings }: Call): readonly string[] => {
  grpc?.warnings?.push(...warnings);
  return grpc?.warnings ?? warnings;
};

const aboutCall = (call: Call, baseUrl: string): Partial<LoggedCall> => {
  const { environment, operation, reason, rule, warnings } = call;
  return {
    environment: environment.name,
    ...defined({ operation: operation?.operationId, reason }),
    ...(rule !== undefined && { rule: `${baseUrl}/_mock/guide/rules#${rule.toLowerCase()}` }),
    ...(warnings.length > 0 && { warnings }),
  };
};

/** The token of a link or an invitation. Logs show only its beginning, since whoever reads a whole token can use it. */
const TOKEN = /[A-Za-z0-9_-]{40,}/g;

const shownPath = (url: string): string =>
  maskUrl(url.replace(/\?.*/s, '').replace(TOKEN, (token) => `${token.slice(0, 8)}...`));
