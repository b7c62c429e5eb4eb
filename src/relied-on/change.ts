/** A change of the contract that concerns what an application relies on. */
import type { Contract, ContractOperation } from '../openapi/load.ts';

export type Effect = 'breaks' | 'may break' | 'new';

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
