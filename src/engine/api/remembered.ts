/**
 * Remembers replies to reads. Until something that was read expires, a reply depends only on the request line and the
 * environment's state. The state is immutable: every write, reset or change of settings makes a new one, without replies.
 */
import type { ContractOperation } from '../contract/load.ts';
import type { Period } from '../core/moment.ts';
import type { EnvironmentState } from '../environments/environment.ts';
import type { SentReply } from '../environments/instead.ts';
import { asksForStrict } from '../environments/mock-headers.ts';
import type { Call } from './call.ts';

/** The maximum number of replies for a state, and of characters in each. */
const MOST_REPLIES = 500;
const LONGEST = 64 * 1024;

/** A reply, what the journal shows about a call that gets it, and when it is the right one. */
interface Remembered {
  readonly text: string;
  readonly sentNames: Call['sentNames'];
  readonly warnings: Call['warnings'];
  readonly validity: Period;
}

const byState = new WeakMap<EnvironmentState, Map<string, Remembered>>();

/** The memory of an operation. It stays empty if the operation writes or the contract marks it with `x-no-cache`. */
export const createMemory = ({ method, definition }: ContractOperation) => {
  const isCacheable = method === 'get' && !definition['x-no-cache'];
  return {
    /** Ends a GET or HEAD with the reply to the same call in the same state, if it is still valid. */
    answer: (call: Call): void => {
      const known = isCacheable ? byState.get(call.environment.current)?.get(keyOf(call)) : undefined;
      const now = call.environment.now;
      if (!known || now < known.validity.from || now >= known.validity.until) return;
      call.sentNames = known.sentNames;
      call.warnings = known.warnings;
      call.end({ status: 200, text: known.text });
    },
    /** Must run before anything else can change the state. */
    keep: (call: Call, { text, status }: SentReply, validityOf: () => Period): void => {
      if (!isCacheable || status !== 200 || text.length > LONGEST) return;
      const { environment, sentNames, warnings } = call;
      const replies = byState.get(environment.current) ?? new Map<string, Remembered>();
      if (replies.size >= MOST_REPLIES) replies.clear();
      replies.set(keyOf(call), { text, sentNames, warnings, validity: validityOf() });
      byState.set(environment.current, replies);
    },
  };
};

/** The key includes strict mode, in which the same request line can get a different answer. */
const keyOf = ({ request: { headers, url } }: Pick<Call, 'request'>): string =>
  asksForStrict(headers) ? `strict ${url}` : url;
