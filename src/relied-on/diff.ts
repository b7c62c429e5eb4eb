/** Compares another version of the contract with what an application relies on. */
import { type Contract, loadContract } from '../openapi/load.ts';
import { bodyOf } from '../openapi/members.ts';
import { type Change, type Described, list, type Pair, type Told } from './change.ts';
import { gotChanges } from './got-changes.ts';
import {
  accepts,
  follow,
  itemsOf,
  memberNames,
  type Place,
  placeAt,
  requiredNames,
  typesOf,
  valuesOf,
} from './schema.ts';
import { splitSent, type Used, type UsedOperation, usedOperations } from './used.ts';

export const compare = (used: Used, other: Contract<string>): readonly Change[] =>
  usedOperations(used).flatMap(([operation, own]) =>
    operationChanges(operation, own, other).map((told) => ({ operation: operation.operationId, ...told })),
  );

const operationChanges = (mine: Described, used: UsedOperation, other: Contract<string>): readonly Told[] => {
  const same = other.operations.find((one) => addressOf(one) === addressOf(mine));
  const theirs = same ?? other.operations.find(({ operationId }) => operationId === mine.operationId);
  if (!theirs) return [{ effect: 'breaks', words: `${nameOf(mine)} was removed` }];
  const moved: Told = { effect: 'breaks', words: `moved from ${nameOf(mine)} to ${nameOf(theirs)}` };
  const pair = { mine, theirs, other };
  return [...(same ? [] : [moved]), ...sentChanges(pair, used), ...gotChanges(pair, used)];
};

const nameOf = ({ method, path }: Described): string => `${method.toUpperCase()} ${path}`;

/** The method and path without parameter names, which a call does not contain. */
const addressOf = (operation: Described): string => nameOf(operation).replaceAll(/\{[^{}]*\}/g, '{}');

const parameterOf = ({ document }: Contract<string>, { parameters }: Described, name: string) => {
  const found = parameters.find((one) => one.name === name && one.in !== 'path');
  return found && { document, schema: found.schema ?? {}, isRequired: found.required === true };
};

const bodyPlace = ({ document }: Contract<string>, { definition }: Described): Place | undefined => {
  const body = bodyOf(document, definition);
  return body && { document, schema: body.schema, isRequired: body.isRequired };
};

/** Finds a parameter, or a member of the body, in the contract. */
const sentPlace = (contract: Contract<string>, operation: Described, name: string): Place | undefined => {
  const body = bodyPlace(contract, operation);
  return parameterOf(contract, operation, name) ?? (body && placeAt(body, name));
};

const sentChanges = ({ mine, theirs, other }: Pair, { sends }: UsedOperation): readonly Told[] => {
  const names = new Set(sends.map((sent) => splitSent(sent).name));
  const own = sends.flatMap((sent): readonly Told[] => {
    const { name, value } = splitSent(sent);
    const before = sentPlace(loadContract(), mine, name);
    const after = sentPlace(other, theirs, name);
    if (!before) return [];
    if (!after) return [{ effect: 'breaks', member: name, words: 'is sent, but was removed' }];
    return [...sentTypeChanges(before, after, name), ...valueChanges(after, name, value)];
  });
  return [...unique(own), ...neededChanges({ mine, theirs, other }, names)];
};

/**
 * Keeps each change once: a parameter that is sent with several values would report a change of type for each value.
 */
const unique = (told: readonly Told[]): readonly Told[] => [
  ...new Map(told.map((one) => [JSON.stringify(one), one])).values(),
];

const sentTypeChanges = (before: Place, after: Place, member: string): readonly Told[] => {
  const [from, to] = [typesOf(before), typesOf(after)];
  if (to.length > 0 && !from.every((type) => accepts(to, type)))
    return [{ effect: 'breaks', member, words: `is sent as ${list(from)}, but must now be ${list(to)}` }];
  const tighter = LIMITS.filter(([keyword, isTighter]) => {
    const [old, limit] = [before, after].map((place) => keywordOf(place, keyword));
    return typeof limit === 'number' && (typeof old !== 'number' || isTighter(limit, old));
  });
  return tighter.map(([keyword]) => ({
    effect: 'may break',
    member,
    words: `is sent, but its limit is now tighter: ${keyword} ${keywordOf(after, keyword)}`,
  }));
};

const isLess = (limit: number, old: number): boolean => limit < old;
const isMore = (limit: number, old: number): boolean => limit > old;
const LIMITS = [
  ['maxLength', isLess],
  ['maximum', isLess],
  ['maxItems', isLess],
  ['minLength', isMore],
  ['minimum', isMore],
  ['minItems', isMore],
] as const;

const keywordOf = ({ document, schema }: Place, keyword: string): unknown =>
  follow(document, schema)[keyword];

const valueChanges = (after: Place, name: string, value: string | undefined): readonly Told[] => {
  const listed = valuesOf(after);
  if (!listed) return [];
  if (value === undefined)
    return [{ effect: 'may break', member: name, words: `is sent, but must now be ${list(listed)}` }];
  if (listed.some((one) => String(one) === value)) return [];
  return [
    { effect: 'breaks', member: `${name}=${value}`, words: `is sent, but is no longer a listed value` },
  ];
};

/** Reports parameters and body members that the other contract adds. If it requires them, calls without them break. */
const neededChanges = ({ mine, theirs, other }: Pair, sent: ReadonlySet<string>): readonly Told[] => {
  const parameters = theirs.parameters
    .filter(({ name, in: where }) => where === 'query' && !parameterOf(loadContract(), mine, name))
    .map(({ name, required }) => newSent(name, required === true));
  const [before, after] = [bodyPlace(loadContract(), mine), bodyPlace(other, theirs)];
  return [...parameters, ...(after ? neededMembers(before, after, '', sent) : [])].filter(
    ({ member = '' }) => !isSent(member, sent),
  );
};

const newSent = (member: string, isRequired: boolean): Told =>
  isRequired
    ? { effect: 'breaks', member, words: 'is now required, but is not sent' }
    : { effect: 'new', member, words: 'can be sent' };

/** Whether an application sends a member. It sends an object if the file lists a member of that object. */
const isSent = (member: string, sent: ReadonlySet<string>): boolean =>
  [...sent].some(
    (name) => name === member || name.startsWith(`${member}.`) || name.startsWith(`${member}[]`),
  );

/** Compares the objects in a body that is sent. @param path the place of the object in the body */
const neededMembers = (
  before: Place | undefined,
  after: Place,
  path: string,
  sent: ReadonlySet<string>,
): readonly Told[] => {
  const items = itemsOf(after);
  if (items) return neededMembers(before && itemsOf(before), items, `${path}[]`, sent);
  const required = new Set(requiredNames(after));
  const known = new Set(before ? memberNames(before) : []);
  const wasRequired = new Set(before ? requiredNames(before) : []);
  return memberNames(after).flatMap((name) => {
    const at = path === '' ? name : `${path}.${name}`;
    if (isSent(at, sent)) {
      const inside = placeAt(after, name);
      return inside ? neededMembers(before && placeAt(before, name), inside, at, sent) : [];
    }
    if (required.has(name) && !wasRequired.has(name)) return [newSent(at, true)];
    return known.has(name) ? [] : [newSent(at, false)];
  });
};
