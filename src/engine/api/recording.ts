/** Records each call once, when it is over: in the journal and coverage of its environment, and in the log. */
import type { RequestHandler } from 'express';
import { monotonicNow, realNow } from '../core/clock.ts';
import { defined, parseJson } from '../core/object.ts';
import { maskUrl, withoutTokens } from '../core/secrets.ts';
import { headerWarnings } from '../environments/mock-headers.ts';
import { Call } from './call.ts';

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
      const duration = monotonicNow() - startedAt;
      const { call = {} } = response.locals; // of a refused control call, only the reason
      if (call instanceof Call) record(call, status, duration);
      if (!log) return;
      const [path, ms] = [shownPath(url), Math.round(duration * 10) / 10];
      log({ event: 'request', method, path, status, ms, ...aboutCall(call, baseUrl()) });
    };
    response.once('finish', () => end(response.statusCode)).once('close', () => end(0));
    next();
  };

const record = (call: Call, status: number, duration_ms: number): void => {
  const { environment, request, response, operation } = call;
  call.warnings = [...call.warnings, ...headerWarnings(request.headers).map(withoutTokens)];
  // The contract does not have what a stub answers.
  if (operation && call.stub === undefined) recordUse(call, operation.operationId, status);
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
    violations: call.violations,
    warnings: recordedWarnings(call),
    reason: call.reason,
    rule: call.rule,
    fault: call.fault,
    stub: call.stub,
    stub_reply: call.stubReply,
  });
};

const recordUse = (call: Call, operation: string, status: number): void => {
  const { environment, query, body, answer, fault, reason, reply, response } = call;
  // Without answer, refusal and fault the reply was a remembered one, whose body an earlier call recorded.
  const isRemembered = reason === undefined && fault === undefined;
  environment.used.record({
    operation,
    status,
    scenario: environment.origin.scenario,
    query,
    body,
    reply: answer ?? (isRemembered ? undefined : parseJson(reply?.text ?? '')),
    // By a fault or the header `Prefer`; a fault that only delays leaves the answer to the operation.
    isInjected: (fault !== undefined && answer === undefined) || response.hasHeader('Preference-Applied'),
  });
};

/** For a gRPC call, the list grows once more when the reply is converted. */
const recordedWarnings = ({ request: { grpc }, warnings }: Call): readonly string[] => {
  grpc?.warnings?.push(...warnings);
  return grpc?.warnings ?? warnings;
};

const aboutCall = ({ environment, operation, reason, rule, warnings = [] }: Partial<Call>, baseUrl: string) =>
  defined({
    environment: environment?.name,
    operation: operation?.operationId,
    reason,
    rule: rule && `${baseUrl}/_mock/guide/rules#${rule.toLowerCase()}`,
    warnings: warnings.length > 0 ? warnings : undefined,
  });

/** The token of a link or an invitation. Logs show only its beginning, since whoever reads a whole token can use it. */
const TOKEN = /[A-Za-z0-9_-]{40,}/g;

const shownPath = (url: string): string =>
  maskUrl(url.replace(/\?.*/s, '').replace(TOKEN, (token) => `${token.slice(0, 8)}...`));
