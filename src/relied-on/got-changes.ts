/** Compares the replies of an operation with what an application reads from them. */
import { loadContract } from '../openapi/load.ts';
import { type Described, list, type Pair, type Told } from './change.ts';
import {
  accepts,
  isNullable,
  memberNames,
  type Place,
  placeAt,
  replyPlace,
  typesOf,
  valuesOf,
} from './schema.ts';
import type { UsedOperation } from './used.ts';

export const gotChanges = ({ mine, theirs, other }: Pair, { gets }: UsedOperation): readonly Told[] => [
  ...Object.entries(gets).flatMap(([status, members]): readonly Told[] => {
    const before = replyPlace(loadContract(), mine, status);
    const after = replyPlace(other, theirs, status);
    if (!isAnswered(theirs, status))
      return [{ effect: 'breaks', member: status, words: 'is no longer returned' }];
    return [
      ...members.flatMap((member) => memberChanges(before, after, status, member)),
      ...newMembers(before, after, status, members),
    ];
  }),
  ...newStatuses(mine, theirs),
];

/**
 * Whether the contract has a reply for this status. Its `default` reply covers error statuses that it does not list.
 */
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
  if (!is) return [{ effect: 'breaks', member, words: 'is read, but was removed' }];
  const [from, to] = [typesOf(was), typesOf(is)];
  if (from.length > 0 && to.length > 0 && !to.some((type) => accepts(from, type)))
    return [{ effect: 'breaks', member, words: `is read as ${list(from)}, but is now ${list(to)}` }];
  const words = [
    ...(was.isRequired && !is.isRequired ? ['may be absent now'] : []),
    ...(isNullable(is) && !isNullable(was) ? ['may be null now'] : []),
    ...(to.every((type) => accepts(from, type)) ? [] : [`may be ${list(to)} now`]),
    ...newValues(valuesOf(was), valuesOf(is)),
  ];
  return words.map((each) => ({ effect: 'may break', member, words: `is read, but ${each}` }));
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

/** Reports members that the other contract adds to objects that the application reads. */
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
    .map((status) => ({ effect: 'new', member: status, words: 'can be returned' }));
