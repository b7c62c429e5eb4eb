/**
 * Replies that need not be made again. A read is decided by its request line and the environment's state, which is
 * one immutable value, until the clock passes the first end that was looked at. Replies are kept for the current state alone:
 * any write, reset or setting makes another one, and a snapshot keeps none.
 */
import type { ValidityPeriod } from '../core/moment.ts';
import { type Environment, type RememberedReplies, readNow } from '../environments/environment.ts';
import type { ContractOperation } from '../openapi/load.ts';
import type { OperationId } from '../openapi/types.ts';
import { type AnyCall, grow, type Matched, type Reply } from './call.ts';
import { asksForStrict } from './input.ts';
import { rowsMet } from './recording.ts';

/** So many texts are kept, of so many characters each. */
const MOST_REPLIES = 500;
const LONGEST = 64 * 1024;

/**
 * Reads whose answer is not for the next call: `/auth` sets `last_used_at` and may refresh (behaviour A8); discovery names
 * the host that the call was sent to (behaviour E3).
 */
const UNREPEATABLE: ReadonlySet<OperationId> = new Set(['getConnectedAccountAuth', 'getOpenIdConfiguration']);

/** Whether the same call in the same state has the same answer and changes nothing. */
const isRepeatable = ({ method, operationId }: ContractOperation): boolean =>
  method === 'get' && !UNREPEATABLE.has(operationId);

/** The answer to a GET or HEAD if the same was asked in the same state and still holds. */
export const rememberedReply = (call: Matched): Reply | undefined => {
  if (!isRepeatable(call.operation)) return undefined;
  const known = repliesOf(call.environment).get(keyOf(call));
  const now = readNow(call.environment);
  if (!known || now < known.validity.from || now >= known.validity.until) return undefined;
  const { text, sentNames, rows, warnings } = known;
  grow(call, { sentNames, rows, warnings });
  return { status: 200, text };
};

/** Keeps the text of a success that changed nothing. */
export const rememberReply = (call: Matched & AnyCall, validity: Readonly<ValidityPeriod>): void => {
  const { operation, reply, sentNames = [], warnings = [], environment } = call;
  if (!isRepeatable(operation) || !reply || reply.text.length > LONGEST) return;
  const replies = repliesOf(environment);
  if (replies.size >= MOST_REPLIES) replies.clear();
  replies.set(keyOf(call), { text: reply.text, sentNames, rows: rowsMet(call), warnings, validity });
};

const repliesOf = (environment: Environment): RememberedReplies['byRequest'] => {
  const { current } = environment;
  if (environment.remembered.state !== current)
    environment.remembered = { state: current, byRequest: new Map() };
  return environment.remembered.byRequest;
};

/** Strict mode asks more of the same request line. */
const keyOf = (call: Matched): string =>
  asksForStrict(call) ? `strict ${call.request.url}` : call.request.url;
