/** A change of the contract that concerns what an application relies on. */
import type { Contract, ContractOperation } from '../openapi/load.ts';

export type Effect = 'breaks' | 'may break' | 'new';

export interface Change {
  readonly operation: string;
  readonly effect: Effect;
  /** The parameter, member or status that changes; left out where the whole operation does. */
  readonly member?: string;
  /** What has changed: the rest of the sentence after the member. */
  readonly words: string;
}

export type Told = Omit<Change, 'operation'>;
export type Described = ContractOperation<string>;

/** An operation of this contract, and the same one of the other. */
export interface Pair {
  readonly mine: Described;
  readonly theirs: Described;
  readonly other: Contract<string>;
}

/** Types or values in a sentence. */
export const list = (values: readonly unknown[]): string => values.join(' or ') || 'anything';
