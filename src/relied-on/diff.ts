/** Compares another version of the contract with what an application relies on. */
import { isJsonObject, lookUpReference } from '../openapi/document.ts';
import { type Contract, type ContractOperation, loadContract } from '../openapi/load.ts';
import { bodyOf } from '../openapi/members.ts';
import {
  accepts,
  isNullable,
  itemsOf,
  memberNames,
  type Place,
  placeAt,
  replyPlace,
  requiredNames,
  typesOf,
  valuesOf,
} from './schema.ts';
import { splitSent, type Used, type UsedOperation, usedOperations } from './used.ts';

export type Effect = 'breaks' | 'may break' | 'new';

export interface Change {
  readonly operation: string;
  readonly effect: Effect;
  /** The parameter, member or status that changes; left out where the whole operation does. */
  readonly member?: string;
  /** What has changed: the rest of the sentence after the member. */
  readonly words: string;
}

type Told = Omit<Change, 'operation'>;
type Described = ContractOperation<string>;

export const compare = (used: Used, other: Contract<string>): readonly Change[] =>
  usedOperations(used).flatMap(([operation, own]) =>
    operationChanges(operation, own, other).map((told) => ({ operation: operation.operationId, ...told })),
  );

const operationChanges = (mine: Described, used: UsedOperation, other: Contract<string>): readonly Told[] => {
  const same = other.operations.find((one) => addressOf(one) === addressOf(mine));
  const theirs = same ?? other.operations.find(({ operationId }) => operationId === mine.operationId);
  if (!theirs) return [{ effect: 'breaks', words: `${nameOf(mine)} is gone` }];
  const moved: Told = { effect: 'breaks', words: `moved from ${nameOf(mine)} to ${nameOf(theirs)}` };
  const pair = { mine, theirs, other };
  return [...(same ? [] : [moved]), ...sentChanges(pair, used), ...gotChanges(pair, used)];
};

const nameOf = ({ method, path }: Described): string => `${method.toUpperCase()} ${path}`;

/** The names of path parameters do not show in a call. */
const addressOf = (operation: Described): string => nameOf(operation).replaceAll(/\{[^{}]*\}/g, '{}');

interface Pair {
  readonly mine: Described;
  readonly theirs: Described;
  readonly other: Contract<string>;
}

const parameterOf = ({ document }: Contract<string>, { parameters }: Described, name: string) => {
  const found = parameters.find((one) => one.name === name && one.in !== 'path');
  return found && { document, schema: found.schema ?? {}, isRequired: found.required === true };
};

const bodyPlace = ({ document }: Contract<string>, { definition }: Described): Place | undefined => {
  const body = bodyOf(document, definition);
  return body && { document, schema: body.schema, isRequired: body.isRequired };
};

/** A parameter or a member of the body. */
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
    if (!after) return [{ effect: 'breaks', member: name, words: 'is sent, and is gone' }];
    return [...sentTypeChanges(before, after, name), ...valueChanges(after, name, value)];
  });
  return [...unique(own), ...neededChanges({ mine, theirs, other }, names)];
};

/** Reports a change of type once, however many values of the parameter are sent. */
const unique = (told: readonly Told[]): readonly Told[] => [
  ...new Map(told.map((one) => [JSON.stringify(one), one])).values(),
];

