/** What the contract cannot state of an input: rules between members, or about what an environment has (behaviour R1). */
import { type FieldViolation, refuse } from '../core/errors.ts';
import { type Filters, type TokenShape, tokenViolations } from '../core/page.ts';
import type { Env } from './operation.ts';
import type { State } from './state.ts';

/** Listed apart from its operation, so that it is asked too where something else breaks the contract. */
export interface Rule<Input> {
  /** What it looks at, such as `connected_account.authorization_details`: it is asked only where the contract is content with that. */
  readonly needs: readonly string[];
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

/** The rules of page tokens: one can be read, and the filters sent beside it are its own (behaviour I4). */
export const pageTokenRules = <Known extends Filters, Query extends { readonly page_token?: string }>(
  shape: TokenShape<Known>,
  filtersOf: (query: Query) => Known,
): readonly Rule<{ readonly query: Query }>[] => [
  {
    needs: ['page_token'],
    find: (_state, { query }) => tokenViolations(query.page_token, shape, {}),
  },
  {
    needs: ['page_token', ...Object.keys(shape.filters)],
    find: (_state, { query }) =>
      tokenViolations(query.page_token, shape, filtersOf(query)).filter(
        ({ field }) => field !== 'page_token',
      ),
  },
];
