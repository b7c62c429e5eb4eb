/**
 * What an application relies on: the parameters and members that its calls send, and the members of the replies it
 * gets. Stores only names of the contract, so that no data can leak.
 */
import { valueAt } from '../core/object.ts';
import type { Place, Surfaces } from '../openapi/members.ts';
import type { OperationId } from '../openapi/types.ts';

/** The recorded part of a call. */
export interface UsedCall {
  readonly operation: OperationId;
  /** 0 if the connection was cut. */
  readonly status: number;
  /** Names of the query parameters that were sent; `query` may hold defaults too. */
  readonly sentNames: readonly string[];
  readonly query: unknown;
  readonly body: unknown;
  /** The reply's body; undefined if an earlier call recorded the same reply. */
  readonly reply: unknown;
  /** Whether the request broke a rule of the contract; what it sent then does not count. */
  readonly isRefused: boolean;
}

/** Paths such as `roles[].name`, with `=value` if the contract lists the values. */
interface UsedNames {
  readonly sends: Set<string>;
  /** The members that replies had, by the status of the reply. */
  readonly gets: Map<number, Set<string>>;
}

export interface Usage {
  /** Adds a call; runs on every call. */
  record(call: UsedCall): void;
  /** Adds the names of another usage. */
  add(other: Usage): void;
  operations(): ReadonlyMap<OperationId, UsedNames>;
}

/** The form of the file `used.json`. */
export interface Used {
  readonly [operation: string]: {
    readonly sends: string[];
    readonly gets: { readonly [status: string]: string[] };
  };
}

export const createUsage = (surfaces: Surfaces): Usage => {
  const used = new Map<OperationId, UsedNames>();
  const namesOf = (operation: OperationId): UsedNames =>
    getOrMake(used, operation, () => ({ sends: new Set(), gets: new Map() }));
  return {
    record: ({ operation, status, sentNames, query, body, reply, isRefused }) => {
      const surface = surfaces.of(operation);
      const { sends, gets } = namesOf(operation);
      if (!isRefused) {
        markSent(sends, surface.query, pick(query, sentNames));
        markSent(sends, surface.body, body);
      }
      if (status !== 0) markNames(getOrMake(gets, status, newSet), surface.reply(status), reply);
    },
    add: (other) => {
      for (const [operation, { sends, gets }] of other.operations()) {
        const names = namesOf(operation);
        addAll(names.sends, sends);
        for (const [status, members] of gets) addAll(getOrMake(names.gets, status, newSet), members);
      }
    },
    operations: () => used,
  };
};

/** Usage as `used.json` shows it; sorted, so that the same calls give the same text in any order. */
export const presentUsage = (usage: Usage): Used =>
  Object.fromEntries(
    [...usage.operations()]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([operation, { sends, gets }]) => [
        operation,
        {
          sends: presentNames(sends),
          gets: Object.fromEntries([...gets].map(([status, names]) => [status, presentNames(names)])),
        },
      ]),
  );

/** Leaves out an object or list if one of its members is in the set, since the member's path already includes it. */
const presentNames = (names: ReadonlySet<string>): string[] => {
  const holders = new Set([...names].flatMap((name) => holdersOf(name)));
  return [...names].filter((name) => !holders.has(name)).sort();
};

/** The names around a name: `a[].b` is within `a[]` and `a`, and `a=x` within `a`. */
const holdersOf = (name: string): string[] =>
  Array.from(name.matchAll(/\[\]|[.=]/g), ({ index }) => name.slice(0, index));

const pick = (values: unknown, names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, valueAt(values, name)]));

/** The number of items of a list that are searched; later items seldom have other members. */
const ITEMS = 20;

/**
 * Adds the paths of the members that a value has to `seen`.
 * @param markValue called for the value and everything within it
 */
export const markNames = (
  seen: Set<string>,
  place: Place,
  value: unknown,
  markValue?: (place: Place, value: unknown) => void,
): void => {
  if (Array.isArray(value)) {
    for (const item of value.slice(0, ITEMS)) markNames(seen, place, item, markValue);
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

/** Adds the paths of members to `seen`, and their values if the contract lists them. */
const markSent = (seen: Set<string>, place: Place, sent: unknown): void =>
  markNames(seen, place, sent, ({ path, values }, value) => {
    if (values.has(value)) seen.add(`${path}=${String(value)}`);
  });

const newSet = (): Set<string> => new Set();

const addAll = (set: Set<string>, more: Iterable<string>): void => {
  for (const one of more) set.add(one);
};

const getOrMake = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
};
