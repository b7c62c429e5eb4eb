/**
 * Every operation of the contract by its operationId. If one is missing, this file does not compile. What else a noun
 * exports is here too, and does no harm: operations are looked up by id.
 */
import * as accounts from './accounts/operations.ts';
import * as connections from './connections.ts';
import type { OperationId } from './contract.ts';
import * as links from './links/operations.ts';
import * as logs from './logs.ts';
import * as memberships from './memberships/operations.ts';
import * as providers from './providers.ts';
import * as tokens from './tokens.ts';
import type { Operation } from './types.ts';

export const operations: { readonly [Id in OperationId]: Operation<Id> } = {
  ...tokens,
  ...accounts,
  ...links,
  ...connections,
  ...providers,
  ...memberships,
  ...logs,
};
