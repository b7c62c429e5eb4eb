/** Answering a call: once, with the headers that every answer has, and noted in the journal. */

import { ApiError } from '../core/errors.ts';
import { type Call, operationIdOf, replyHeaders, requestIdOf } from './call.ts';
import type { Headers } from './cors.ts';
import { toErrorReply } from './errors.ts';
import { JSON_TYPE, sentText, setReplyHeaders, writeJson } from './messages.ts';
import { note } from './note.ts';

export interface JsonReply {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a JSON body through `response.json`, where the validator may be waiting to check it. Gives the text sent. */
export const replyJson = (call: Call, { status, body }: JsonReply, extra: Headers = {}): string => {
  const { response } = call;
  const headers = replyHeaders(call, { 'Content-Type': JSON_TYPE, ...extra });
  setReplyHeaders(response, headers);
  response.statusCode = status;
  response.json(body);
  const text = sentText(response);
  if (text === undefined) throw replyRefused(call);
  note(call, status, headers, text);
  return text;
};

/** Sends a JSON text that was checked when it was first sent. */
export const replyText = (call: Call, text: string): void => {
  const headers = replyHeaders(call, { 'Content-Type': JSON_TYPE });
  writeJson(call.response, headers, text);
  note(call, 200, headers, text);
};

/** The validator held the reply back (`--validate-responses on`). Thrown before the commit, so nothing was changed. */
const replyRefused = (call: Call): ApiError =>
  new ApiError(
    'INTERNAL_ERROR',
    `The mock's own reply to ${operationIdOf(call)} broke the contract, so it was not sent and nothing was changed. The log tells how; please report it.`,
  );

export const replyEmpty = (call: Call, status: number, extra: Headers): void => {
  const headers = replyHeaders(call, extra);
  call.response.writeHead(status, headers).end();
  note(call, status, headers, '');
};

/** Turns any error into its reply, unless the answer is already on its way. */
export const replyError = (call: Call, error: unknown, onFault: (error: unknown) => void): void => {
  if (!(error instanceof ApiError)) onFault(error);
  else if (error.extras.violations && !error.extras.isInjected) call.violations = error.extras.violations;
  if (call.response.headersSent) return;
  const { status, body, headers } = toErrorReply(error, {
    requestId: requestIdOf(call),
    servingData: call.environment.name,
    path: call.path,
  });
  replyJson(call, { status, body }, headers);
};
