/** A case of the suite: a sentence about the API, who says so, and how to find out. */
import type { OperationId } from '../openapi/types.ts';
import type { Basis } from './reply-check.ts';
import type { Service } from './service.ts';

/** A rule of RULES.md, such as `A4`. */
export type RuleNumber = `${'T' | 'R' | 'E' | 'I' | 'A' | 'V' | 'C' | 'P' | 'M' | 'L' | 'X'}${number}`;

export interface Case {
  /** A sentence. */
  readonly name: string;
  /** The operation that it is about. */
  readonly operationId: OperationId;
  /** Promised: the API's description says so. Inferred: the description is silent, and a rule settles it. */
  readonly basis: Basis;
  readonly rules: readonly RuleNumber[];
  /** Whether it changes data. What it creates is removed when it ends. */
  readonly writes: boolean;
  /** Sends calls and throws if an answer is wrong. */
  readonly run: (service: Service) => Promise<unknown>;
}

type Claim = Pick<Case, 'name' | 'basis' | 'rules' | 'run'>;

const claim =
  (basis: Basis) =>
  (name: string, rules: readonly RuleNumber[], run: Case['run']): Claim => ({ name, basis, rules, run });

/** What the API's description says. */
export const promised = claim('promised');

/** What the description leaves open. */
export const inferred = claim('inferred');

/** Cases about one operation that change nothing. */
export const reading = (operationId: OperationId, ...claims: readonly Claim[]): readonly Case[] =>
  claims.map((one) => ({ ...one, operationId, writes: false }));

/** Cases about one operation that change data. */
export const writing = (operationId: OperationId, ...claims: readonly Claim[]): readonly Case[] =>
  claims.map((one) => ({ ...one, operationId, writes: true }));
