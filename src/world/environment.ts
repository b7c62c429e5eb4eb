/** One isolated environment: a pointer to an immutable condition, and the control data beside it. */
import { type Clock, REAL_TIME, readClock, setClock } from '../core/clock.ts';
import { type Draw, drawFrom, drawId, drawToken, environmentKey } from '../core/ids.ts';
import type { ClockSetting, EnvironmentBlueprint } from '../domain/blueprint.ts';
import type { Effects, Env } from '../domain/operation.ts';
import type { Settings } from '../domain/settings.ts';
import type { State } from '../domain/state.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import { createOutbox, type Outbox } from './outbox.ts';

/** All that a snapshot keeps. */
export interface Condition {
  readonly state: State;
  readonly settings: Settings;
  readonly clock: Clock;
  /** What relative moments count from (behaviour E6), epoch milliseconds. */
  readonly start: number;
}

export interface Environment {
  readonly id: string;
  readonly name: string;
  /** Stands at the end of every token of this environment (behaviour E5). */
  readonly key: string;
  /** What a reset goes back to. */
  blueprint: EnvironmentBlueprint;
  current: Condition;
  /** Requests and access tokens so far; set back by a reset, never drawn from the state (behaviour T8). */
  readonly counters: { requests: number; accessTokens: number };
  readonly outbox: Outbox;
  readonly events: EventLog;
}

export const createEnvironment = (blueprint: EnvironmentBlueprint): Environment => ({
  id: blueprint.id,
  name: blueprint.name,
  key: environmentKey(blueprint.id),
  blueprint,
  current: startCondition(blueprint),
  counters: { requests: 0, accessTokens: 0 },
  outbox: createOutbox(),
  events: createEventLog(),
});

/** The condition a blueprint starts with: its clock begins now, and its relative moments with it. */
export const startCondition = ({ state, settings, clock: setting }: EnvironmentBlueprint): Condition => {
  const clock = startClock(setting);
  return { state, settings, clock, start: readClock(clock) };
};

export const startClock = ({ mode, now }: ClockSetting): Clock =>
  now === undefined && mode === 'running' ? REAL_TIME : setClock(mode, now ?? readClock(REAL_TIME));

/** Back to the start: data, clock, settings, counters, outbox and events (interface.md, `reset`). */
export const resetEnvironment = (environment: Environment, blueprint = environment.blueprint): void => {
  environment.blueprint = blueprint;
  environment.current = startCondition(blueprint);
  environment.counters.requests = 0;
  environment.counters.accessTokens = 0;
  environment.outbox.clear();
  environment.events.clear();
};

/**
 * Runs one step and commits what follows from it. A throw, in the step or while replying, leaves everything as it was.
 * @param reply sends the outcome before it is committed, so that a reply nobody can be given changes nothing
 */
export const run = <Outcome extends Effects>(
  environment: Environment,
  baseUrl: string,
  step: (state: State, env: Env) => Outcome,
  reply?: (outcome: Outcome) => void,
): Outcome => {
  const { current } = environment;
  const draw = drawFrom(current.state.generator);
  const env = openEnv(environment, baseUrl, draw);
  const outcome = step(current.state, env);
  reply?.(outcome);
  if (outcome.state) environment.current = { ...current, state: { ...outcome.state, generator: draw.state() } };
  for (const email of outcome.emails ?? []) environment.outbox.add(email, env.now);
  for (const change of outcome.changes ?? []) environment.events.add(change, env.now);
  return outcome;
};

const openEnv = (environment: Environment, baseUrl: string, draw: Draw): Env => {
  const { id, name, key, current, counters } = environment;
  const { reserved } = current.state;
  return {
    now: readClock(current.clock),
    start: current.start,
    settings: current.settings,
    baseUrl,
    environment: { id, name },
    id: (prefix) => {
      for (;;) {
        const drawn = drawId(draw, prefix);
        if (!reserved.has(drawn)) return drawn;
      }
    },
    token: () => drawToken(draw),
    seal: (token) => token + key,
    unseal: (token) => (token.endsWith(key) ? token.slice(0, -key.length) : token),
    accessTokenId: () => {
      counters.accessTokens += 1;
      return `${key}.${counters.accessTokens}`;
    },
  };
};
