/** Changes of the contract that concern what an application relies on, and what `ca-mock diff` prints about them. */
import type { Contract, ContractOperation } from '../openapi/load.ts';
import type { Used } from './used.ts';

const EFFECTS = ['breaks', 'may break', 'new'] as const;
export type Effect = (typeof EFFECTS)[number];

export interface Change {
  readonly operation: string;
  readonly effect: Effect;
  /** The parameter, member or status that changes. Absent if the whole operation changes. */
  readonly member?: string;
  /** What has changed. The report prints this text after the member, so that both make a sentence. */
  readonly words: string;
}

export type Told = Omit<Change, 'operation'>;
export type Described = ContractOperation<string>;

/** The same operation in this contract and in the other contract. */
export interface Pair {
  readonly mine: Described;
  readonly theirs: Described;
  readonly other: Contract<string>;
}

/** Joins types or values for a sentence. */
export const list = (values: readonly unknown[]): string => values.join(' or ') || 'anything';

/** The changes that break the application come first. The last line has the numbers. */
export const diffText = (changes: readonly Change[], used: Used): string => {
  const width = Math.max(0, ...changes.map(({ operation }) => operation.length));
  const blocks = EFFECTS.flatMap((effect) => {
    const own = changes.filter((change) => change.effect === effect);
    if (own.length === 0) return [];
    const lines = own.map(
      ({ operation, member, words }) =>
        `  ${operation.padEnd(width)}  ${member === undefined ? '' : `${member} `}${words}\n`,
    );
    return [`${effect.toUpperCase()}\n${lines.join('')}\n`];
  });
  const operations = Object.keys(used.operations).length;
  const counts = EFFECTS.map((effect) => `${effect}: ${countOf(changes, effect)}`);
  return `${blocks.join('')}${operations} operation${operations === 1 ? '' : 's'} used; ${counts.join(', ')}\n`;
};

export const countOf = (changes: readonly Change[], effect: Effect): number =>
  changes.filter((change) => change.effect === effect).length;
