/** The names of the contract that an environment's calls have sent and received, as `used.json` lists them. */

import type { Place } from '../../contract/place.ts';
import type { Surface } from '../../contract/surfaces.ts';
import type { OperationId } from '../../contract/types.ts';
import { valueAt } from '../../core/object.ts';

/** The recorded part of a call. */
export interface UsedCall {
  readonly operation: OperationId;
  /** 0 if the connection was cut. */
  readonly status: number;
  /** Names of the query parameters that were sent; `query` can also have default values. */
  readonly sentNames: readonly string[];
  readonly query?: unknown;
  /** The parsed body. */
  readonly body?: unknown;
  /** The reply's body. Undefined if the reply is a cached one, from an earlier call. */
  readonly reply?: unknown;
  /** Whether the request broke the contract. If so, the names in the request do not count as used. */
  readonly isRefused?: boolean;
}

/** The members and parameters of one operation that calls used, as paths such as `roles[].name`. */
interface NamesOfOperation {
  /** Parameters and members that requests sent; also `name=value` for values that the contract lists. */
  readonly sends: Set<string>;
  /** The members of replies, by status. */
  readonly gets: Map<number, Set<string>>;
}

export type UsedNames = Map<OperationId, NamesOfOperation>;

/** The member `operations` of the file `used.json`. */
export interface UsedOperations {
  readonly [operation: string]: {
    readonly sends: string[];
    readonly gets: { readonly [status: string]: string[] };
  };
}

/** Must be fast, since it runs for every call. */
export const recordNames = (
  names: UsedNames,
  surface: Surface,
  { operation, status, sentNames, query, body, reply, isRefused }: UsedCall,
): void => {
  const { sends, gets } = namesOf(names, operation);
  if (!isRefused) {
    markSent(sends, surface.query, pick(query, sentNames));
    markSent(sends, surface.body, body);
  }
  if (status !== 0) markNames(getOrMake(gets, status, newSet), surface.reply(status), reply);
};

export const addNames = (names: UsedNames, more: UsedNames): void => {
  for (const [operation, { sends, gets }] of more) {
    const known = namesOf(names, operation);
    addAll(known.sends, sends);
    for (const [status, members] of gets) addAll(getOrMake(known.gets, status, newSet), members);
  }
};

/** The names in the shape of `used.json`. Sorted, so that the order of calls does not change the file. */
export const presentUsed = (used: UsedNames): UsedOperations => {
  const operations = [...used].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    operations.map(([operation, { sends, gets }]) => [
      operation,
      {
        sends: presentNames(sends),
        gets: Object.fromEntries([...gets].map(([status, names]) => [status, presentNames(names)])),
      },
    ]),
  );
};

const namesOf = (names: UsedNames, operation: OperationId): NamesOfOperation =>
  getOrMake(names, operation, () => ({ sends: newSet(), gets: new Map() }));

/** Sorts the names, and leaves out `roles` if a longer name such as `roles[].name` is in the set. */
const presentNames = (names: ReadonlySet<string>): string[] => {
  const holders = new Set([...names].flatMap((name) => holdersOf(name)));
  return [...names].filter((name) => !holders.has(name)).sort();
};

/** Cuts a name before each `[]`, `.` and `=`: `roles[].name=x` gives `roles`, `roles[]` and `roles[].name`. */
const holdersOf = (name: string): string[] =>
  Array.from(name.matchAll(/\[\]|[.=]/g), ({ index }) => name.slice(0, index));

const pick = (values: unknown, names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, valueAt(values, name)]));

/** Only this many items of a list are searched for names, since later items seldom have other members. */
const SEARCHED_ITEMS = 20;

/** Adds the paths of a value's members to `seen`. @param markValue called for the value and everything within it */
export const markNames = (
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

export const newSet = (): Set<string> => new Set();

export const addAll = (set: Set<string>, more: Iterable<string>): void => {
  for (const one of more) set.add(one);
};

export const getOrMake = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
};
