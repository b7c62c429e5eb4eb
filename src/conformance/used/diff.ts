/** For `ca-mock diff`: compares what an application relies on with another version of the contract. */
import { follow } from '../../contract/document.ts';
import { type Contract, type ContractOperation, loadContract } from '../../contract/load.ts';
import {
  accepts,
  ITEMS,
  isNullable,
  membersAt,
  type Place,
  placeAt,
  replyPlace,
  sentPlace,
  typesOf,
  valuesOf,
} from './schema.ts';
import { splitSent, type Used, type UsedOperation, usedOperations } from './used.ts';

const EFFECTS = ['breaks', 'may break', 'new'] as const;
type Effect = (typeof EFFECTS)[number];

/** A change of the contract that affects an application. */
export interface Change {
  readonly operation: string;
  readonly effect: Effect;
  /** The parameter, member or status that changes. Absent if the whole operation changes. */
  readonly member?: string;
  /** What has changed. The report prints this text after the member, to complete a sentence. */
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
  if (!theirs) return [{ effect: 'breaks', words: `${nameOf(mine)} was removed from the contract` }];
  const moved: Told = { effect: 'breaks', words: `moved from ${nameOf(mine)} to ${nameOf(theirs)}` };
  const own = loadContract();
  return [
    ...(same ? [] : [moved]),
    ...sentChanges(sentPlace(own, mine), sentPlace(other, theirs), used.sends),
    ...Object.entries(used.gets).flatMap(([status, members]): readonly Told[] => {
      if (!isAnswered(theirs, status)) return [breaks(status, 'is no longer returned')];
      const [before, after] = [replyPlace(own, mine, status), replyPlace(other, theirs, status)];
      return before ? gotChanges(before, after, status, members) : [];
    }),
    ...newStatuses(mine, theirs),
  ];
};

const nameOf = ({ method, path }: Described): string => `${method.toUpperCase()} ${path}`;

/** The method and path, without the names of path parameters, since both contracts may name them differently. */
const addressOf = (operation: Described): string => nameOf(operation).replaceAll(/\{[^{}]*\}/g, '{}');

const breaks = (member: string, words: string): Told => ({ effect: 'breaks', member, words });
const mayBreak = (member: string, words: string): Told => ({ effect: 'may break', member, words });

const list = (values: readonly unknown[]): string => values.join(' or ') || 'anything';

const sentChanges = (before: Place, after: Place, sends: readonly string[]): readonly Told[] => {
  const sent = sends.map(splitSent);
  const names = new Set(sent.map(({ name }) => name));
  return [
    ...[...names].flatMap((name) => {
      const [was, is] = [placeAt(before, name), placeAt(after, name)];
      if (!was) return [];
      return is
        ? sentTypeChanges(was, is, name)
        : [breaks(name, 'is sent, but was removed from the contract')];
    }),
    ...sent.flatMap(({ name, value }) => {
      const is = placeAt(after, name);
      return is && placeAt(before, name) ? valueChanges(is, name, value) : [];
    }),
    ...addedMembers(before, after, '', names),
  ];
};

const sentTypeChanges = (before: Place, after: Place, member: string): readonly Told[] => {
  const [from, to] = [typesOf(before), typesOf(after)];
  if (to.length > 0 && !from.every((type) => accepts(to, type)))
    return [breaks(member, `is sent as ${list(from)}, but must now be ${list(to)}`)];
  return LIMITS.flatMap(([keyword, sign]) => {
    const [old, limit] = [before, after].map(({ document, schema }) => follow(document, schema)[keyword]);
    const isTighter = typeof limit === 'number' && (typeof old !== 'number' || (limit - old) * sign > 0);
    return isTighter ? [mayBreak(member, `is sent, but its limit is now tighter: ${keyword} ${limit}`)] : [];
  });
};

/** The keywords that limit a value. With -1, a lower number is a tighter limit; with 1, a higher number is. */
const LIMITS = [
  ['maxLength', -1],
  ['maximum', -1],
  ['maxItems', -1],
  ['minLength', 1],
  ['minimum', 1],
  ['minItems', 1],
] as const;

const valueChanges = (after: Place, name: string, value: string | undefined): readonly Told[] => {
  const listed = valuesOf(after);
  if (!listed) return [];
  if (value === undefined) return [mayBreak(name, `is sent, but its value must now be ${list(listed)}`)];
  if (listed.some((one) => String(one) === value)) return [];
  return [breaks(`${name}=${value}`, 'is sent, but this value is no longer allowed')];
};

