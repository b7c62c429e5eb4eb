/** What came of a case. */
import type { ReplyProblem } from '../openapi/reply-check.ts';
import type { OperationId } from '../openapi/types.ts';
import type { Case } from './case.ts';
import type { Shape } from './shape.ts';

/** A reply to a step of the case, without its values. */
export interface Observed {
  readonly operationId: OperationId;
  readonly status: number;
  readonly shape: Shape;
}

export type Result =
  | 'passed'
  | 'failed'
  /** It fails by what was inferred alone. */
  | 'warned'
  | 'skipped';

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

/** Problems of a case whose basis is inferred count as inferred, whatever they are. */
export const resultOf = (
  problems: readonly ReplyProblem[],
  { basis }: Case,
  inferredFails: boolean,
): Result => {
  if (problems.length === 0) return 'passed';
  const isPromised = basis === 'promised' && problems.some((problem) => problem.basis === 'promised');
  return isPromised || inferredFails ? 'failed' : 'warned';
};

export type Totals = Readonly<Record<Result, number>>;

export const countResults = (outcomes: readonly Outcome[]): Totals => {
  const totals = { passed: 0, failed: 0, warned: 0, skipped: 0 };
  for (const { result } of outcomes) totals[result] += 1;
  return totals;
};
