/** A case of the suite: a sentence about the API, the origin of the sentence, and a test. */
import type { OperationId } from '../../service/contract.ts';
import type { Api } from './api.ts';
import type { Basis } from './reply-check.ts';

/** The number of a rule in RULES.md, such as `A4`. */
export type RuleNumber = `${'T' | 'R' | 'E' | 'I' | 'A' | 'V' | 'C' | 'P' | 'M' | 'L' | 'X'}${number}`;

export interface Case {
  /** A sentence about a request and its correct answer. */
  readonly name: string;
  readonly operationId: OperationId;
  /** `promised` if the API's description says so; `inferred` if it is silent and a rule of RULES.md decides. */
  readonly basis: Basis;
  readonly rules: readonly RuleNumber[];
  /** Whether the case changes data. At the end of a case, the suite removes the data that the case created. */
  readonly writes: boolean;
  /** Sends calls, and throws if an answer is wrong. */
  readonly run: (api: Api) => Promise<unknown>;
}

export type Claim = Pick<Case, 'name' | 'basis' | 'rules' | 'run'>;

/** A sentence about the API, and its test. `.promised('A4')` or `.inferred('A4')` adds the basis and the rules. */
export const test = (name: string, run: Case['run']) => ({
  promised: (...rules: readonly RuleNumber[]): Claim => ({ name, run, rules, basis: 'promised' }),
  inferred: (...rules: readonly RuleNumber[]): Claim => ({ name, run, rules, basis: 'inferred' }),
});

export const reading = (operationId: OperationId, ...claims: readonly Claim[]): readonly Case[] =>
  claims.map((one) => ({ ...one, operationId, writes: false }));

export const writing = (operationId: OperationId, ...claims: readonly Claim[]): readonly Case[] =>
  claims.map((one) => ({ ...one, operationId, writes: true }));
