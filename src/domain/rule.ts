/** What the contract cannot state of an input: rules between members, or about what an environment has (behaviour R1). */
import { type FieldViolation, refuse } from '../core/errors.ts';
import type { Env } from './operation.ts';
import type { State } from './state.ts';

export interface Rule<Input> {
  readonly find: (state: State, input: Input, env: Pick<Env, 'settings'>) => readonly FieldViolation[];
}

/** @throws Refusal 400 with everything that breaks one of the rules */
export const requireRules = <Input>(
  rules: readonly Rule<Input>[],
  state: State,
  input: Input,
  env: Pick<Env, 'settings'>,
): void => refuse(findViolations(rules, state, input, env));

export const findViolations = <Input>(
  rules: readonly Rule<Input>[],
  state: State,
  input: Input,
  env: Pick<Env, 'settings'>,
): readonly FieldViolation[] => rules.flatMap(({ find }) => find(state, input, env));
