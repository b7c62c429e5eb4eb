/** Matchers for calls and e-mails. A failure shows the most similar calls or e-mails, and how they differ. */
import { type Difference, differences, show, withoutMatchers } from '../../engine/core/contains.ts';
import { hasMembers } from '../../engine/core/object.ts';
import type { OperationId } from '../../service/contract.ts';
import type { Email, EmailFilter, RecordedRequest } from '../calls.ts';
import { EXPECTED_CALLS, EXPECTED_EMAILS, requireConditions } from '../given.ts';
import { describeCall, describeEmail, type MockEnvironment } from '../mock-environment.ts';
import { noCalls } from './test-environments.ts';

/** Conditions for a call. A call matches if it meets all of them. */
export interface ExpectedCalls {
  /** The status of the reply. A list contains the statuses, in order, of all calls that meet the other conditions. */
  readonly status?: number | readonly number[];
  /** How many calls must match. Default: one or more; with a list of statuses, the length of the list. */
  readonly times?: number;
  /** Members of the request body: values, or matchers such as `expect.any(String)`. Other members are ignored. */
  readonly body?: object;
  /** Query parameters and their values. Other parameters are ignored. */
  readonly query?: Readonly<Record<string, string | number | boolean>>;
}

/** What an e-mail must contain: values, or matchers such as `expect.stringContaining('Acme')`. */
export interface ExpectedEmails {
  readonly to?: string | object;
  readonly kind?: Email['kind'] | object;
  readonly subject?: string | object;
  readonly link?: string | object;
  /** How many e-mails must match. Default: one or more. */
  readonly times?: number;
}

/** The additional matchers of `expect(env)`. Tests must await them, because they call the mock. */
export interface MockMatchers {
  /** Passes if clients called this operation, with calls that meet the conditions. */
  toHaveReceived(operation: OperationId, expected?: ExpectedCalls): Promise<void>;
  /** Passes if the service sent an e-mail that matches. */
  toHaveSent(expected?: ExpectedEmails): Promise<void>;
}

/** A call or an e-mail, and how it differs from the expected one. */
interface Judged {
  readonly words: string;
  readonly differences: readonly Difference[];
}

type ExpectedCall = Omit<ExpectedCalls, 'status' | 'times'> & { readonly status?: number };

export const matchers = {
  async toHaveReceived(env: MockEnvironment, operation: OperationId, given: ExpectedCalls = {}) {
    requireEnvironment(env, 'toHaveReceived');
    const { times, status, ...rest } = requireConditions(given, EXPECTED_CALLS, true);
    const statuses = typeof status === 'object' ? status : undefined;
    if (statuses && times !== undefined && times !== statuses.length)
      throw new TypeError(`"times" is ${times}, but "status" lists ${statuses.length}. Leave out "times".`);
    const expected: ExpectedCall = typeof status === 'number' ? { status, ...rest } : rest;
    const judged = await judgeCalls(env, operation, expected);
    const others = judged.length === 0 ? await otherCalls(env) : '';
    if (!statuses) return verdict('Calls', `calls to ${operation}`, expected, judged, times, others);
    const found = judged.filter(isFitting).map((one) => one.status);
    const which = hasMembers(rest) ? ` that match ${show(rest)}` : '';
    return {
      pass: found.join() === statuses.join(),
      message: () =>
        `Calls to ${operation}${which} were answered with ${show(found)}, expected ${show(statuses)}.${nearest(judged, 'Calls:')}${others}`,
    };
  },

  async toHaveSent(env: MockEnvironment, given: ExpectedEmails = {}) {
    requireEnvironment(env, 'toHaveSent');
    const { times, ...expected } = requireConditions(given, EXPECTED_EMAILS, true);
    const { to, kind } = expected;
    // The mock refuses an unknown kind of e-mail, so a misspelled kind fails the test.
    if (typeof kind === 'string') await env.outbox({ kind } as EmailFilter);
    const judged = (await env.outbox()).map((email) => {
      // Addresses are compared in any case (behaviour I6).
      const isTo = typeof to === 'string' && to.toLowerCase() === email.to.toLowerCase();
      const sent = isTo ? { ...email, to } : email;
      return { words: describeEmail(email), differences: differences(expected, sent, 'e-mail') };
    });
    return verdict('E-mails', 'e-mails', expected, judged, times);
  },
};

