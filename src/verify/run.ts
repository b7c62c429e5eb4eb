/** Runs the suite against a server, case by case, and gives everything back at the end. */
import { monotonicNow } from '../core/clock.ts';
import { describe } from '../mock/log.ts';
import type { ReplyCheck, ReplyProblem } from '../openapi/reply-check.ts';
import type { OperationId } from '../openapi/types.ts';
import { createApi, Missing, NEED_REASONS } from './api.ts';
import { Failed } from './asked.ts';
import type { Case, Need } from './case.ts';
import { type Shape, shapeOf } from './compare.ts';
import { type Reply, Unreachable } from './http.ts';
import { explore, type PlaceOptions, type RunTargets } from './place.ts';
import { createSecrets } from './secrets.ts';
import { createSession, type Exchange, type Target } from './session.ts';
import { type Area, SUITE } from './suite.ts';

export type Result =
  | 'passed'
  | 'failed'
  /** It fails by what was inferred alone. */
  | 'warned'
  | 'skipped';

/** A reply that a case said something about, without its values. */
export interface Observed {
  readonly operationId: OperationId;
  readonly status: number;
  readonly shape: Shape;
}

export interface Outcome {
  readonly area: string;
  readonly case: Case;
  readonly result: Result;
  /** What is wrong, or why it was skipped; without credentials. */
  readonly messages: readonly string[];
  /** Milliseconds. */
  readonly duration: number;
  readonly observed: readonly Observed[];
}

export type Totals = Readonly<Record<Result, number>>;

export interface Report {
  readonly baseUrl: string;
  readonly outcomes: readonly Outcome[];
  readonly totals: Totals;
  /** Whether the run was stopped before its end. */
  readonly isStopped: boolean;
}

export interface RunOptions extends Omit<PlaceOptions, 'timeout' | 'secrets'> {
  /** Allows cases that change data. */
  readonly write?: boolean | undefined;
  /** Makes inferred cases fail instead of warn. */
  readonly inferred?: boolean | undefined;
  /** Milliseconds that a reply may take. Default: 10 seconds. */
  readonly timeout?: number | undefined;
  /** Stops after the case that is under way. */
  readonly signal?: AbortSignal | undefined;
  /** Is given every case when it has run. */
  readonly onOutcome?: ((outcome: Outcome) => void) | undefined;
  /** Is given every call and its reply, those that cases start from included. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Default: all. */
  readonly suite?: readonly Area[] | undefined;
}

const DEFAULT_TIMEOUT = 10_000;

/** @throws Unreachable if the server cannot be asked, or gives no token */
export const runSuite = async (options: RunOptions): Promise<Report> => {
  const { baseUrl, signal, suite = SUITE, inferred = false, timeout = DEFAULT_TIMEOUT } = options;
  const secrets = createSecrets();
  const place = await explore({ ...options, timeout, secrets }).catch((error: unknown) => {
    throw error instanceof Unreachable ? new Unreachable(secrets.clean(error.message)) : error;
  });
  const outcomes: Outcome[] = [];
  try {
    for (const { name: area, cases } of suite) {
      for (const one of cases) {
        if (signal?.aborted) break;
        const { problems, missing, ...run } = await runWhereItCan(one, place, options);
        const texts = missing ?? problems.slice(0, MOST_MESSAGES).map(({ text }) => text);
        const result = missing ? 'skipped' : resultOf(problems, one, inferred);
        const outcome = { area, case: one, result, messages: texts.map(secrets.clean), ...run };
        outcomes.push(outcome);
        options.onOutcome?.(outcome);
      }
    }
  } finally {
    // On a server that has gone meanwhile there is nothing to remove, and much to report.
    await place.scratch?.mock?.delete().catch(() => {});
  }
  return { baseUrl, outcomes, totals: countResults(outcomes), isStopped: signal?.aborted ?? false };
};

/** A reply with a thousand items can be wrong in a thousand places. */
const MOST_MESSAGES = 20;

