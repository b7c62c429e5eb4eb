/** Rules that the contract cannot state, answered together with what breaks the contract (behaviour R1). */
import { type FieldViolation, MOST_VIOLATIONS } from '../core/errors.ts';
import type { Rule } from '../domain/rule.ts';
import { findViolations } from '../domain/rule.ts';
import { sentBy, type ValidatorError } from '../http/violations.ts';
import { rules } from '../operations/index.ts';
import type { Call } from './call.ts';
import type { RawInput } from './serve.ts';

/**
 * What breaks a rule of the operation. Rules that look at what the contract is not content with are not asked, and none
 * is where more is wrong than is said.
 */
export const ownViolations = (
  { request, operation, environment }: Call,
  errors: readonly ValidatorError[] = [],
): readonly FieldViolation[] => {
  if (!operation || errors.length > MOST_VIOLATIONS) return [];
  const broken = errors.map(({ path }) => path.split('/').slice(2));
  // The parts that a rule needs are what the contract says; it looks at no others.
  const own = (rules[operation.operationId] ?? []) as readonly Rule<RawInput>[];
  const asked = own.filter(({ needs }) => !needs.some((need) => broken.some(overlaps(need.split('.')))));
  const { params: path, query, body = {} } = sentBy(request);
  const { data, settings } = environment.current;
  return findViolations(asked, data, { path, query, body }, { settings });
};

/** Whether one place is the other, or within it. */
const overlaps =
  (one: readonly string[]) =>
  (other: readonly string[]): boolean =>
    one.every((step, index) => step === (other[index] ?? step));
