/** One isolated environment: its current state, and records of its calls and changes. */

import { type ClockSetting, type EnvironmentClock, readClock, setClock, toTimestamp } from '../core/clock.ts';
import { Refusal } from '../core/errors.ts';
import { drawFrom, environmentKey } from '../core/ids.ts';
import { instantAt } from '../core/moment.ts';
import { beginWorld } from '../core/worlds.ts';
import type { Change, Effects, EmailMessage, EngineEnv } from '../operation.ts';
import type { InitialEnvironment } from '../scenario/scenario.ts';
import type { Service } from '../service.ts';
import type { EngineSettings } from '../settings.ts';
import type { EngineState } from '../state.ts';
import { createFaults, type Faults } from './faults.ts';
import { type CallJournal, createJournal } from './journal.ts';
import { type BoundedLog, createLog } from './log.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit.ts';
import { createSignal, type ItemSignal } from './signal.ts';
import type { UsedContract } from './used.ts';

/** The part of an environment that a snapshot stores. Immutable. */
export interface EnvironmentState {
  readonly data: EngineState;
  readonly settings: EngineSettings;
  readonly clock: EnvironmentClock;
  /** Relative times count from this instant (behaviour E6). Epoch milliseconds. */
  readonly start: number;
  /** The clock at the start, to which "Back to now" of the console returns. */
  readonly home: EnvironmentClock;
}

/** What a reset restores, and where it came from. */
export interface EnvironmentOrigin {
  initial: InitialEnvironment;
  /** Name of the scenario that `initial` came from. */
  scenario: string;
  /** Name of the environment that was copied, if any. The original's credentials work for the copy (behaviour E7). */
  copiedFrom?: string | undefined;
  /** The clock and the settings that were asked for beside the scenario. Another scenario keeps them. */
  madeWith?: MadeWith | undefined;
}

export interface MadeWith {
  readonly clock?: ClockSetting | undefined;
  readonly settings?: Partial<EngineSettings> | undefined;
}

export interface Environment extends EnvironmentOrigin {
  readonly service: Service;
  readonly id: string;
  readonly name: string;
  /** False for the scenario's environments. All others are created at runtime, with new credentials (behaviour E5). */
  readonly isRuntime: boolean;
  /** Identifies the environment. Link and invitation tokens that clients see end with this key (behaviour E5). */
  readonly key: string;
  /** The server's address as clients see it, without a trailing slash. */
  readonly url: () => string;
  /** The current state. Only `Environments.change` may change the clients and bearer tokens in the state. */
  current: EnvironmentState;
  /**
   * The number of its world: another one begins whenever the state as a whole is replaced: by a reset, a restored snapshot,
   * another scenario. A call that began before then changes nothing (behaviour E8).
   */
  world: number;
  /** Numbers of requests and access tokens since the last reset; not part of the state (behaviour T8). */
  counters: Counters;
  /** The counters of the world that ended last; they go on for calls that began in it (behaviour E8). */
  endedCounters: Counters;
  readonly outbox: BoundedLog<SentEmail>;
  readonly events: BoundedLog<LoggedChange>;
  /** Each control call that can change something adds its operation id, which tells the console to refresh. */
  readonly controlCalls: ItemSignal<string>;
  readonly journal: CallJournal;
  readonly faults: Faults;
  used: UsedContract;
  readonly rateLimiter: RateLimiter;
  readonly snapshots: Map<string, StoredSnapshot>;
  /** The points to which the console can go back, oldest first. */
  undoPoints: readonly UndoPoint[];
}

export interface SentEmail extends EmailMessage {
  readonly time: string;
}

export interface LoggedChange extends Change {
  /** Counts from 1, resets included. Old changes are dropped, so a list can begin with a higher number. */
  readonly sequence: number;
  readonly time: string;
}

export interface StoredSnapshot {
  readonly name: string;
  /** The time on the environment's clock, in epoch milliseconds. */
  readonly time: number;
  readonly state: EnvironmentState;
  putFaultsBack(): void;
}

export interface UndoPoint {
  readonly id: string;
  /** What the step did, such as "Expire ada@acme.test". */
  readonly label: string;
  readonly state: EnvironmentState;
  readonly origin: EnvironmentOrigin;
  /** The last change of the step itself. */
  readonly change: LoggedChange | undefined;
  /** Puts back the faults, and what was emptied of the journal and the outbox. */
  putBack(): void;
  readonly snapshots: readonly StoredSnapshot[];
}

interface Counters {
  requests: number;
  accessTokens: number;
}

export const createEnvironment = (
  origin: EnvironmentOrigin & Pick<Environment, 'isRuntime' | 'url' | 'used'>,
): Environment => {
  const { service, id, name } = origin.initial;
  const counters = newCounters();
  const environment: Environment = {
    ...origin,
    service,
    id,
    name,
    key: environmentKey(id),
    current: initialState(origin.initial),
    world: beginWorld(),
    counters,
    endedCounters: counters,
    outbox: createLog(10_000),
    events: createLog(10_000),
    controlCalls: createSignal(),
    journal: createJournal(() => secretsIn(environment.current.data)),
    faults: createFaults(service.errorCodes),
    rateLimiter: createRateLimiter(),
    snapshots: new Map(),
    undoPoints: [],
  };
  environment.faults.set(origin.initial.faults);
  return environment;
};

