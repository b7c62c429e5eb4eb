/** Runs the suite against a service, case by case. */
import { monotonicNow } from '../core/clock.ts';
import { describe } from '../mock/log.ts';
import { loadContract } from '../openapi/load.ts';
import type { Case } from './case.ts';
import { type ClientOptions, createClient } from './client.ts';
import { createReplyCheck, type Problem, type ReplyCheck } from './reply-check.ts';
import { type Data, type Exchange, exploreTarget, Failed, Missing, Service, type Target } from './service.ts';
import { SUITE } from './suite.ts';

export type Result =
  | 'passed'
  | 'failed'
  /** The case failed, but only in parts of the contract that are inferred. */
  | 'warned'
  | 'skipped';

export interface Outcome {
  readonly case: Case;
  readonly result: Result;
  /** What is wrong, or why the case was skipped. Messages never hold credentials. */
  readonly messages: readonly string[];
  /** The time that the case took, in milliseconds. */
  readonly duration: number;
}

export interface Report {
  readonly baseUrl: string;
  readonly outcomes: readonly Outcome[];
  /** Whether the run was stopped before its end. */
  readonly isStopped: boolean;
}

export interface RunOptions extends Omit<ClientOptions, 'timeout'>, Data {
  /** Allows cases that change data. */
  readonly write?: boolean | undefined;
  /** Makes inferred cases fail instead of warn. */
  readonly inferred?: boolean | undefined;
  /** How many milliseconds to wait for a reply. Default: 10 seconds. */
  readonly timeout?: number | undefined;
  /** Stops the run after the current case. */
  readonly signal?: AbortSignal | undefined;
  /** Runs only cases about these operations. Default: all. */
  readonly operations?: ReadonlySet<string> | undefined;
  /** The cases to run. Default: all. */
  readonly suite?: readonly Case[] | undefined;
  /** Called after each case. @param total the number of cases */
  readonly onOutcome?: ((outcome: Outcome, total: number) => void) | undefined;
  /** Called after each call, with its reply. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}

const DEFAULT_TIMEOUT = 10_000;

/** @throws Unusable if the service does not answer, or gives no token */
export const runSuite = async (options: RunOptions): Promise<Report> => {
  const { operations, signal, timeout = DEFAULT_TIMEOUT } = options;
  const client = await createClient({ ...options, timeout });
  const target = await exploreTarget(client, options);
  const checkReply = createReplyCheck(loadContract());
  const cases = (options.suite ?? SUITE).filter(({ operationId }) => operations?.has(operationId) ?? true);
  const outcomes: Outcome[] = [];
  for (const one of cases) {
    if (signal?.aborted) break;
    const outcome = await runCase(one, target, checkReply, options);
    outcomes.push(outcome);
    options.onOutcome?.(outcome, cases.length);
  }
  return { baseUrl: options.baseUrl, outcomes, isStopped: signal?.aborted ?? false };
};

const NEEDS_WRITE = 'changes data; allow it with --write';

/** Runs a case. Any error becomes a problem of the case. Always removes the data that the case created. */
const runCase = async (
  one: Case,
  target: Target,
  checkReply: ReplyCheck,
  options: RunOptions,
): Promise<Outcome> => {
  const skip = (message: string, duration: number): Outcome => ({
    case: one,
    result: 'skipped',
    messages: [message],
    duration,
  });
  if (one.writes && !options.write) return skip(NEEDS_WRITE, 0);
  const start = monotonicNow();
  const service = new Service(target, one.basis);
  const thrown: unknown = await (async () => one.run(service))().then(
    () => undefined,
    (error: unknown) => error,
  );
  const left = await service.cleanUp();
  for (const exchange of service.exchanges) options.onExchange?.(exchange);
  const duration = monotonicNow() - start;
  const problems = [
    ...(thrown instanceof Missing ? [] : problemsOf(thrown)),
    ...contractProblems(service.exchanges, checkReply),
    ...left.map((text): Problem => ({ text, basis: 'promised' })),
  ];
  if (thrown instanceof Missing && problems.length === 0) return skip(thrown.message, duration);
  const result = resultOf(problems, one, options.inferred ?? false);
  const messages = new Set(problems.map(({ text }) => text.replaceAll(options.clientSecret, '***')));
  return { case: one, result, messages: [...messages].slice(0, MOST_MESSAGES), duration };
};

/** The most messages of one case: a reply with a thousand items can be wrong in a thousand places. */
const MOST_MESSAGES = 20;

const problemsOf = (error: unknown): readonly Problem[] => {
  if (error === undefined) return [];
  return error instanceof Failed ? error.problems : [{ text: describe(error), basis: 'promised' }];
};

/**
 * The problems of all replies, except replies to HEAD and OPTIONS: those have no body, or are about the path and not
 * the operation.
 */
const contractProblems = (exchanges: readonly Exchange[], checkReply: ReplyCheck): readonly Problem[] =>
  exchanges
    .filter(({ call }) => call.method !== 'HEAD' && call.method !== 'OPTIONS')
    .flatMap(({ operationId, reply }) =>
      checkReply(operationId, reply).map(({ text, basis }) => ({
        text: `the reply breaks the contract, ${operationId} ${reply.status}: ${text}`,
        basis,
      })),
    );

/** The result of a case. If the case is inferred, all its problems count as inferred. */
const resultOf = (problems: readonly Problem[], { basis }: Case, inferredFails: boolean): Result => {
  if (problems.length === 0) return 'passed';
  const isPromised = basis === 'promised' && problems.some((problem) => problem.basis === 'promised');
  return isPromised || inferredFails ? 'failed' : 'warned';
};
