/** How names of parameters and members may be spelled, and what is said of those that are not known (behaviour T2, T3). */
import { cut } from '../core/cut.ts';
import type { FieldViolation } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { MASK, mentionsSecret } from '../environments/masking.ts';

/** Something wrong with a request. */
export interface Problem extends FieldViolation {
  /** What to do about it, in a sentence of its own. */
  readonly advice?: string;
}

/** The problem and what to do about it in one text. */
export const toViolation = ({ advice, ...violation }: Problem): FieldViolation =>
  advice === undefined ? violation : { ...violation, description: `${violation.description} ${advice}` };

export interface SpellingRules {
  /** Unknown names and lowerCamelCase are problems; otherwise the one is ignored and the other accepted. */
  readonly isStrict: boolean;
  /** An empty query value is a value. */
  readonly keepsEmpty?: boolean;
}

/** `organization_id` as JSON-over-gRPC gateways spell it: `organizationId`. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The name of a member with its place: `connected_account.api_config`. */
export const join = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`);

/** @param place of the object that has the name, such as `connected_account`. @param kind such as `parameter` */
export const unknownName = (
  place: string,
  name: string,
  known: Iterable<string>,
  kind: 'parameter' | 'member',
): Problem => {
  const field = cut(join(place, isSafeName(name) ? name : MASK));
  return {
    field,
    constraint: 'unknown',
    description: `${field} is not a ${kind} of this operation.`,
    advice: didYouMean(name, known).trim() || 'Leave it out.',
  };
};

/** A body that is not what it claims to be can be one long name, with a credential in it. */
const isSafeName = (name: string): boolean => !/["'{}<>=:;]/.test(name) && !mentionsSecret(name);

export const useSnakeCase = (field: string, name: string): Problem => ({
  field,
  constraint: 'spelling',
  description: `${field} is spelled ${name} in the contract, and strict mode takes no other spelling.`,
  advice: `Write ${name}.`,
});

export const spelledTwice = (name: string, alias: string): Problem => ({
  field: name,
  constraint: 'spelling',
  description: `${name} was sent in both spellings, ${name} and ${alias}.`,
  advice: `Send ${name} alone.`,
});
