/** Every operation of the contract by its operationId; this file does not compile if one is missing. */

import type { Operation } from '../domain/operation.ts';
import type { OperationId } from '../openapi/types.ts';
import { listAuthenticationRequests } from './authentication-logs.ts';
import { createMagicLink, verifyConnectedAccountUser } from './authorization.ts';
import {
  createConnectedAccount,
  deleteConnectedAccount,
  updateConnectedAccount,
} from './connected-account-changes.ts';
import {
  getConnectedAccountAuth,
  getConnectedAccountDetails,
  listConnectedAccounts,
  searchConnectedAccounts,
} from './connected-accounts.ts';
import { listConnections } from './connections.ts';
import { createCustomProvider, deleteCustomProvider, updateCustomProvider } from './custom-providers.ts';
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
