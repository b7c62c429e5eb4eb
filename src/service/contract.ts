/** The contract's operations and schemas as types, all derived from `openapi.yaml`. */
import type { AnswerOf, InputOf } from '../engine/contract/types.ts';
import type { components, operations } from './generated.ts';

export type OperationId = keyof operations;
export type Schemas = components['schemas'];

/** The validated input of an operation: path and query parameters, and the body (`{}` if it has none). */
export type InputFor<Id extends OperationId> = InputOf<operations[Id]>;

/** The documented answers of an operation, by status. */
export type Answer<Id extends OperationId> = AnswerOf<operations[Id]>;
