/** Every mutant; each rule has one or more. */
import { ACCOUNT_MUTANTS } from './data/accounts.ts';
import { AUTHORIZATION_MUTANTS } from './data/authorization.ts';
import { ENVIRONMENT_MUTANTS } from './data/environments.ts';
import { IDENTITY_MUTANTS } from './data/identity.ts';
import { TRANSPORT_MUTANTS } from './data/transport.ts';
import type { Mutant } from './mutant.ts';

export const MUTANTS: readonly Mutant[] = [
  ...TRANSPORT_MUTANTS,
  ...ENVIRONMENT_MUTANTS,
  ...ACCOUNT_MUTANTS,
  ...AUTHORIZATION_MUTANTS,
  ...IDENTITY_MUTANTS,
];