/** Reports the members that `after` adds or newly requires, except members that the application already sends. */
const addedMembers = (
  before: Place | undefined,
  after: Place,
  path: string,
  sent: ReadonlySet<string>,
): readonly Told[] => {
  const known = before && membersAt({ ...before, isRequired: true });
  return [...membersAt({ ...after, isRequired: true })].flatMap(([name, is]) => {
    const at = name === ITEMS ? path + ITEMS : [path, name].filter(Boolean).join('.');
    const was = known?.get(name);
    if (name === ITEMS || isSent(at, sent)) return addedMembers(was, is, at, sent);
    if (is.isRequired && !was?.isRequired) return [breaks(at, 'is now required, but is not sent')];
    return was ? [] : [{ effect: 'new', member: at, words: 'can be sent' }];
  });
};

/** Whether an application sends a member. An object counts as sent if one of its members is sent. */
const isSent = (member: string, sent: ReadonlySet<string>): boolean =>
  [...sent].some(
    (name) => name === member || name.startsWith(`${member}.`) || name.startsWith(`${member}[]`),
  );

/** Whether the contract has a reply for this status. A `default` reply covers all errors that are not listed. */
const isAnswered = ({ definition: { responses } }: Described, status: string): boolean =>
  status in responses || `${status[0]}XX` in responses || ('default' in responses && !status.startsWith('2'));

const gotChanges = (
  before: Place,
  after: Place | undefined,
  status: string,
  read: readonly string[],
): readonly Told[] => {
  const objects = new Set(read.map((path) => path.replace(/\.?[^.]*$/, '')));
  const pairAt = (path: string) => [placeAt(before, path), after && placeAt(after, path)] as const;
  return [
    ...read.flatMap((path): readonly Told[] => {
      const [was, is] = pairAt(path);
      if (!was) return [];
      return is
        ? readChanges(was, is, `${status} ${path}`)
        : [breaks(`${status} ${path}`, 'is read, but was removed from the contract')];
    }),
    ...[...objects].flatMap((path) => {
      const [was, is] = pairAt(path);
      const added = was && is ? [...membersAt(is).keys()].filter((name) => !membersAt(was).has(name)) : [];
      return added
        .filter((name) => name !== ITEMS)
        .map((name): Told => {
          const member = `${status} ${path ? `${path}.` : ''}${name}`;
          return { effect: 'new', member, words: 'can be read' };
        });
    }),
  ];
};

const readChanges = (was: Place, is: Place, member: string): readonly Told[] => {
  const [from, to] = [typesOf(was), typesOf(is)];
  if (from.length > 0 && to.length > 0 && !to.some((type) => accepts(from, type)))
    return [breaks(member, `is read, but its type changed from ${list(from)} to ${list(to)}`)];
  const words = [
    ...(was.isRequired && !is.isRequired ? ['can now be absent'] : []),
    ...(isNullable(is) && !isNullable(was) ? ['can now be null'] : []),
    ...(to.every((type) => accepts(from, type)) ? [] : [`can now be ${list(to)}`]),
    ...newValues(valuesOf(was), valuesOf(is)),
  ];
  return words.map((each) => mayBreak(member, `is read, but ${each}`));
};

type Values = readonly unknown[] | undefined;

const newValues = (was: Values, is: Values): readonly string[] => {
  if (!was) return [];
  if (!is) return ['can now have any value'];
  const added = is.filter((value) => !was.includes(value));
  return added.length > 0 ? [`can now be ${list(added)}`] : [];
};

const newStatuses = (mine: Described, theirs: Described): readonly Told[] =>
  Object.keys(theirs.definition.responses)
    .filter((status) => /^\d+$/.test(status) && !(status in mine.definition.responses))
    .map((status) => ({ effect: 'new', member: status, words: 'can be returned' }));

/** The report: the changes, grouped by their effect on the application, and a last line with the size of each group. */
export const diffText = (changes: readonly Change[], used: Used): string => {
  const width = Math.max(0, ...changes.map(({ operation }) => operation.length));
  const groups = EFFECTS.map((effect) => ({
    effect,
    lines: changes
      .filter((change) => change.effect === effect)
      .map(
        ({ operation, member, words }) =>
          `  ${operation.padEnd(width)}  ${member === undefined ? '' : `${member} `}${words}\n`,
      ),
  }));
  const blocks = groups
    .filter(({ lines }) => lines.length > 0)
    .map(({ effect, lines }) => `${effect.toUpperCase()}\n${lines.join('')}\n`);
  const counts = groups.map(({ effect, lines }) => `${effect}: ${lines.length}`).join(', ');
  const operations = Object.keys(used.operations).length;
  return `${blocks.join('')}${operations} operation${operations === 1 ? '' : 's'} used; ${counts}\n`;
};
