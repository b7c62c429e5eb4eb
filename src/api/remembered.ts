/**
 * Replies that need not be made again. A read is decided by its request line and the environment's state, which is
 * one immutable value, until the clock passes the first end that was looked at. Replies are kept for the current state alone:
 * any write, reset or setting makes another one, and a snapshot keeps none.
 */
import type { RequestHandler } from 'express';
import type { ValidityPeriod } from '../core/moment.ts';
import { type Environment, type RememberedReplies, readNow } from '../environments/environment.ts';
import { addWarnings, warningsOf } from '../http/progress.ts';
import { type Call, callOf, sendText } from './call.ts';
import { asksForStrict } from './input.ts';
import { rowsMet } from './rows-met.ts';

/** So many texts are kept, of so many characters each. */
const MOST_REPLIES = 500;
const LONGEST = 64 * 1024;

/** Answers a GET or HEAD if the same was asked in the same state and still holds. */
export const answerRemembered: RequestHandler = (_request, response, next) => {
  const call = callOf(response);
  const known = repliesOf(call.environment).get(keyOf(call));
  const now = readNow(call.environment);
  if (!known || now < known.validity.from || now >= known.validity.until) return next();
  call.sentNames = known.sentNames;
  call.rows = known.rows;
  addWarnings(response, known.warnings);
  sendText(response.type('json'), known.text);
};

/** Keeps the text of a success that changed nothing. */
export const rememberReply = (call: Call, validity: Readonly<ValidityPeriod>): void => {
  const { answerText: text, sentNames, environment, response } = call;
  if (text.length > LONGEST) return;
  const replies = repliesOf(environment);
  if (replies.size >= MOST_REPLIES) replies.clear();
  replies.set(keyOf(call), {
    text,
    sentNames,
    rows: rowsMet(call),
    warnings: warningsOf(response),
    validity,
  });
};

const repliesOf = (environment: Environment): RememberedReplies['byRequest'] => {
  const { current } = environment;
  if (environment.remembered.state !== current)
    environment.remembered = { state: current, byRequest: new Map() };
  return environment.remembered.byRequest;
};

/** Strict mode asks more of the same request line. */
const keyOf = ({ request }: Call): string => (asksForStrict(request) ? `strict ${request.url}` : request.url);
