/**
 * What an environment's calls have used of the contract: the coverage, and what each kind of call sent and got, for the
 * Pact. Stores only names and values from the contract, which limits the size and leaks no data.
 */

import type { Contract } from '../contract/load.ts';
import type { Place } from '../contract/members.ts';

interface UsedCall {
  readonly operation: string;
  /** 0 if the connection was cut. */
  readonly status: number;
  /** Name of the environment's scenario. */
  readonly scenario: string;
  /** The parameters that were sent: without defaults. */
  readonly query: object;
  readonly body?: unknown;
  /** The reply's body. Undefined if the reply is a cached one, from an earlier call. */
  readonly reply?: unknown;
  /** Whether a fault answered in place of the operation. */
  readonly isInjected: boolean;
}

/** The coverage of one operation. Members are paths such as `roles[].name`. */
export interface OperationCounts {
  calls: number;
  /** The number of replies with each status; status 0 stands for a cut connection. */
  readonly statuses: Map<number, number>;
  readonly parameters: Set<string>;
  readonly members: Set<string>;
}

/** All calls of an operation that sent the same members and parameters, and got the same status. */
export interface Interaction {
  readonly operation: string;
  readonly status: number;
  readonly scenario: string;
  readonly query: Shape;
  readonly body: Shape;
  readonly reply: Common;
}

/** How many interactions are kept for an operation and a status: the first ones by their text, in whatever order they come. */
const MOST_INTERACTIONS = 100;

export class UsedContract {
  readonly #contract: Contract;
  readonly coverage = new Map<string, OperationCounts>();
  /** By operation and status, then by what was sent. Never cleared: a Pact covers a whole run, with all its resets. */
  readonly #interactions = new Map<string, Map<string, Interaction>>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** Must be fast, since it runs for every call. */
  record(call: UsedCall): void {
    const { operation, status, body, reply } = call;
    const { query, members, body: place } = this.#contract.operation(operation);
    const counts = getOrMake(this.coverage, operation, newCounts);
    counts.calls += 1;
    count(counts.statuses, status, 1);
    for (const name in call.query) if (query.members.has(name)) counts.parameters.add(name);
    if (counts.members.size < members.length) markNames(counts.members, place, body);
    if (reply !== undefined && isReliedOn(call)) this.#record(call);
  }

  add({ coverage, interactions }: UsedContract): void {
    for (const [operation, { calls, statuses, parameters, members }] of coverage) {
      const counts = getOrMake(this.coverage, operation, newCounts);
      counts.calls += calls;
      for (const [status, times] of statuses) count(counts.statuses, status, times);
      addAll(counts.parameters, parameters);
      addAll(counts.members, members);
    }
    for (const one of interactions) this.#keep(one, () => structuredClone(one.reply));
  }

  get interactions(): readonly Interaction[] {
    return [...this.#interactions.values()].flatMap((known) => [...known.values()]);
  }

  #record({ operation, status, scenario, query, body, reply }: UsedCall): void {
    const described = this.#contract.operation(operation);
    const sent = {
      query: shapeOf(described.query, query),
      body: body === undefined ? null : shapeOf(described.body, body),
    };
    const one = { operation, status, scenario, ...sent, reply };
    this.#keep(one, () => commonOf(described.reply(status), reply));
  }

