/** One isolated environment: who it is, what it holds now, and records of its calls and changes. */
import {
  type ClockSetting,
  clockAfter,
  clockTime,
  type EnvironmentClock,
  monotonicNow,
  toTimestamp,
} from '../core/clock.ts';
import { Refusal, requireFound, requireRoom } from '../core/errors.ts';
import { drawFrom, environmentKey } from '../core/ids.ts';
import { instantAt } from '../core/moment.ts';
import { defined } from '../core/object.ts';
import { suggest } from '../core/text.ts';
import type { Change, Effects, EmailMessage, EngineEnv } from '../operation.ts';
import type { InitialEnvironment } from '../scenario/scenario.ts';
import type { Service } from '../service.ts';
import type { EngineSettings, RateLimit } from '../settings.ts';
import type { ClientRow, EngineState } from '../state.ts';
import { type CountedFault, effectOn, type FaultCall, type FaultEffect, toFaults } from './faults.ts';
import { Journal } from './journal.ts';
import { LiveLog } from './log.ts';
import type { UsedContract } from './used.ts';

/** What an environment holds now, and what a snapshot keeps. Immutable. */
export interface EnvironmentState {
  readonly data: EngineState;
  readonly settings: EngineSettings;
  readonly faults: readonly CountedFault[];
  readonly clock: EnvironmentClock;
  /** Relative times count from this instant (behaviour E6). Epoch milliseconds. */
  readonly start: number;
  /** The clock at the start, to which "Back to now" of the console returns. */
  readonly home: EnvironmentClock;
}

/** What a reset restores, and where it came from. */
export interface EnvironmentOrigin extends InitialEnvironment {
  /** Name of the scenario that has it. */
  readonly scenario: string;
  /**
   * Name of the environment that was copied; only environments created at runtime have one. The original's credentials work
   * for the copy (behaviour E7).
   */
  readonly copiedFrom?: string | undefined;
  /** What was asked for beside the scenario. Another scenario keeps it. */
  readonly madeWith?: MadeWith | undefined;
}

export interface MadeWith {
  readonly clock?: ClockSetting | undefined;
  readonly settings?: Partial<EngineSettings> | undefined;
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
  readonly state: EnvironmentState;
  /** The time on the environment's clock, in epoch milliseconds. */
  readonly time: number;
}

/** What an environment was before a step of the console. */
export interface UndoPoint {
  readonly id: string;
  /** What the step did, such as "Expire ada@acme.test". */
  readonly label: string;
  readonly state: EnvironmentState;
  readonly origin: EnvironmentOrigin;
  /** The number of the last change of the step itself. */
  last: number;
  /** Puts back what was emptied of the journal and the outbox, and deleted of the snapshots. */
  putRecordsBack(): void;
}

const MOST_RECORDS = 10_000;
const MOST_SNAPSHOTS = 1_000;
const MOST_UNDO_POINTS = 20;

export class Environment {
  readonly service: Service;
  readonly id: string;
  readonly name: string;
  /** Link and invitation tokens that clients see end with this key (behaviour E5). */
  readonly key: string;

  /** The current state. Only `Environments.change` may change the clients and bearer tokens in the state. */
  current: EnvironmentState;
  /**
   * The number of its world. Another one begins whenever the state is replaced as a whole: by a reset, a snapshot, another
   * scenario. A call that began before then changes nothing (behaviour E8).
   */
  world = beginWorld();
  /** Numbers of requests and access tokens since the last reset; not part of the state (behaviour T8). */
  counters = { requests: 0, accessTokens: 0 };
  /** The counters of the world that ended last; they go on for calls that began in it (behaviour E8). */
  endedCounters = this.counters;

  readonly outbox = new LiveLog<SentEmail>(MOST_RECORDS);
  readonly events = new LiveLog<LoggedChange>(MOST_RECORDS);
  /** Each control call that can change something adds its operation id, which tells the console to refresh. */
  readonly controlCalls = new LiveLog<string>(0);
  /** Masks the credentials with which clients call. Credentials of accounts stand under known names. */
  readonly journal = new Journal(() => {
    const { clients, access_tokens } = this.current.data;
    return [...Array.from(clients.rows.values(), ({ client_secret }) => client_secret), ...access_tokens];
  });
  readonly rateLimiter = createRateLimiter();
  snapshots = new Map<string, StoredSnapshot>();
  /** The points to which the console can go back, oldest first. */
  undoPoints: readonly UndoPoint[] = [];

