/** Every operation of the contract by its operationId; one that is missing is a build error. */

import { NAMED_IN_BODY, NAMED_IN_QUERY } from '../domain/account-lookup.ts';
import type { Operation } from '../domain/operation.ts';
import { ROLES_FIT } from '../domain/role.ts';
import type { Rule } from '../domain/rule.ts';
import type { Input, OperationId } from '../openapi/types.ts';
import { LOG_RULES, listAuthenticationRequests } from './authentication-logs.ts';
import { createMagicLink, LINK_RULES, verifyConnectedAccountUser } from './authorization.ts';
import {
  CREATE_RULES,
  createConnectedAccount,
  deleteConnectedAccount,
  UPDATE_RULES,
  updateConnectedAccount,
} from './connected-account-changes.ts';
import {
  getConnectedAccountAuth,
  getConnectedAccountDetails,
  LIST_RULES,
  listConnectedAccounts,
  SEARCH_RULES,
  searchConnectedAccounts,
} from './connected-accounts.ts';
import { listConnections } from './connections.ts';
import {
  createCustomProvider,
  deleteCustomProvider,
  PROVIDER_RULES,
  updateCustomProvider,
} from './custom-providers.ts';
import { resendInvite } from './invitations.ts';
import {
  createMembership,
  createMembershipByExternalId,
  deleteMembership,
  deleteMembershipByExternalId,
  updateMembership,
  updateMembershipByExternalId,
} from './memberships.ts';
import { getKeys, getOpenIdConfiguration, issueToken } from './tokens.ts';

export const operations: { readonly [Id in OperationId]: Operation<Id> } = {
  issueToken,
  getKeys,
  getOpenIdConfiguration,
  listConnectedAccounts,
  createConnectedAccount,
  updateConnectedAccount,
  getConnectedAccountAuth,
  getConnectedAccountDetails,
  createMagicLink,
  verifyConnectedAccountUser,
  deleteConnectedAccount,
  searchConnectedAccounts,
  listConnections,
  createCustomProvider,
  updateCustomProvider,
  deleteCustomProvider,
  resendInvite,
  createMembership,
  updateMembership,
  deleteMembership,
  createMembershipByExternalId,
  updateMembershipByExternalId,
  deleteMembershipByExternalId,
  listAuthenticationRequests,
};

/** What the operations refuse with 400 beside what breaks the contract (behaviour R1). */
export const rules: { readonly [Id in OperationId]?: readonly Rule<Input<Id>>[] } = {
  listConnectedAccounts: LIST_RULES,
  createConnectedAccount: CREATE_RULES,
  updateConnectedAccount: UPDATE_RULES,
  getConnectedAccountAuth: [NAMED_IN_QUERY],
  getConnectedAccountDetails: [NAMED_IN_QUERY],
  createMagicLink: LINK_RULES,
  deleteConnectedAccount: [NAMED_IN_BODY],
  searchConnectedAccounts: SEARCH_RULES,
  createCustomProvider: PROVIDER_RULES,
  updateCustomProvider: PROVIDER_RULES,
  createMembership: [ROLES_FIT],
  updateMembership: [ROLES_FIT],
  createMembershipByExternalId: [ROLES_FIT],
  updateMembershipByExternalId: [ROLES_FIT],
  listAuthenticationRequests: LOG_RULES,
};

/** Reads that also move something: `/auth` sets `last_used_at` and may refresh (behaviour A8). */
export const WRITING_READS: ReadonlySet<OperationId> = new Set(['getConnectedAccountAuth']);
