/** Every operation of the contract by its operationId; one that is missing is a build error. */
import type { OperationId } from '../contract/types.ts';
import type { Operation } from '../domain/operation.ts';
import { getKeys, getOpenIdConfiguration, issueToken } from './tokens.ts';

export const operations: { readonly [Id in OperationId]: Operation<Id> } = {
  issueToken,
  getKeys,
  getOpenIdConfiguration,
};