/** The credentials with which clients call. Credentials of accounts are not here: they stand under known names. */
const secretsIn = ({ clients, access_tokens }: EngineState): readonly string[] => [
  ...Array.from(clients.rows.values(), ({ client_secret }) => client_secret),
  ...access_tokens,
];

export const newCounters = (): Counters => ({ requests: 0, accessTokens: 0 });

/** Ends the world of an environment: calls that began in it change nothing any more (behaviour E8). */
export const endWorld = (environment: Environment): void => {
  environment.world = beginWorld();
  environment.endedCounters = environment.counters;
};

/** The state of a new or reset environment. @throws Refusal 400 for a time that clocks cannot show */
export const initialState = ({ state, settings, clock: setting }: InitialEnvironment): EnvironmentState => {
  const clock = setClock(setting);
  return { data: state, settings, clock, start: readClock(clock), home: clock };
};

/** @throws Refusal 400 for a time that clocks cannot show */
export const setEnvironmentClock = (environment: Environment, setting: ClockSetting): void => {
  const { current } = environment;
  environment.current = { ...current, clock: setClock(setting, current.clock) };
};

/** Moves the clock forward; a frozen clock stays frozen. @throws Refusal 400 if the new time is after the year 8999 */
export const advanceClock = (environment: Environment, ms: number): void =>
  setEnvironmentClock(environment, { mode: environment.current.clock.mode, now: readNow(environment) + ms });

/** The time on the environment's clock, in epoch milliseconds. */
export const readNow = ({ current }: Environment): number => readClock(current.clock);

export const readInstant = (environment: Environment) =>
  instantAt(readNow(environment), environment.current.start);

/** The first client and the first bearer token of an environment, if any, to show to its users. */
export const credentialsOf = ({ current }: Environment) => {
  const { clients, access_tokens } = current.data;
  const client = clients.rows.values().next().value;
  const access_token = access_tokens[0];
  return {
    ...(client && { client_id: client.client_id, client_secret: client.client_secret }),
    ...(access_token !== undefined && { access_token }),
  };
};

/** @param began the newest world when the call began @throws Refusal 503 for a call that began in an earlier world (E8) */
export const requireWorldSince = ({ name, world }: Environment, began: number): void => {
  if (world <= began) return;
  throw new Refusal(
    'UNAVAILABLE',
    `The environment ${name} was reset, replaced or deleted while the call was under way, so the call changed nothing.`,
    'Send it again.',
    { rule: 'E8' },
  );
};

/** Ends all streams of events and all waits for e-mails and calls. */
export const closeEnvironment = (environment: Environment): void => {
  const { events, outbox, journal, controlCalls } = environment;
  for (const log of [events, outbox, journal, controlCalls]) log.close();
};

export const logChanges = ({ events }: Environment, changes: readonly Change[], now: number): void => {
  for (const change of changes)
    events.add({ ...change, sequence: events.last() + 1, time: toTimestamp(now) });
};

/** Prepares a change; nothing changes until the caller commits it. @param host the Host header of a call over HTTP */
export const openStep = (environment: Environment, host?: string) => {
  const { id, name, key, current, counters } = environment;
  const draw = drawFrom(current.data.generator);
  const { now, start, hasEnded, validity } = readInstant(environment);
  const warnings: string[] = [];
  const env: EngineEnv = {
    ...{ now, start, hasEnded, host },
    settings: current.settings,
    baseUrl: environment.url(),
    environment: { id, name },
    id: draw.id,
    token: () => draw.token(),
    withEnvironmentKey: (token) => token + key,
    withoutEnvironmentKey: (token) => (token.endsWith(key) ? token.slice(0, -key.length) : token),
    warn: (sentence) => void warnings.push(sentence),
    accessTokenId: () => {
      counters.accessTokens += 1;
      return `${key}.${counters.accessTokens}`;
    },
  };
  return {
    state: current.data,
    env,
    /** The period in which this step gives the same result, unless the state changes. */
    validity,
    warnings,
    commit: ({ state, emails = [], changes = [] }: Effects): void => {
      if (state) environment.current = { ...current, data: { ...state, generator: draw.state() } };
      for (const email of emails) environment.outbox.add({ ...email, time: toTimestamp(now) });
      logChanges(environment, changes, now);
    },
  };
};

/** Runs a function and commits its effects. If it throws, nothing changes. */
export const runStep = <Outcome extends Effects>(
  environment: Environment,
  step: (state: EngineState, env: EngineEnv) => Outcome,
): Outcome => {
  const { state, env, commit } = openStep(environment);
  const outcome = step(state, env);
  commit(outcome);
  return outcome;
};
