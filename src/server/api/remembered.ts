/**
 * Caches replies to reads. Until something that was read expires, a reply depends only on the request line and the
 * environment's state. The state is immutable: every write, reset or change of settings creates a new one, which starts
 * with an empty cache.
 */

import type { ContractOperation } from '../../contract/load.ts';
import type { OperationId } from '../../contract/types.ts';
import type { Period } from '../../core/moment.ts';
import { type Environment, type EnvironmentState, readNow } from '../../model/environments/environment.ts';
import { asksForStrict } from '../../model/environments/mock-headers.ts';
import { type Ended, endCall, type Input, type OperationInput } from './call.ts';

/** The maximum number of cached replies, and of characters in each. */
const MOST_REPLIES = 500;
const LONGEST = 64 * 1024;

/**
 * GET operations whose replies must not be cached: `/auth` sets `last_used_at` and can refresh credentials (behaviour
 * A8), and the OpenID configuration contains the host that was called (behaviour E3).
 */
const UNCACHEABLE: ReadonlySet<OperationId> = new Set(['getConnectedAccountAuth', 'getOpenIdConfiguration']);

const isCacheable = ({ method, operationId }: ContractOperation): boolean =>
  method === 'get' && !UNCACHEABLE.has(operationId);

/** Ends a GET or HEAD with the cached reply to the same call in the same state, if it is still valid. */
export const endRemembered = (call: OperationInput): Ended | undefined => {
  if (!isCacheable(call.operation)) return undefined;
  const known = repliesOf(call.environment).get(keyOf(call));
  const now = readNow(call.environment);
  if (!known || now < known.validity.from || now >= known.validity.until) return undefined;
  return endCall({ ...call, ...known.input }, { reply: { status: 200, text: known.text } });
};

export const rememberReply = (call: OperationInput & Ended, validity: Period): void => {
  const { operation, reply, sentNames = [], warnings = [], environment } = call;
  if (!isCacheable(operation) || reply.text.length > LONGEST) return;
  const replies = repliesOf(environment);
  if (replies.size >= MOST_REPLIES) replies.clear();
  replies.set(keyOf(call), { text: reply.text, input: { sentNames, warnings }, validity });
};

interface RememberedReply {
  readonly text: string;
  /** What the journal shows about a call that gets this reply. */
  readonly input: Pick<Input, 'sentNames' | 'warnings'>;
  readonly validity: Period;
}

interface Remembered {
  readonly state: EnvironmentState;
  readonly byRequest: Map<string, RememberedReply>;
}

const byEnvironment = new WeakMap<Environment, Remembered>();

const repliesOf = (environment: Environment): Remembered['byRequest'] => {
  const { current } = environment;
  const known = byEnvironment.get(environment);
  if (known?.state === current) return known.byRequest;
  const byRequest: Remembered['byRequest'] = new Map();
  byEnvironment.set(environment, { state: current, byRequest });
  return byRequest;
};

/** The key includes strict mode, in which the same request line can get a different answer. */
const keyOf = (call: Input): string =>
  asksForStrict(call.request.headers) ? `strict ${call.request.url}` : call.request.url;
