/** For `ca-mock diff`: compares what an application uses with another version of the contract. */
import { type Contract, loadContract } from '../../contract/load.ts';
import { type Place, placeAt } from '../../contract/members.ts';
import { callChanges } from './call-changes.ts';
import { type Described, replyPlace, responseFor, sentPlace, type Version } from './calls.ts';
import { addedMembers, EFFECTS, pathsOf, type Told, told, toldIf, valueChanges } from './changes.ts';
import { splitSent, type UsedFile, type UsedOperation, usedOperations } from './used.ts';

export interface ContractChange extends Told {
  readonly operation: string;
}

/** @param mine the contract with which the application was tried. Default: the mock's own */
export const compare = (
  used: UsedFile,
  other: Contract<string>,
  mine: Contract<string> = loadContract(),
): readonly ContractChange[] =>
  usedOperations(used, mine).flatMap(([operation, own]) =>
    operationChanges({ contract: mine, operation }, own, other).map((change) => ({
      operation: operation.operationId,
      ...change,
    })),
  );

const operationChanges = (was: Version, used: UsedOperation, other: Contract<string>): readonly Told[] => {
  const { operation: mine } = was;
  const same = other.operations.find((one) => addressOf(one) === addressOf(mine));
  const theirs = same ?? other.operations.find(({ operationId }) => operationId === mine.operationId);
  if (!theirs) return [{ effect: 'breaks', words: `${nameOf(mine)} was removed from the contract` }];
  const is: Version = { contract: other, operation: theirs };
  return [
    ...toldIf(!same, 'breaks', undefined, `moved from ${nameOf(mine)} to ${nameOf(theirs)}`),
    ...callChanges(was, is, used),
    ...sentChanges(sentPlace(was), sentPlace(is), used.sends),
    ...Object.keys(used.gets).flatMap((status) => gotChanges(was, is, status, used)),
    ...newStatuses(mine, theirs),
  ];
};

const nameOf = ({ method, path }: Described): string => `${method.toUpperCase()} ${path}`;

/** The method and path, without the names of path parameters, since both contracts may name them differently. */
const addressOf = (operation: Pick<Described, 'method' | 'path'>): string =>
  `${operation.method} ${operation.path}`.replaceAll(/\{[^{}]*\}/g, '{}');

const sentChanges = (before: Place, after: Place, sends: readonly string[]): readonly Told[] => {
  const sent = sends.map(splitSent);
  const names = new Set(sent.map(({ name }) => name));
  return [
    ...pathsOf(names).flatMap(({ path, isLeaf }): readonly Told[] => {
      const [was, is] = [placeAt(before, path), placeAt(after, path)];
      if (!was) return [];
      if (is) return valueChanges('sent', { was, is, path, isLeaf, names });
      return toldIf(isLeaf, 'breaks', path, 'is sent, but was removed from the contract');
    }),
    ...sent.flatMap(({ name, value }) => {
      const { values = new Set() } = placeAt(after, name) ?? {};
      const isRefused = value !== undefined && values.size > 0 && ![...values].map(String).includes(value);
      const words = 'is sent, but this value is no longer allowed';
      return toldIf(isRefused, 'breaks', `${name}=${value}`, words);
    }),
    ...addedMembers(before, after, '', names),
  ];
};

const gotChanges = (
  was: Version,
  is: Version,
  status: string,
  { gets, reads }: UsedOperation,
): readonly Told[] => {
  if (!responseFor(is, status))
    return [told(status.startsWith('2') ? 'breaks' : 'may break', status, 'is no longer returned')];
  const [before, after] = [replyPlace(was, status), replyPlace(is, status)];
  if (!before) return [];
  const names = (reads ?? gets[status] ?? []).filter((path) => placeAt(before, path));
  const [use, removal] = reads ? (['read', 'breaks'] as const) : (['returned', 'may break'] as const);
  return pathsOf(new Set(names)).flatMap(({ path, isLeaf }): readonly Told[] => {
    const [from, to] = [placeAt(before, path), after && placeAt(after, path)];
    const label = `${status} ${path}`.trim();
    if (!from) return [];
    if (to)
      return [
        ...valueChanges(use, { was: from, is: to, path: label, isLeaf }),
        ...newMembers(from, to, label),
      ];
    return toldIf(isLeaf, removal, label, `is ${use}, but was removed from the contract`);
  });
};

const newMembers = (was: Place, is: Place, label: string): readonly Told[] =>
  [...is.members.keys()]
    .filter((name) => !was.members.has(name))
    .map((name) => told('new', label.includes(' ') ? `${label}.${name}` : `${label} ${name}`, 'can be read'));

const newStatuses = (mine: Described, theirs: Described): readonly Told[] =>
  Object.keys(theirs.definition.responses)
    .filter((status) => /^\d+$/.test(status) && !(status in mine.definition.responses))
    .map((status) => told('new', status, 'can be returned'));

/** The report: the changes, grouped by their effect on the application, and a last line with the size of each group. */
export const diffText = (changes: readonly ContractChange[], used: UsedFile): string => {
  const width = Math.max(0, ...changes.map(({ operation }) => operation.length));
  const lineOf = ({ operation, member, words }: ContractChange): string =>
    `  ${operation.padEnd(width)}  ${member === undefined ? '' : `${member} `}${words}\n`;
  const groups = EFFECTS.map((effect) => ({
    effect,
    lines: changes.filter((change) => change.effect === effect).map(lineOf),
  }));
  const blocks = groups
    .filter(({ lines }) => lines.length > 0)
    .map(({ effect, lines }) => `${effect.toUpperCase()}\n${lines.join('')}\n`);
  const counts = groups.map(({ effect, lines }) => `${effect}: ${lines.length}`).join(', ');
  const operations = Object.keys(used.operations).length;
  return `${blocks.join('')}${operations} operation${operations === 1 ? '' : 's'} used; ${counts}\n`;
};
