/** The sentences and the rule of a refusal. */
import { expect, test } from '@jest/globals';
import { type FieldViolation, invalidArgument } from '../../../src/engine/core/errors.ts';

const violation = (field: string, more: Partial<FieldViolation> = {}): FieldViolation => ({
  field,
  description: `${field} is wrong.`,
  constraint: 'type',
  ...more,
});

test('the advice for all fields is given once, and other advice names its fields', () => {
  const same = { advice: 'Leave it out.' };
  const { message: shared } = invalidArgument([violation('a', same), violation('b', same)]);
  expect(shared).toBe('a is wrong. b is wrong. Leave it out.');
  const { hint } = invalidArgument([violation('a', same), violation('b', same), violation('c')]);
  expect(hint).toBe('a, b: Leave it out.');
});

test('a refusal names the rule of the first violation that has one', () => {
  expect(invalidArgument([violation('a'), violation('b', { rule: 'I4' })]).rule).toBe('I4');
  expect(invalidArgument([violation('a')]).rule).toBe('R1');
});

test('a refusal of more than 100 violations says that it lists only the first', () => {
  const all = Array.from({ length: 101 }, (_, nth) => violation(`f${nth}`));
  const { extras, problem } = invalidArgument(all);
  expect(extras.violations).toHaveLength(100);
  expect(problem).toMatch(/f99 is wrong\. Only the first 100 violations are listed\.$/);
  expect(invalidArgument(all.slice(1)).problem).toMatch(/f100 is wrong\.$/);
});