/** @throws TypeError for anything else than an environment, such as a mock */
const requireEnvironment = (env: Partial<MockEnvironment> | undefined, name: string): void => {
  if (typeof env?.requests === 'function' && typeof env.outbox === 'function') return;
  const other = env === undefined ? 'nothing' : show(env);
  const what = Reflect.has(Object(env), 'createEnvironment') ? 'a mock' : other;
  throw new TypeError(
    `${name} needs an environment, but got ${what}. Write expect(env), with the env of the test or of mock.environment().`,
  );
};

/**
 * Compares calls with the expected call. The mock decides whether exact values match, because the calls that it returns
 * have masked credentials. This function decides whether matchers such as `expect.any(String)` match.
 */
const judgeCalls = async (env: MockEnvironment, operation: OperationId, expected: ExpectedCall) => {
  const { body, ...rest } = expected;
  // The cast is safe: only a matcher has no other part. The mock refuses the body of an operation that has none.
  const exact = body && { body: (withoutMatchers(body) ?? {}) as Readonly<Record<string, unknown>> };
  const calls = await env.requests({ operation });
  const found = await env.requests({ ...rest, operation, ...exact });
  const fitting = new Set(found.map(({ sequence }) => sequence));
  return calls.map((call) => {
    const all = differences(expected, seenIn(call, expected), 'call');
    const counted = fitting.has(call.sequence) ? all.filter(({ isByMatcher }) => isByMatcher) : all;
    return { status: call.status, words: describeCall(call), differences: counted };
  });
};

/** The expected parts as a call has them: of a parameter with several values, the expected value. */
const seenIn = (
  { status, request: { url, body } }: RecordedRequest,
  { query = {} }: ExpectedCall,
): object => {
  const sent = new URLSearchParams(url.split(/\?(.*)/s)[1]);
  const seen = Object.entries(query).map(([name, value]) => {
    const values = sent.getAll(name);
    return [name, values.includes(String(value)) ? value : values[0]];
  });
  return { status, query: Object.fromEntries(seen), body };
};

const isFitting = ({ differences }: Judged): boolean => differences.length === 0;

const verdict = (
  all: string,
  what: string,
  expected: object,
  judged: readonly Judged[],
  times: number | undefined,
  others = '',
) => {
  const { length } = judged.filter(isFitting);
  const pass = times === undefined ? length > 0 : length === times;
  const found = hasMembers(expected)
    ? `${length} of ${judged.length} ${what} match ${show(expected)}`
    : `${what}: ${length}`;
  // If a matcher passes, runners show its message only after `.not`, so the message states what `.not` expected.
  const negated = times === undefined ? 'none' : `not ${times}`;
  const wanted = pass ? negated : (times ?? '1 or more');
  // Without a call that is expected and missing, none is the nearest.
  const head = pass || times !== undefined ? `${all}:` : 'Nearest:';
  return { pass, message: () => `${found}, expected ${wanted}.${nearest(judged, head)}${others}` };
};

const MOST_SHOWN = 3;

const nearest = (judged: readonly Judged[], head: string): string => {
  const lines = judged
    .toSorted((one, other) => one.differences.length - other.differences.length)
    .slice(0, MOST_SHOWN)
    .flatMap((one) => [one.words, ...one.differences.map(({ words }) => `    ${words}`)]);
  return lines.length === 0 ? '' : ['', head, ...lines].join('\n');
};

/** The end of a failure's message if the expected operation was never called: lists the calls to other operations. */
const otherCalls = async (env: MockEnvironment): Promise<string> => {
  const calls = await env.requests();
  return calls.length === 0
    ? `\n${await noCalls(env)}`
    : ['\nOther calls:', ...calls.slice(-MOST_SHOWN).map(describeCall)].join('\n');
};