  /** @param url the server's address as clients see it, without a trailing slash */
  constructor(
    public origin: EnvironmentOrigin,
    readonly url: () => string,
    readonly used: UsedContract,
  ) {
    const { service, id, name } = origin;
    this.service = service;
    this.id = id;
    this.name = name;
    this.key = environmentKey(id);
    this.current = initialState(origin);
  }

  /** False for the scenario's environments; all others are created at runtime, with new credentials (behaviour E5). */
  get isRuntime(): boolean {
    return this.origin.copiedFrom !== undefined;
  }

  /** The time on the environment's clock, in epoch milliseconds. */
  get now(): number {
    return clockTime(this.current.clock);
  }

  instant() {
    return instantAt(this.now, this.current.start);
  }

  /** Changes everything but the rows. */
  set(changed: Partial<Omit<EnvironmentState, 'data'>>): void {
    this.current = { ...this.current, ...changed };
  }

  /** @throws Refusal 400 for a time that clocks cannot show */
  setClock(setting: ClockSetting): void {
    this.set({ clock: clockAfter(setting, this.current.clock) });
  }

  /** The first client and the first bearer token, if any, to show to users. */
  get credentials() {
    const { clients, access_tokens } = this.current.data;
    const { client_id, client_secret }: Partial<ClientRow> = clients.rows.values().next().value ?? {};
    return defined({ client_id, client_secret, access_token: access_tokens[0] });
  }

  /** Ends its world: calls that began in it change nothing any more (behaviour E8). */
  endWorld(): void {
    this.world = beginWorld();
    this.endedCounters = this.counters;
  }

  /** @param began the newest world when the call began @throws Refusal 503 for a call of an earlier world (E8) */
  requireWorldSince(began: number): void {
    if (this.world <= began) return;
    const problem = `The environment ${this.name} was reset, replaced or deleted while the call was under way, so the call changed nothing.`;
    throw new Refusal('UNAVAILABLE', problem, 'Send it again.', { rule: 'E8' });
  }

  /** Resets what a reset changes besides the state. The caller has registered the clients of the state. */
  begin(origin: EnvironmentOrigin): void {
    this.origin = origin;
    this.counters = { requests: 0, accessTokens: 0 };
    for (const part of [this.rateLimiter, this.outbox, this.events]) part.clear();
  }

  /** What the faults do to a call; the call counts. */
  effectOn(call: FaultCall): FaultEffect | undefined {
    const { current, service } = this;
    if (current.faults.length === 0) return undefined;
    const { effect, faults } = effectOn(current.faults, call, service.errorCodes);
    if (faults !== current.faults) this.set({ faults });
    return effect;
  }

  /** Waits before a call is answered: milliseconds of real time, or until `leaving` aborts or the environment closes (E8). */
  delay(ms: number, leaving: AbortSignal): Promise<void> {
    return this.controlCalls.wait(() => false, ms, leaving);
  }

  /** Ends all streams of events, all delays of answers, and all waits for e-mails and calls. */
  close(): void {
    for (const log of [this.events, this.outbox, this.journal, this.controlCalls]) log.close();
  }

  logChanges(changes: readonly Change[], now = this.now): void {
    for (const change of changes)
      this.events.add({ sequence: this.events.last + 1, time: toTimestamp(now), ...change });
  }

  /** Prepares a change; nothing changes until the caller commits it. @param host the Host header of a call over HTTP */
  openStep(host?: string) {
    const { id, name, key, current, counters } = this;
    const draw = drawFrom(current.data.generator);
    const { now, start, hasEnded, validity } = this.instant();
    const warnings: string[] = [];
    const env: EngineEnv = {
      now,
      start,
      hasEnded,
      host,
      settings: current.settings,
      baseUrl: this.url(),
      environment: { id, name },
      id: draw.id,
      token: () => draw.token(),
      withEnvironmentKey: (token) => token + key,
      withoutEnvironmentKey: (token) => (token.endsWith(key) ? token.slice(0, -key.length) : token),
      warn: (sentence) => void warnings.push(sentence),
      accessTokenId: () => `${key}.${++counters.accessTokens}`,
    };
    const commit = ({ state, emails = [], changes = [] }: Effects): void => {
      if (state) this.current = { ...current, data: { ...state, generator: draw.state() } };
      for (const email of emails) this.outbox.add({ ...email, time: toTimestamp(now) });
      this.logChanges(changes, now);
    };
    /** `validity`: the period in which this step gives the same result, unless the state changes. */
    return { state: current.data, env, validity, warnings, commit };
  }

