/** Every operation of the contract by its operationId. If one is missing, this file does not compile. */

import * as accountChanges from './accounts/changes.ts';
import * as accounts from './accounts/operations.ts';
import * as connections from './connections/operations.ts';
import type { OperationId } from './contract.ts';
import * as authorization from './links/operations.ts';
import * as logs from './logs/operations.ts';
import * as members from './memberships/operations.ts';
import type { Operation } from './operation.ts';
import * as providers from './providers/operations.ts';
import * as tokens from './tokens/operations.ts';

export const operations: { readonly [Id in OperationId]: Operation<Id> } = {
  ...tokens,
  ...accounts,
  ...accountChanges,
  ...authorization,
  ...connections,
  ...providers,
  ...members,
  ...logs,
};