const sentTypeChanges = (before: Place, after: Place, member: string): readonly Told[] => {
  const [from, to] = [typesOf(before), typesOf(after)];
  if (to.length > 0 && !from.every((type) => accepts(to, type)))
    return [{ effect: 'breaks', member, words: `is sent as ${list(from)}, and must be ${list(to)}` }];
  const tighter = LIMITS.filter(([keyword, isTighter]) => {
    const [old, limit] = [before, after].map((place) => keywordOf(place, keyword));
    return typeof limit === 'number' && (typeof old !== 'number' || isTighter(limit, old));
  });
  return tighter.map(([keyword]) => ({
    effect: 'may break',
    member,
    words: `is sent, and has a tighter ${keyword}: ${keywordOf(after, keyword)}`,
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

const keywordOf = ({ document, schema }: Place, keyword: string): unknown => {
  const target = typeof schema.$ref === 'string' ? lookUpReference(document, schema.$ref) : schema;
  return isJsonObject(target) ? target[keyword] : undefined;
};

const valueChanges = (after: Place, name: string, value: string | undefined): readonly Told[] => {
  const listed = valuesOf(after);
  if (!listed) return [];
  if (value === undefined)
    return [{ effect: 'may break', member: name, words: `is sent, and must be ${list(listed)} now` }];
  if (listed.some((one) => String(one) === value)) return [];
  return [{ effect: 'breaks', member: `${name}=${value}`, words: `is sent, and is no longer listed` }];
};

const list = (values: readonly unknown[]): string => values.join(' or ') || 'anything';

/** Parameters and members that are new: required ones break calls without them. */
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
    ? { effect: 'breaks', member, words: 'is required now, and is not sent' }
    : { effect: 'new', member, words: 'can be sent' };

/** The file lists the members of an object, not the object itself. */
const isSent = (member: string, sent: ReadonlySet<string>): boolean =>
  [...sent].some(
    (name) => name === member || name.startsWith(`${member}.`) || name.startsWith(`${member}[]`),
  );

/** Compares the objects in a body that is sent. @param path of the object */
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

const gotChanges = ({ mine, theirs, other }: Pair, { gets }: UsedOperation): readonly Told[] => [
  ...Object.entries(gets).flatMap(([status, members]): readonly Told[] => {
    const before = replyPlace(loadContract(), mine, status);
    const after = replyPlace(other, theirs, status);
    if (!isAnswered(theirs, status))
      return [{ effect: 'breaks', member: status, words: 'is no longer answered' }];
    return [
      ...members.flatMap((member) => memberChanges(before, after, status, member)),
      ...newMembers(before, after, status, members),
    ];
  }),
  ...newStatuses(mine, theirs),
];

/** `default` stands for errors that are not listed. */
const isAnswered = ({ definition: { responses } }: Described, status: string): boolean =>
  status in responses || `${status[0]}XX` in responses || ('default' in responses && !status.startsWith('2'));

const memberChanges = (
  before: Place | undefined,
  after: Place | undefined,
  status: string,
  path: string,
): readonly Told[] => {
  const member = `${status} ${path}`;
  const was = before && placeAt(before, path);
  const is = after && placeAt(after, path);
  if (!was) return [];
  if (!is) return [{ effect: 'breaks', member, words: 'is read, and is gone' }];
  const [from, to] = [typesOf(was), typesOf(is)];
  if (from.length > 0 && to.length > 0 && !to.some((type) => accepts(from, type)))
    return [{ effect: 'breaks', member, words: `is read as ${list(from)}, and is ${list(to)} now` }];
  const words = [
    ...(was.isRequired && !is.isRequired ? ['may be absent now'] : []),
    ...(isNullable(is) && !isNullable(was) ? ['may be null now'] : []),
    ...(to.every((type) => accepts(from, type)) ? [] : [`may be ${list(to)} now`]),
    ...newValues(valuesOf(was), valuesOf(is)),
  ];
  return words.map((each) => ({ effect: 'may break', member, words: `is read, and ${each}` }));
};

const newValues = (
  was: readonly unknown[] | undefined,
  is: readonly unknown[] | undefined,
): readonly string[] => {
  if (!was) return [];
  if (!is) return ['may have any value now'];
  const added = is.filter((value) => !was.includes(value));
  return added.length > 0 ? [`may be ${list(added)} now`] : [];
};

/** New members of the objects that are read. */
const newMembers = (
  before: Place | undefined,
  after: Place | undefined,
  status: string,
  read: readonly string[],
): readonly Told[] => {
  const objects = new Set(read.map((path) => path.replace(/\.?[^.]*$/, '')));
  return [...objects].flatMap((path) => {
    const was = before && placeAt(before, path);
    const is = after && placeAt(after, path);
    if (!was || !is) return [];
    const known = new Set(memberNames(was));
    return memberNames(is)
      .filter((name) => !known.has(name))
      .map((name) => ({
        effect: 'new' as const,
        member: `${status} ${path ? `${path}.` : ''}${name}`,
        words: 'can be read',
      }));
  });
};

const newStatuses = (mine: Described, theirs: Described): readonly Told[] =>
  Object.keys(theirs.definition.responses)
    .filter((status) => /^\d+$/.test(status) && !(status in mine.definition.responses))
    .map((status) => ({ effect: 'new', member: status, words: 'can be answered' }));
