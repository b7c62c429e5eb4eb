/** Runs the suite against a server, case by case, and gives everything back at the end. */
import type { Case, Need } from './case.ts';
import { Unreachable } from './client.ts';
import { countResults, type Outcome, resultOf, type Totals } from './outcome.ts';
import { explore, type Place } from './place.ts';
import { type CaseRun, runCase } from './run-case.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { createSession, type Data, type Exchange, NEED_REASONS } from './session.ts';
import { type Area, SUITE } from './suite.ts';

export interface RunOptions extends Data {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly controlToken?: string | undefined;
  /** Allows cases that change data. */
  readonly write?: boolean | undefined;
  /** Makes inferred cases fail instead of warn. */
  readonly inferred?: boolean | undefined;
  /** Milliseconds that a reply may take. Default: 10 seconds. */
  readonly timeout?: number | undefined;
  /** Stops after the case that is under way. */
  readonly signal?: AbortSignal | undefined;
  /** Told of every case when it has run. */
  readonly onOutcome?: ((outcome: Outcome) => void) | undefined;
  /** Told of every call and its reply, those that cases start from included. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Default: all. */
  readonly suite?: readonly Area[] | undefined;
}

export interface Report {
  readonly baseUrl: string;
  readonly outcomes: readonly Outcome[];
  readonly totals: Totals;
  /** Whether the run was stopped before its end. */
  readonly isStopped: boolean;
}

const DEFAULT_TIMEOUT = 10_000;

/** @throws Unreachable if the server cannot be asked, or gives no token */
export const runSuite = async (options: RunOptions): Promise<Report> => {
  const secrets = createSecrets();
  const { timeout = DEFAULT_TIMEOUT, signal } = options;
  const place = await explore({ ...options, timeout, secrets }).catch((error: unknown) => {
    throw error instanceof Unreachable ? new Unreachable(secrets.redact(error.message)) : error;
  });
  const outcomes: Outcome[] = [];
  try {
    for (const [area, one] of casesOf(options.suite ?? SUITE)) {
      if (signal?.aborted) break;
      const outcome = await runOne(area, one, place, options, secrets);
      outcomes.push(outcome);
      options.onOutcome?.(outcome);
    }
  } finally {
    await place.scratch?.control?.remove();
  }
  const { baseUrl } = options;
  return { baseUrl, outcomes, totals: countResults(outcomes), isStopped: signal?.aborted ?? false };
};

function* casesOf(suite: readonly Area[]): Generator<readonly [string, Case]> {
  for (const { name, cases } of suite) for (const one of cases) yield [name, one];
}

const runOne = async (
  area: string,
  one: Case,
  place: Place,
  options: RunOptions,
  secrets: Secrets,
): Promise<Outcome> => {
  const run = await runWhereItCan(one, place, options);
  const common = { area, case: one };
  if (typeof run === 'string')
    return { ...common, result: 'skipped', messages: [run], duration: 0, observed: [] };
  return {
    ...common,
    result: resultOf(run.problems, one, options.inferred ?? false),
    messages: run.problems.map(({ text }) => secrets.redact(text)),
    duration: run.duration,
    observed: run.observed,
  };
};

/** Runs a case in the first place that has what it needs. @returns why there is none, else what came of it */
const runWhereItCan = async (
  one: Case,
  place: Place,
  { write, onExchange }: RunOptions,
): Promise<CaseRun | string> => {
  const needs = new Set<Need>(one.needs);
  if (needs.has('write') && !write) return NEED_REASONS.write;
  const { main, scratch } = place;
  const isForMock = needs.has('control') || needs.has('person');
  let reason = needs.has('person') ? NEED_REASONS.person : place.reason;
  for (const target of isForMock ? [scratch] : [main, scratch]) {
    if (!target) continue;
    await target.control?.reset();
    const session = createSession(target, place.operations, place.nextName());
    const run = await runCase(one, session, place.checkReply);
    for (const exchange of session.exchanges) onExchange?.(exchange);
    if (run.missing === undefined) return run;
    reason = run.missing;
  }
  return reason;
};
