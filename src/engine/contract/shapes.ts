/** Which of the contract's members and listed values a value had. Keeps no other data. */
import { membersOf, type Place } from './members.ts';

/** An object or list of shapes; a value that the contract lists, such as `all` or true; null for any other value. */
export type Shape = null | string | number | boolean | readonly Shape[] | { readonly [name: string]: Shape };

/** Only this many items of a list are looked at, since later items seldom have other members. */
export const SEARCHED_ITEMS = 20;

/** The shape of a value. A list has each shape of its items once, so that its order and length do not count. */
export const shapeOf = (place: Place, value: unknown): Shape => {
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

const isListed = ({ values, document, schema }: Place, value: unknown): boolean =>
  values.has(value) || membersOf(document, schema).type === 'boolean';

/** What replies have in common; a list in it has one item, with what all their items have. It can be narrowed. */
export type Common = null | Common[] | { [name: string]: Common };

/** The common shape of one reply. Members that the contract does not name, such as inside `metadata`, are never common. */
export const commonOf = (place: Place, value: unknown): Common => {
  if (Array.isArray(value)) return narrowItems(place.items, [], value);
  if (typeof value !== 'object' || value === null) return null;
  return mapMembers(place.members, value, commonOf);
};

/**
 * Takes out of a common shape what another reply does not have. Runs for every call, so it makes nothing new.
 * @param other the body of the reply, or the common shape of several
 */
export const narrow = (place: Place | undefined, common: Common, other: unknown): void => {
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
