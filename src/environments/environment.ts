/** One isolated environment: a pointer to an immutable state, and the control data beside it. */

import { readClock } from '../core/clock.ts';
import { type Draw, drawFrom, environmentKey } from '../core/ids.ts';
import type { Effects, Env } from '../domain/operation.ts';
import type { InitialEnvironment } from '../domain/scenario.ts';
import type { State } from '../domain/state.ts';
import type { Surfaces } from '../openapi/surface.ts';
import { type Coverage, createCoverage } from './coverage.ts';
import { type EnvironmentState, initialState } from './environment-state.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import { createFaults, type Faults } from './faults.ts';
import { createJournal, type Journal } from './journal.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit.ts';
import { createRecords, type Records } from './records.ts';
import { createSnapshots, type Snapshots } from './snapshots.ts';

/** Where an environment came from. */
export interface EnvironmentOrigin {
  /** Name of the scenario that a reset goes back to. */
  scenario: string;
  /** Made at runtime, with credentials of its own (behaviour E5). */
  readonly isRuntime: boolean;
  /** Name of the environment that it is a copy of, whose credentials it accepts too (behaviour E7). */
  copiedFrom?: string | undefined;
}

/** A visit of a hosted page. No call of the API: the journal and coverage do not count it. */
export interface PageVisit {
  readonly time: string;
  readonly action: 'open' | 'approve' | 'deny' | 'submit' | 'accept';
  readonly status: number;
  /** Name of the page that was the answer; absent if the user was sent on. */
  readonly page?: string;
  /** Where the user was sent on to, without the query and its tokens. */
  readonly redirect_url?: string;
  /** Identifies what the page is about by the contract's names; empty if there is none any more. */
  readonly resource: Readonly<Record<string, string>>;
}

const MOST_VISITS = 1_000;

export interface Environment extends EnvironmentOrigin {
  readonly id: string;
  readonly name: string;
  /** At the end of every token of this environment (behaviour E5). */
  readonly key: string;
  /** Its own address, if it has a host of its own; else it has that of the server. */
  readonly ownUrl: string | undefined;
  /** What a reset goes back to. */
  initial: InitialEnvironment;
  /** Set by `changeState` where clients or bearers may differ. */
  current: EnvironmentState;
  /** Requests and access tokens so far; set back by a reset, never drawn from the state (behaviour T8). */
  readonly counters: { requests: number; accessTokens: number };
  readonly outbox: Outbox;
  readonly visits: Records<PageVisit>;
  readonly events: EventLog;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly coverage: Coverage;
  readonly rateLimiter: RateLimiter;
  readonly snapshots: Snapshots;
}

export const createEnvironment = (
  initial: InitialEnvironment,
  surfaces: Surfaces,
  origin: EnvironmentOrigin,
  ownUrl: string | undefined,
): Environment => {
  const { id, name, state } = initial;
  return {
    ...origin,
    id,
    name,
    key: environmentKey(id),
    ownUrl,
    initial,
    current: initialState(initial),
    counters: { requests: 0, accessTokens: 0 },
    outbox: createOutbox(),
    visits: createRecords(MOST_VISITS),
    events: createEventLog(),
    journal: createJournal(),
    faults: createFaults(state.generator),
    coverage: createCoverage(surfaces),
    rateLimiter: createRateLimiter(),
    snapshots: createSnapshots(),
  };
};

/** What the environment's clock shows, epoch milliseconds. */
export const readNow = ({ current }: Environment): number => readClock(current.clock);

/** Ends what waits for the environment: streams of events, and waits for e-mails and calls. */
export const closeEnvironment = ({ events, outbox, journal }: Environment): void => {
  events.close();
  outbox.close();
  journal.close();
};

/**
 * Runs one step and commits what follows from it. A throw, in the step or while replying, leaves everything as it was.
 * @param reply sends the outcome before it is committed, so that a reply that cannot be sent changes nothing
 */
export const run = <Outcome extends Effects>(
  environment: Environment,
  baseUrl: string,
  step: (state: State, env: Env) => Outcome,
  reply?: (outcome: Outcome, env: Env) => void,
): Outcome => {
  const { current } = environment;
  const draw = drawFrom(current.data.generator);
  const env = openEnv(environment, baseUrl, draw);
  const outcome = step(current.data, env);
  reply?.(outcome, env);
  if (outcome.state)
    environment.current = { ...current, data: { ...outcome.state, generator: draw.state() } };
  for (const email of outcome.emails ?? []) environment.outbox.add(email, env.now);
  for (const change of outcome.changes ?? []) environment.events.add(change, env.now);
  return outcome;
};

/** What a step of this environment is given, drawing from `draw`. */
const openEnv = (environment: Environment, baseUrl: string, draw: Draw): Env => {
  const { id, name, key, ownUrl, current, counters } = environment;
  return {
    now: readClock(current.clock),
    start: current.start,
    validity: { from: -Infinity, until: Infinity },
    settings: current.settings,
    baseUrl: ownUrl ?? baseUrl,
    environment: { id, name },
    id: draw.id,
    token: () => draw.token(),
    withEnvironmentKey: (token) => token + key,
    withoutEnvironmentKey: (token) => (token.endsWith(key) ? token.slice(0, -key.length) : token),
    accessTokenId: () => {
      counters.accessTokens += 1;
      return `${key}.${counters.accessTokens}`;
    },
  };
};
