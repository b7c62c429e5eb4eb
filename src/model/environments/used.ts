/**
 * What an environment's calls have used of the contract: the coverage, and the names that were sent and received.
 * Stores only names from the contract, which limits the size and leaks no data.
 */

import type { Place } from '../../contract/members.ts';
import { surfaceOf } from '../../contract/surfaces.ts';
import type { OperationId } from '../../contract/types.ts';
import { valueAt } from '../../core/object.ts';

interface UsedCall {
  readonly operation: OperationId;
  /** 0 if the connection was cut. */
  readonly status: number;
  /** Names of the query parameters that were sent; `query` can also have default values. */
  readonly sentNames: readonly string[];
  readonly query?: unknown;
  readonly body?: unknown;
  /** The reply's body. Undefined if the reply is a cached one, from an earlier call. */
  readonly reply?: unknown;
  /** Whether the request broke the contract. If so, the names in the request do not count as used. */
  readonly isRefused?: boolean;
}

/** The coverage of one operation. Members are paths such as `roles[].name`. */
export interface OperationCounts {
  calls: number;
  /** The number of replies with each status; status 0 stands for a cut connection. */
  readonly statuses: Map<number, number>;
  readonly parameters: Set<string>;
  readonly members: Set<string>;
}

interface NamesOfOperation {
  /** Parameters and members that requests sent; also `name=value` for values that the contract lists. */
  readonly sends: Set<string>;
  /** The members of replies, by status. */
  readonly gets: Map<number, Set<string>>;
}

type UsedNames = Map<OperationId, NamesOfOperation>;

export class UsedContract {
  readonly coverage = new Map<OperationId, OperationCounts>();
  /** Never cleared: a report of these names covers a whole test run, in which the environment is often reset. */
  readonly names: UsedNames = new Map();

  /** Must be fast, since it runs for every call. */
  record({ operation, status, sentNames, query, body, reply, isRefused }: UsedCall): void {
    const surface = surfaceOf(operation);
    const counts = getOrMake(this.coverage, operation, newCounts);
    counts.calls += 1;
    count(counts.statuses, status, 1);
    for (const name of sentNames) if (surface.query.members.has(name)) counts.parameters.add(name);
    if (counts.members.size < surface.members.length) markNames(counts.members, surface.body, body);
    const { sends, gets } = getOrMake(this.names, operation, newNames);
    if (!isRefused) {
      markSent(sends, surface.query, pick(query, sentNames));
      markSent(sends, surface.body, body);
    }
    if (status !== 0) markNames(getOrMake(gets, status, newSet), surface.reply(status), reply);
  }

  add({ coverage, names }: UsedContract): void {
    for (const [operation, { calls, statuses, parameters, members }] of coverage) {
      const counts = getOrMake(this.coverage, operation, newCounts);
      counts.calls += calls;
      for (const [status, times] of statuses) count(counts.statuses, status, times);
      addAll(counts.parameters, parameters);
      addAll(counts.members, members);
    }
    for (const [operation, { sends, gets }] of names) {
      const known = getOrMake(this.names, operation, newNames);
      addAll(known.sends, sends);
      for (const [status, members] of gets) addAll(getOrMake(known.gets, status, newSet), members);
    }
  }
}

const newSet = (): Set<string> => new Set();
const newNames = (): NamesOfOperation => ({ sends: newSet(), gets: new Map() });
const newCounts = (): OperationCounts => ({
  calls: 0,
  statuses: new Map(),
  parameters: newSet(),
  members: newSet(),
});

const getOrMake = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
};

const count = (statuses: Map<number, number>, status: number, times: number): void =>
  void statuses.set(status, (statuses.get(status) ?? 0) + times);

const addAll = (set: Set<string>, more: Iterable<string>): void => {
  for (const one of more) set.add(one);
};

const pick = (values: unknown, names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, valueAt(values, name)]));

/** Only this many items of a list are searched for names, since later items seldom have other members. */
const SEARCHED_ITEMS = 20;

/** Adds the paths of a value's members to `seen`. @param markValue called for the value and everything within it */
const markNames = (
  seen: Set<string>,
  place: Place,
  value: unknown,
  markValue?: (place: Place, value: unknown) => void,
): void => {
  if (Array.isArray(value)) {
    const { items } = place;
    if (items) for (const item of value.slice(0, SEARCHED_ITEMS)) markNames(seen, items, item, markValue);
    return;
  }
  markValue?.(place, value);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of place.members) {
    if (!Object.hasOwn(value, name)) continue;
    seen.add(member.path);
    markNames(seen, member, Reflect.get(value, name), markValue);
  }
};

/** Like `markNames`, but also adds `name=value` for each sent value that the contract lists. */
const markSent = (seen: Set<string>, place: Place, sent: unknown): void =>
  markNames(seen, place, sent, ({ path, values }, value) => {
    if (values.has(value)) seen.add(`${path}=${String(value)}`);
  });

/** The names by operation. */
export interface UsedOperations {
  readonly [operation: string]: {
    readonly sends: string[];
    readonly gets: { readonly [status: string]: string[] };
  };
}

/** The names of each operation. Sorted, so that the order of calls changes nothing. */
export const presentUsed = ({ names }: UsedContract): UsedOperations => {
  const operations = [...names].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    operations.map(([operation, { sends, gets }]) => [
      operation,
      {
        sends: presentNames(sends),
        gets: Object.fromEntries([...gets].map(([status, members]) => [status, presentNames(members)])),
      },
    ]),
  );
};

/** Sorts the names, and leaves out `roles` if a longer name such as `roles[].name` is in the set. */
const presentNames = (names: ReadonlySet<string>): string[] => {
  const holders = new Set([...names].flatMap((name) => holdersOf(name)));
  return [...names].filter((name) => !holders.has(name)).sort();
};

/** Cuts a name before each `[]`, `.` and `=`: `roles[].name=x` gives `roles`, `roles[]` and `roles[].name`. */
const holdersOf = (name: string): string[] =>
  Array.from(name.matchAll(/\[\]|[.=]/g), ({ index }) => name.slice(0, index));
