/**
 * Runs the pure core in tests: makes states from rows, and calls operations in an environment whose clock shows a fixed
 * time. Each call returns the next state.
 */

import { Refusal } from '../../src/engine/core/errors.ts';
import { type Draw, drawFrom, environmentKey } from '../../src/engine/core/ids.ts';
import { instantAt } from '../../src/engine/core/moment.ts';
import type { Table } from '../../src/engine/core/table.ts';
import { putRows } from '../../src/engine/core/table.ts';
import type { Change, EmailMessage } from '../../src/engine/operation.ts';
import type { Answer, InputFor, OperationId } from '../../src/service/contract.ts';
import { operations } from '../../src/service/operations.ts';
import { type SettingValues, settings } from '../../src/service/settings.ts';
import { emptyState, type State } from '../../src/service/state.ts';
import type { Env, ServiceEffects } from '../../src/service/types.ts';

/** The start of every test environment, and the default time of its clock. */
export const START = Date.UTC(2026, 2, 1, 12);
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Options of the environment for one call. */
export interface Options {
  /** The time of the clock, in epoch milliseconds. Default: `START`. */
  readonly now?: number;
  readonly start?: number;
  readonly settings?: Partial<SettingValues>;
  readonly baseUrl?: string;
  /** The Host header. */
  readonly host?: string | undefined;
  readonly environment?: { readonly id: string; readonly name: string };
}

const ENVIRONMENT = { id: 'env_100000000000000001', name: 'development' };

/** The environment for one request. Ids come from `draw`. */
const openEnv = (draw: Draw, options: Options = {}): Env => {
  const environment = options.environment ?? ENVIRONMENT;
  const key = environmentKey(environment.id);
  let accessTokens = 0;
  return {
    ...instantAt(options.now ?? START, options.start ?? START),
    settings: { ...settings.defaults, ...options.settings },
    baseUrl: options.baseUrl ?? 'http://mock.local',
    host: options.host,
    environment,
    warn: () => {},
    id: draw.id,
    token: () => draw.token(),
    withEnvironmentKey: (token) => token + key,
    withoutEnvironmentKey: (token) => (token.endsWith(key) ? token.slice(0, -key.length) : token),
    accessTokenId: () => {
      accessTokens += 1;
      return `${key}.${accessTokens}`;
    },
  };
};

/** The result of one step: the next state (unchanged after a read), and the effects. */
interface Step {
  readonly state: State;
  readonly changes: readonly Change[];
  readonly emails: readonly EmailMessage[];
}

type Success<Id extends OperationId> = Extract<Answer<Id>, { readonly status: 200 | 201 }>;

/** Calls an operation as the server does after validation. Throws a Refusal, which `refusal` catches. */
export const call = <Id extends OperationId>(
  state: State,
  operationId: Id,
  input: Partial<InputFor<Id>> = {},
  options?: Options,
): Success<Id> & Step => {
  const whole = { path: {}, query: {}, body: {}, ...input } as InputFor<Id>; // tests leave out only parts that the contract leaves empty
  const draw = drawFrom(state.generator);
  const answer: ServiceEffects & Answer<Id> = operations[operationId](state, whole, openEnv(draw, options));
  return {
    ...(answer as Success<Id>), // after any other answer, the expectations of the test fail
    state: answer.state ? { ...answer.state, generator: draw.state() } : state,
    changes: answer.changes ?? [],
    emails: answer.emails ?? [],
  };
};

/** The Refusal that `attempt` throws. Any other outcome fails the test. */
export const refusal = (attempt: () => unknown): Refusal => {
  try {
    attempt();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('The attempt was not refused.');
};

/** The fields that a refusal names. */
export const refusedFields = (attempt: () => unknown) =>
  refusal(attempt).extras.violations?.map(({ field }) => field);

type Tables = {
  readonly [Name in keyof State as State[Name] extends Table<infer _Row, infer _Index>
    ? Name
    : never]: State[Name];
};
type RowOf<Held> = Held extends { readonly rows: { values(): IterableIterator<infer Row> } } ? Row : never;
type Rows = { readonly [Name in keyof Tables]?: readonly RowOf<Tables[Name]>[] };

/** A state with these rows, added to `base` (default: an empty state with seed 1). */
export const stateOf = (rows: Rows, base: State = emptyState(1)): State => {
  const tables = Object.entries(rows).map(([name, added]) => {
    const table = base[name as keyof Tables] as Table<unknown, string>; // the type Rows ensures that the rows belong to the table
    return [name, putRows(table, added)];
  });
  return { ...base, ...Object.fromEntries(tables) };
};
