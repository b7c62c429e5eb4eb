/** Runs the suite against a service, case by case. */
import { loadContract } from '../../engine/contract/load.ts';
import { monotonicNow } from '../../engine/core/clock.ts';
import { maskSecret } from '../../engine/core/secrets.ts';
import { Api } from './api.ts';
import type { Case } from './case.ts';
import type { Access } from './client.ts';
import { createReplyCheck, type ReplyCheck, type ReplyProblem } from './reply-check.ts';
import { type Data, type Exchange, Failed, Missing, openTarget, type Target } from './service.ts';
import { SUITE } from './suite.ts';

/** `warned`: the case found problems, but none that breaks what the API's description promises. */
export type Result = 'passed' | 'failed' | 'warned' | 'skipped';

export interface Outcome {
  readonly case: Case;
  readonly result: Result;
  /** What is wrong, or why the case was skipped. Messages never hold credentials. */
  readonly messages: readonly string[];
  /** The time that the case took, in milliseconds. */
  readonly duration: number;
  readonly exchanges: readonly Exchange[];
}

export interface Report {
  readonly baseUrl: string;
  readonly outcomes: readonly Outcome[];
  readonly isStopped: boolean;
}

export interface RunOptions extends Access, Data {
  readonly write?: boolean | undefined;
  readonly inferred?: boolean | undefined;
  /** Stops the run after the current case. */
  readonly signal?: AbortSignal | undefined;
  /** Default: all. */
  readonly operations?: ReadonlySet<string> | undefined;
  /** Called after each case. @param progress such as `3 of 20 cases` */
  readonly onOutcome?: ((outcome: Outcome, progress: string) => void) | undefined;
}

/** @throws Unusable if the service is not responding or issues no token */
export const runSuite = async (options: RunOptions): Promise<Report> => {
  const { baseUrl, operations, signal, onOutcome } = options;
  const target = await openTarget(options);
  const checkReply = createReplyCheck(loadContract());
  const cases = SUITE.filter(({ operationId }) => operations?.has(operationId) ?? true);
  const outcomes: Outcome[] = [];
  for (const one of cases) {
    if (signal?.aborted) break;
    const isAllowed = options.write || !one.writes;
    const outcome = isAllowed ? await runCase(one, target, checkReply, options) : needsWrite(one);
    outcomes.push(outcome);
    onOutcome?.(outcome, `${outcomes.length} of ${cases.length} cases`);
  }
  return { baseUrl, outcomes, isStopped: signal?.aborted ?? false };
};

const needsWrite = (one: Case): Outcome => {
  const messages = ['changes data, which needs --write'];
  return { case: one, result: 'skipped', messages, duration: 0, exchanges: [] };
};

/** Runs a case. Any error becomes a problem of the case. Always removes the data that the case created. */
const runCase = async (
  one: Case,
  target: Target,
  checkReply: ReplyCheck,
  { clientSecret, inferred = false }: RunOptions,
): Promise<Outcome> => {
  const start = monotonicNow();
  const api = new Api(target, one.basis);
  const thrown: unknown = await (async () => one.run(api))().then(
    () => undefined,
    (error: unknown) => error,
  );
  const left = await api.cleanUp();
  const ran = { case: one, duration: monotonicNow() - start, exchanges: api.exchanges };
  const problems = [
    ...problemsOf(thrown),
    ...contractProblems(api.exchanges, checkReply),
    ...left.map((text): ReplyProblem => ({ text, basis: 'promised' })),
  ];
  if (thrown instanceof Missing && problems.length === 0)
    return { ...ran, result: 'skipped', messages: [thrown.message] };
  const texts = new Set(problems.map(({ text }) => maskSecret(text, clientSecret)));
  const messages = [...texts].slice(0, MOST_MESSAGES);
  return { ...ran, result: resultOf(problems, one, inferred), messages };
};

/** The maximum number of messages for a case, since a reply with a thousand items can be wrong in a thousand places. */
const MOST_MESSAGES = 20;

const problemsOf = (error: unknown): readonly ReplyProblem[] => {
  if (error === undefined || error instanceof Missing) return [];
  if (error instanceof Failed) return error.problems;
  return [{ text: error instanceof Error ? error.message : String(error), basis: 'promised' }];
};

const contractProblems = (exchanges: readonly Exchange[], checkReply: ReplyCheck): readonly ReplyProblem[] =>
  exchanges.flatMap(({ operationId, reply }) =>
    checkReply(operationId, reply).map(({ text, basis }) => ({
      text: `the ${reply.status} reply to ${operationId} breaks the contract: ${text}`,
      basis,
    })),
  );

/** A case with problems fails if the case and a problem are `promised`, or if `inferredFails`. Otherwise it warns. */
const resultOf = (problems: readonly ReplyProblem[], { basis }: Case, inferredFails: boolean): Result => {
  if (problems.length === 0) return 'passed';
  const isPromised = basis === 'promised' && problems.some((problem) => problem.basis === 'promised');
  return isPromised || inferredFails ? 'failed' : 'warned';
};