/** Problems of a case whose basis is inferred count as inferred, whatever they are. */
const resultOf = (problems: readonly ReplyProblem[], { basis }: Case, inferredFails: boolean): Result => {
  if (problems.length === 0) return 'passed';
  const isPromised = basis === 'promised' && problems.some((problem) => problem.basis === 'promised');
  return isPromised || inferredFails ? 'failed' : 'warned';
};

export const countResults = (outcomes: readonly Outcome[]): Totals => {
  const totals = { passed: 0, failed: 0, warned: 0, skipped: 0 };
  for (const { result } of outcomes) totals[result] += 1;
  return totals;
};

interface CaseRun extends Pick<Outcome, 'duration' | 'observed'> {
  readonly problems: readonly ReplyProblem[];
  /** Why the case could not run here; then there are no problems. */
  readonly missing?: readonly string[];
}

/** Runs a case in the first place that has what it needs: the client's own environment, else that of the run. */
const runWhereItCan = async (one: Case, place: RunTargets, options: RunOptions): Promise<CaseRun> => {
  const { main, scratch, reason } = place;
  let missing = one.needs
    .filter((need) => isUnmet(need, scratch ?? main, options))
    .map((need) => (need === 'control' ? reason || NEED_REASONS[need] : NEED_REASONS[need]));
  for (const target of scratch ? [main, scratch] : [main]) {
    if (one.needs.some((need) => isUnmet(need, target, options))) continue;
    const run = await runCase(one, target, place, options);
    if (!run.missing) return run;
    missing = [...run.missing];
  }
  return { problems: [], missing, duration: 0, observed: [] };
};

const isUnmet = (need: Need, { data, mock }: Target, { write }: RunOptions): boolean =>
  !{
    write,
    organization: data.organizationId,
    user: data.userId,
    externalId: data.externalId,
    person: mock,
    control: mock,
  }[need];

/** Never throws: whatever goes wrong is a problem of the case. What it created is removed in every event. */
const runCase = async (
  one: Case,
  target: Target,
  { nextName, checkReply }: RunTargets,
  { onExchange }: RunOptions,
): Promise<CaseRun> => {
  const start = monotonicNow();
  const observed: Observed[] = [];
  const watch = (operationId: OperationId, { status, body }: Reply): void => {
    observed.push({ operationId, status, shape: shapeOf(body) });
  };
  const session = createSession(target);
  const problems: ReplyProblem[] = [];
  let missing: string | undefined;
  try {
    await target.mock?.reset();
    await one.run(createApi(one, target, { session, unique: nextName(), watch }));
  } catch (error) {
    if (error instanceof Missing) missing = error.message;
    else problems.push(...problemsOf(error));
  }
  if (missing === undefined) problems.push(...contractProblems(session.exchanges, checkReply));
  problems.push(...(await session.cleanUp()).map((text): ReplyProblem => ({ text, basis: 'promised' })));
  for (const exchange of session.exchanges) onExchange?.(exchange);
  return {
    observed,
    duration: monotonicNow() - start,
    problems: [...new Map(problems.map((problem) => [problem.text, problem])).values()],
    ...(missing !== undefined && problems.length === 0 && { missing: [missing] }),
  };
};

const problemsOf = (error: unknown): readonly ReplyProblem[] => {
  if (error instanceof Failed) return error.problems;
  return [{ text: describe(error), basis: 'promised' }];
};

const contractProblems = (exchanges: readonly Exchange[], checkReply: ReplyCheck): readonly ReplyProblem[] =>
  exchanges
    // These methods answer without a body, or about the path and not the operation.
    .filter(({ call }) => call.method !== 'HEAD' && call.method !== 'OPTIONS')
    .flatMap(({ operationId, reply }) =>
      checkReply(operationId, reply).map(({ text, basis }) => ({
        text: `against the contract, ${operationId} ${reply.status}: ${text}`,
        basis,
      })),
    );