  /** Runs a function and commits its effects. If it throws, nothing changes. */
  runStep<Outcome extends Effects>(step: (state: EngineState, env: EngineEnv) => Outcome): Outcome {
    const { state, env, commit } = this.openStep();
    const outcome = step(state, env);
    commit(outcome);
    return outcome;
  }

  // Earlier states are pointers to immutable ones, so taking one costs the same for any amount of data.

  /** @throws Refusal 409 if a snapshot has the name (behaviour N4), 400 if there are already 1,000 */
  takeSnapshot(given?: string): StoredSnapshot {
    const { snapshots, now: time, current: state } = this;
    let number = 1;
    while (snapshots.has(`snapshot-${number}`)) number += 1;
    const name = given ?? `snapshot-${number}`;
    const advice = 'Choose another name, or delete that snapshot first.';
    if (snapshots.has(name))
      throw new Refusal('RESOURCE_ALREADY_EXISTS', `The snapshot ${name} exists already.`, advice);
    requireRoom(snapshots.size, MOST_SNAPSHOTS, 'snapshots', 'Delete some snapshots first.');
    const snapshot = { name, state, time };
    snapshots.set(name, snapshot);
    return snapshot;
  }

  /** @throws Refusal 404 */
  requireSnapshot(name: string): StoredSnapshot {
    const hint = suggest(name, [...this.snapshots.keys()], 'snapshots');
    return requireFound(this.snapshots.get(name), `snapshot ${name}`, hint);
  }

  /** Remembers the state before a step. Its last change is set when the step ends; a failed step leaves no point. @returns its id */
  takeUndoPoint(label: string): string {
    const { origin, events, undoPoints, outbox, journal, current: state } = this;
    const logs = [outbox.keep(), journal.keep()];
    const snapshots = [...this.snapshots];
    const putRecordsBack = (): void => {
      for (const put of logs) put();
      this.snapshots = new Map([...snapshots, ...this.snapshots]);
    };
    const id = String(Number(undoPoints.at(-1)?.id ?? 0) + 1);
    const point = { id, label, state, origin, last: events.last, putRecordsBack };
    this.undoPoints = [...undoPoints, point].slice(-MOST_UNDO_POINTS);
    return id;
  }

  /** @throws Refusal 404 */
  requireUndoPoint(id: string): UndoPoint {
    const point = this.undoPoints.find((each) => each.id === id);
    return requireFound(point, `step ${id}`, `Only the last ${MOST_UNDO_POINTS} steps can be undone.`);
  }
}

/** The state of a new or reset environment. @throws Refusal 400 for a time that clocks cannot show */
export const initialState = (initial: InitialEnvironment): EnvironmentState => {
  const { state: data, settings, faults } = initial;
  const clock = clockAfter(initial.clock);
  return { data, settings, faults: toFaults(faults), clock, start: clockTime(clock), home: clock };
};

/** Limits the calls of each client in each time span (behaviour X2). */
export const createRateLimiter = () => {
  const spans = new Map<string, { readonly start: number; calls: number }>();
  return {
    /** Counts a call, and begins a time span if none runs. @returns seconds to wait, or undefined if allowed */
    take: (client: string, { requests, per }: RateLimit, clock: EnvironmentClock): number | undefined => {
      // While the clock is frozen, a span ends when enough real time has passed or the clock is moved far enough.
      const now = clockTime(clock) + (clock.mode === 'frozen' ? monotonicNow() : 0);
      let span = spans.get(client);
      // A new span also begins if the clock was set back.
      if (!span || now < span.start || now >= span.start + per) {
        span = { start: now, calls: 0 };
        spans.set(client, span);
      }
      if (span.calls >= requests) return Math.ceil((span.start + per - now) / 1_000);
      span.calls += 1;
      return undefined;
    },
    clear: () => spans.clear(),
  };
};

/** Worlds of all environments are numbered in the order in which they begin. */
let newest = 0;

const beginWorld = (): number => ++newest;

/** A call that keeps the number of the newest world knows which worlds began after the call. */
export const newestWorld = (): number => newest;
