/** Every operation of the contract by its operationId. If one is missing, this file does not compile. */

import type { OperationId } from '../../contract/types.ts';
import type { Operation } from '../domain/operation.ts';
import * as logs from './authentication-logs.ts';
import * as authorization from './authorization.ts';
import * as accountChanges from './connected-account-changes.ts';
import * as accounts from './connected-accounts.ts';
import * as connections from './connections.ts';
import * as providers from './custom-providers.ts';
import * as members from './memberships.ts';
import * as tokens from './tokens.ts';

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
