/**
 * What calls have used of the contract: the coverage, and what each kind of call sent and got, for the Pact. Stores only
 * names and values from the contract, which limits the size and leaks no data.
 */
import type { Contract, ContractOperation } from '../contract/load.ts';
import type { Place } from '../contract/members.ts';
import { isJsonObject, type JsonValue, valueAt } from '../core/object.ts';

interface UsedCall {
  readonly operation: string;
  /** 0 if the connection was cut. */
  readonly status: number;
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

interface Sent {
  readonly query: JsonValue;
  readonly body: JsonValue;
  /** The scenario and what was sent, as a text. */
  readonly key: string;
}

/** All calls of an operation that sent the same members and parameters, and got the same status. */
export interface Interaction extends Sent {
  readonly operation: string;
  readonly status: number;
  readonly scenario: string;
  /** The shape that the replies have in common. */
  readonly reply: JsonValue;
}

/** How many interactions are kept for an operation and a status: the first ones by their text, in whatever order they come. */
const MOST_INTERACTIONS = 100;

export class UsedContract {
  readonly coverage = new Map<string, OperationCounts>();
  readonly #contract: Contract;
  readonly #counting: readonly UsedContract[];
  /** By operation and status, then by what was sent. Never cleared: a Pact covers a whole run, with all its resets. */
  readonly #interactions = new Map<string, Map<string, Interaction>>();

  /** @param total counts each call too, so that it outlives the environment */
  constructor(contract: Contract, total?: UsedContract) {
    this.#contract = contract;
    this.#counting = total ? [this, total] : [this];
  }

  /** Must be fast, since it runs for every call. */
  record(call: UsedCall): void {
    const operation = this.#contract.operation(call.operation);
    for (const used of this.#counting) used.#count(operation, call);
    if (!isReliedOn(call)) return;
    const sent = sentIn(operation, call);
    // The total has seen all calls of its environments, so a known call of an environment is known to the total.
    this.#counting.every((used) => used.#learn(operation, call, sent));
  }

  get interactions(): readonly Interaction[] {
    return [...this.#interactions.values()].flatMap((known) => [...known.values()]);
  }

  #count({ query, body, members }: ContractOperation, call: UsedCall): void {
    const counts: OperationCounts = this.coverage.get(call.operation) ?? {
      calls: 0,
      statuses: new Map(),
      parameters: new Set(),
      members: new Set(),
    };
    this.coverage.set(call.operation, counts);
    counts.calls += 1;
    counts.statuses.set(call.status, (counts.statuses.get(call.status) ?? 0) + 1);
    for (const name in call.query) if (query.members.has(name)) counts.parameters.add(name);
    if (counts.members.size < members.length) markNames(counts.members, body, call.body);
  }

  /** @returns whether the call was news: the first of its kind, or without a member that all earlier replies had */
  #learn(
    described: ContractOperation,
    { operation, status, scenario, reply }: UsedCall,
    sent: Sent,
  ): boolean {
    const kind = `${operation} ${status}`;
    const known = this.#interactions.get(kind) ?? new Map<string, Interaction>();
    this.#interactions.set(kind, known);
    const before = known.get(sent.key);
    if (before && hasAll(before.reply, reply)) return false;
    const common = commonOf(described.reply(status), before ? [before.reply, reply] : [reply]);
    known.set(sent.key, { operation, status, scenario, reply: common, ...sent });
    if (known.size > MOST_INTERACTIONS) known.delete([...known.keys()].sort().at(-1) ?? '');
    return true;
  }
}

/** The service promises nothing to calls that break its rules, and nobody relies on a fault. */
const isReliedOn = ({ status, isInjected, reply }: UsedCall): boolean =>
  reply !== undefined && !isInjected && status !== 400 && status !== 413 && status > 0 && status < 500;

const sentIn = (operation: ContractOperation, { scenario, query: sentQuery, body: sent }: UsedCall): Sent => {
  const query = shapeOf(operation.query, sentQuery);
  const body = sent === undefined ? null : shapeOf(operation.body, sent);
  return { query, body, key: JSON.stringify([scenario, query, body]) };
};

/** Only this many items of a list are looked at, since later items seldom have other members. */
const SEARCHED_ITEMS = 20;

const markNames = (seen: Set<string>, place: Place | undefined, value: unknown): void => {
  if (Array.isArray(value))
    for (const item of value.slice(0, SEARCHED_ITEMS)) markNames(seen, place?.items, item);
  else if (isJsonObject(value))
    for (const [name, member] of place?.members ?? []) {
      if (!Object.hasOwn(value, name)) continue;
      seen.add(member.path);
      markNames(seen, member, value[name]);
    }
};

/**
 * The shape of a value: an object or list of shapes; a value that the contract lists, such as `all` or true; null for any
 * other value. A list has each shape of its items once, so that its order and length do not count.
 */
const shapeOf = ({ items, members, values, type }: Place, value: unknown): JsonValue => {
  if (Array.isArray(value)) {
    const shapes = items ? value.slice(0, SEARCHED_ITEMS).map((item) => shapeOf(items, item)) : [];
    const byText = new Map(shapes.map((shape) => [JSON.stringify(shape), shape]));
    return items ? [...byText].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one) : null;
  }
  if (isJsonObject(value)) {
    if (members.size === 0) return null;
    const shape: Record<string, JsonValue> = {};
    for (const [name, member] of members)
      if (Object.hasOwn(value, name)) shape[name] = shapeOf(member, value[name]);
    return shape;
  }
  return values.has(value) || type === 'boolean' ? (value as JsonValue) : null; // the cast is safe: a contract lists only plain values
};

/**
 * The shape that several values have in common; a list in it has one item, with what all items have. A shape is a value
 * too. Members that the contract does not name, such as inside `metadata`, are never common.
 */
const commonOf = (place: Place, values: readonly unknown[]): JsonValue => {
  const [first] = values;
  if (Array.isArray(first)) {
    const items = values.flatMap((list) => (Array.isArray(list) ? list.slice(0, SEARCHED_ITEMS) : []));
    return place.items && items.length > 0 ? [commonOf(place.items, items)] : [];
  }
  if (!isJsonObject(first)) return null;
  const common: Record<string, JsonValue> = {};
  for (const [name, member] of place.members)
    if (values.every((value) => Object.hasOwn(Object(value), name)))
      common[name] = commonOf(
        member,
        values.map((value) => valueAt(value, name)),
      );
  return common;
};

/** Whether a reply has all that earlier ones have in common, so that most calls make nothing new. */
const hasAll = (common: unknown, reply: unknown): boolean => {
  if (Array.isArray(common)) {
    if (!Array.isArray(reply) || common.length === 0) return Array.isArray(reply) && reply.length === 0;
    return reply.slice(0, SEARCHED_ITEMS).every((item) => hasAll(common[0], item));
  }
  if (!isJsonObject(common)) return true;
  if (!isJsonObject(reply)) return false;
  for (const name in common)
    if (reply[name] === undefined || !hasAll(common[name], reply[name])) return false;
  return true;
};