  /** @param newReply makes the common shape of replies, if no such call came before */
  #keep(one: Omit<Interaction, 'reply'> & { readonly reply: unknown }, newReply: () => Common): void {
    const { operation, status, scenario, query, body } = one;
    const known = getOrMake(this.#interactions, `${operation} ${status}`, newMap<Interaction>);
    const key = JSON.stringify([scenario, query, body]);
    const before = known.get(key);
    if (before) narrow(this.#contract.operation(operation).reply(status), before.reply, one.reply);
    else known.set(key, { ...one, reply: newReply() });
    if (known.size > MOST_INTERACTIONS) known.delete([...known.keys()].sort().at(-1) ?? '');
  }
}

/** The service promises nothing to calls that break its rules, and nobody relies on a fault. */
const isReliedOn = ({ status, isInjected }: UsedCall): boolean =>
  !isInjected && status !== 400 && status !== 413 && status > 0 && status < 500;

const newMap = <Value>(): Map<string, Value> => new Map();
const newCounts = (): OperationCounts => ({
  calls: 0,
  statuses: new Map(),
  parameters: new Set(),
  members: new Set(),
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

/** Adds the paths of a value's members to `seen`. */
const markNames = (seen: Set<string>, place: Place, value: unknown): void => {
  if (Array.isArray(value)) {
    const { items } = place;
    if (items) for (const item of value.slice(0, SEARCHED_ITEMS)) markNames(seen, items, item);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of place.members) {
    if (!Object.hasOwn(value, name)) continue;
    seen.add(member.path);
    markNames(seen, member, Reflect.get(value, name));
  }
};

/** An object or list of shapes; a value that the contract lists, such as `all` or true; null for any other value. */
export type Shape = null | string | number | boolean | readonly Shape[] | { readonly [name: string]: Shape };

/** Only this many items of a list are looked at, since later items seldom have other members. */
const SEARCHED_ITEMS = 20;

/** The shape of a value. A list has each shape of its items once, so that its order and length do not count. */
const shapeOf = (place: Place, value: unknown): Shape => {
  if (Array.isArray(value)) {
    const { items } = place;
    if (!items) return null;
    const shapes = value.slice(0, SEARCHED_ITEMS).map((item) => shapeOf(items, item));
    const byText = new Map(shapes.map((shape) => [JSON.stringify(shape), shape]));
    return [...byText].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, shape]) => shape);
  }
  if (typeof value !== 'object' || value === null) return isListed(place, value) ? (value as Shape) : null; // the cast is safe: a contract lists only plain values
  const { members } = place;
  return members.size === 0 ? null : mapMembers(members, value, shapeOf);
};

/** The members of an object that the contract names, in the order of the contract. */
const mapMembers = <Result>(
  members: Place['members'],
  value: object,
  map: (member: Place, value: unknown) => Result,
): { [name: string]: Result } => {
  const mapped: { [name: string]: Result } = {};
  for (const [name, member] of members)
    if (Object.hasOwn(value, name)) mapped[name] = map(member, Reflect.get(value, name));
  return mapped;
};

const isListed = ({ values, type }: Place, value: unknown): boolean =>
  values.has(value) || type === 'boolean';

/** What replies have in common; a list in it has one item, with what all their items have. It can be narrowed. */
export type Common = null | Common[] | { [name: string]: Common };

/** The common shape of one reply. Members that the contract does not name, such as inside `metadata`, are never common. */
const commonOf = (place: Place, value: unknown): Common => {
  if (Array.isArray(value)) return narrowItems(place.items, [], value);
  if (typeof value !== 'object' || value === null) return null;
  return mapMembers(place.members, value, commonOf);
};

/**
 * Takes out of a common shape what another reply does not have. Runs for every call, so it makes nothing new.
 * @param other the body of the reply, or the common shape of several
 */
const narrow = (place: Place | undefined, common: Common, other: unknown): void => {
  if (typeof common !== 'object' || common === null) return;
  if (Array.isArray(common)) {
    if (Array.isArray(other)) narrowItems(place?.items, common, other);
    return;
  }
  const held: Readonly<Record<string, unknown>> = Object(other);
  for (const name in common) {
    const part = common[name] ?? null;
    if (!Object.hasOwn(held, name)) delete common[name];
    else if (part !== null) narrow(place?.members.get(name), part, held[name]);
  }
};

/** An empty list says nothing about its items. */
const narrowItems = (place: Place | undefined, common: Common[], others: readonly unknown[]): Common[] => {
  for (const other of others.slice(0, SEARCHED_ITEMS)) {
    const [item] = common;
    if (item !== undefined) narrow(place, item, other);
    else if (place) common.push(commonOf(place, other));
  }
  return common;
};
