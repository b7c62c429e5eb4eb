/** All cases: families are generated from the contract, flows are written by hand. */
import type { Case } from './case.ts';
import { GENERATED } from './families.ts';
import { ACCOUNT_FLOWS } from './flows/accounts.ts';
import { CONNECTION_FLOWS } from './flows/connections.ts';
import { LINK_FLOWS } from './flows/links.ts';
import { LIST_FLOWS } from './flows/lists.ts';
import { MEMBERSHIP_FLOWS } from './flows/memberships.ts';
import { REQUEST_FLOWS } from './flows/requests.ts';

export const SUITE: readonly Case[] = [
  ...GENERATED,
  ...REQUEST_FLOWS,
  ...ACCOUNT_FLOWS,
  ...LIST_FLOWS,
  ...LINK_FLOWS,
  ...CONNECTION_FLOWS,
  ...MEMBERSHIP_FLOWS,
];
