/** Runs one case: what it starts from, its steps, the contract on every reply, and the clearing up. */

import { monotonicNow } from '../core/clock.ts';
import type { Basis, ReplyCheck, ReplyProblem } from '../openapi/reply-check.ts';
import type { Reply } from './call.ts';
import type { Case, Scope, Step } from './case.ts';
import { Unreachable } from './client.ts';
import { errorMismatches } from './expected-error.ts';
import type { Observed } from './outcome.ts';
import { mismatches, type Pattern } from './pattern.ts';
import { type Exchange, Missing, type Session, Unprepared } from './session.ts';
import { shapeOf } from './shape.ts';

export interface CaseRun {
  readonly problems: readonly ReplyProblem[];
  /** Why the case could not run here; then there are no problems. */
  readonly missing?: string;
  readonly observed: readonly Observed[];
  /** Milliseconds. */
  readonly duration: number;
}

/** Never throws: whatever goes wrong is a problem of the case. What it created is removed in every event. */
export const runCase = async (one: Case, session: Session, checkReply: ReplyCheck): Promise<CaseRun> => {
  const start = monotonicNow();
  const observed: Observed[] = [];
  const problems: ReplyProblem[] = [];
  let missing: string | undefined;
  try {
    problems.push(...(await runSteps(one, session, observed)));
  } catch (error) {
    if (error instanceof Missing) missing = error.message;
    else problems.push({ text: toSentence(error), basis: 'promised' });
  }
  problems.push(...(missing === undefined ? contractProblems(session.exchanges, checkReply) : []));
  const left = await session.cleanUp();
  problems.push(...left.map((text): ReplyProblem => ({ text, basis: 'promised' })));
  const duration = monotonicNow() - start;
  return missing !== undefined && left.length === 0
    ? { problems: [], missing, observed, duration }
    : { problems: unique(problems), observed, duration };
};

const runSteps = async (
  one: Case,
  session: Session,
  observed: Observed[],
): Promise<readonly ReplyProblem[]> => {
  const given = one.arrange && (await one.arrange(session));
  for (const happens of one.meanwhile ?? []) await happens(session, given);
  const problems: ReplyProblem[] = [];
  let last: Reply = { status: 0, headers: {}, body: undefined };
  for (const [index, step] of [one, ...(one.afterwards ?? [])].entries()) {
    const scope: Scope<unknown> = Object.create(session, { given: { value: given }, last: { value: last } });
    const operationId = step.operationId ?? one.operationId;
    last = await session.call(operationId, step.send(scope));
    observed.push({ operationId, status: last.status, shape: shapeOf(last.body) });
    const wrong = stepProblems({ ...step, operationId }, scope, last, one.basis);
    const where = index === 0 ? '' : `step ${index + 1}, ${operationId}: `;
    problems.push(...wrong.map(({ text, basis }) => ({ text: where + text, basis })));
    if (wrong.length > 0) break; // what follows rests on this
  }
  return problems;
};

const stepProblems = (
  step: Step<unknown> & Pick<Case, 'operationId'>,
  scope: Scope<unknown>,
  reply: Reply,
  basis: Basis,
): readonly ReplyProblem[] => {
  if (reply.status !== step.status) {
    const why = messageOf(reply);
    return [{ text: `the status should be ${step.status}, but is ${reply.status}${why}`, basis }];
  }
  const pattern = typeof step.body === 'function' ? step.body(scope) : step.body;
  return [
    ...(pattern === undefined ? [] : mismatches(pattern, reply.body)).map((text) => ({ text, basis })),
    ...headerMismatches(step.headers ?? {}, reply).map((text) => ({ text, basis })),
    ...(reply.isOutside ? [] : errorMismatches(step, step.operationId, reply.body)).map((text) => ({
      text,
      basis: 'inferred' as const,
    })),
  ];
};

const headerMismatches = (
  patterns: Readonly<Record<string, Pattern>>,
  { headers }: Reply,
): readonly string[] =>
  Object.entries(patterns).flatMap(([name, pattern]) =>
    mismatches(pattern, headers[name], `the header ${name}`),
  );

/** The message of an error, for whoever looks into the failure. */
const messageOf = ({ body }: Reply): string =>
  typeof body === 'object' && body !== null && 'message' in body ? `: ${String(body.message)}` : '';

/** Behaviour of HTTP: these methods answer without a body, or about the path and not the operation. */
const isApart = ({ call, reply }: Exchange): boolean =>
  reply.isOutside === true || call.method === 'HEAD' || call.method === 'OPTIONS';

const contractProblems = (exchanges: readonly Exchange[], checkReply: ReplyCheck): readonly ReplyProblem[] =>
  exchanges
    .filter((exchange) => !isApart(exchange))
    .flatMap(({ operationId, reply }) =>
      checkReply(operationId, reply).map(({ text, basis }) => ({
        text: `against the contract, ${operationId} ${reply.status}: ${text}`,
        basis,
      })),
    );

const unique = (problems: readonly ReplyProblem[]): readonly ReplyProblem[] => [
  ...new Map(problems.map((problem) => [problem.text, problem])).values(),
];

const toSentence = (error: unknown): string => {
  if (error instanceof Unreachable || error instanceof Unprepared) return error.message;
  return error instanceof Error ? error.message : String(error);
};
