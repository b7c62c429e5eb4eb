/** What a case of the suite is: a sentence about the API, who says so, and how to find out. */
import type { Basis } from '../openapi/reply-check.ts';
import type { OperationId } from '../openapi/types.ts';
import type { Api } from './api.ts';

/** What a case cannot do without; each is unlocked by a flag. */
export type Need =
  /** It changes data, and cleans up after itself. */
  | 'write'
  /** An organization, a user that is no member of it, and that user's external id. */
  | 'organization'
  | 'user'
  | 'externalId'
  /** Somebody who follows an authorization link. */
  | 'person'
  /** The control plane of a mock: clock, settings, faults. */
  | 'control';

/** A rule of behaviour.md, such as `A4`. */
export type RuleNumber = `${'T' | 'R' | 'E' | 'I' | 'A' | 'V' | 'C' | 'P' | 'M' | 'L' | 'X'}${number}`;

export interface Case {
  /** A sentence. */
  readonly name: string;
  /** The operation that it is about. */
  readonly operationId: OperationId;
  /** Promised: the API's description says so. Inferred: it is silent, and a rule settles it. */
  readonly basis: Basis;
  readonly rules: readonly RuleNumber[];
  readonly needs: readonly Need[];
  /** Sends calls and says what they must be answered with. What it creates is removed at its end. */
  readonly run: (api: Api) => Promise<unknown>;
}

type Claim = Pick<Case, 'name' | 'basis' | 'rules' | 'run'>;

const claim =
  (basis: Basis) =>
  (name: string, rules: readonly RuleNumber[], run: Case['run']): Claim => ({ name, basis, rules, run });

/** What the API's description says; the rules say more of it. */
export const promised = claim('promised');

/** What the description leaves open. */
export const inferred = claim('inferred');

/** Cases about one operation that need the same. */
export const group = (
  { about, needs = [] }: { readonly about: OperationId; readonly needs?: readonly Need[] },
  claims: readonly Claim[],
): readonly Case[] => claims.map((claim) => ({ ...claim, operationId: about, needs }));
