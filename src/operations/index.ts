/** Every operation of the contract by its operationId; one that is missing is a build error. */
import type { OperationId } from '../contract/types.ts';
import type { Operation } from '../domain/operation.ts';
import { listAuthenticationRequests } from './authentication-logs.ts';
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
