/** Answering a call: once, with the headers that every answer has, and noted in the journal. */
import { ApiError } from '../core/errors.ts';
import { type Call, replyHeaders, requestIdOf } from './call.ts';
import type { Headers } from './cors.ts';
import { toErrorReply } from './errors.ts';
import { JSON_TYPE, writeJson } from './messages.ts';
import { note } from './note.ts';

export interface JsonReply {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a JSON body once it was held against the contract. Gives the text sent. */
export const replyJson = (call: Call, { status, body }: JsonReply, extra: Headers = {}): string => {
  call.checkReply?.(call, status, body);
  const headers = replyHeaders(call, { 'Content-Type': JSON_TYPE, ...extra });
  const text = JSON.stringify(body);
  writeJson(call.response, status, headers, text);
  note(call, status, headers, text);
  return text;
};

/** Sends a JSON text that was checked when it was first sent. */
export const replyText = (call: Call, text: string): void => {
  const headers = replyHeaders(call, { 'Content-Type': JSON_TYPE });
  writeJson(call.response, 200, headers, text);
  note(call, 200, headers, text);
};

export const replyEmpty = (call: Call, status: number, extra: Headers): void => {
  const headers = replyHeaders(call, extra);
  call.response.writeHead(status, headers).end();
  note(call, status, headers, '');
};

/**
 * Turns any error into its reply, unless the answer is already on its way. An error reply that breaks the contract
 * becomes the error of having done so, which goes out unchecked: a client is told something in any case.
 */
export const replyError = (call: Call, error: unknown, onFault: (error: unknown) => void): void => {
  if (!(error instanceof ApiError)) onFault(error);
  else if (error.extras.violations && !error.extras.isInjected) call.violations = error.extras.violations;
  if (call.response.headersSent) return;
  const { status, body, headers } = toErrorReply(error, {
    requestId: requestIdOf(call),
    servingData: call.environment.name,
    path: call.path,
  });
  try {
    replyJson(call, { status, body }, headers);
  } catch (refusal) {
    if (!call.checkReply) throw refusal;
    call.checkReply = undefined;
    replyError(call, refusal, onFault);
  }
};
