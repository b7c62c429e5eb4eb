/** Every operation of the contract by its operationId; one that is missing is a build error. */
import type { OperationId } from '../contract/types.ts';
import type { Operation } from '../domain/operation.ts';

export const operations: { readonly [Id in OperationId]: Operation<Id> } = {};
