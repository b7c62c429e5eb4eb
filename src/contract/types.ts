/** The contract's operations and schemas as types; everything here is derived from `openapi.yaml`. */
import type { components, operations } from './generated.ts';

export type OperationId = keyof operations;
export type Schemas = components['schemas'];

type Parameters<Id extends OperationId, In extends 'path' | 'query'> = operations[Id]['parameters'] extends {
  [Key in In]?: infer Values;
}
  ? OrEmpty<NonNullable<Values>>
  : Empty;

type Empty = Readonly<Record<never, never>>;
/** What the contract says is never there is empty. */
type OrEmpty<Value> = [Value] extends [never] ? Empty : Value;

type Content<Holder> = Holder extends { content: infer Media } ? Media[keyof Media] : Empty;

/** What a validated request hands to its operation: path and query parameters, and the body (`{}` if it has none). */
export interface Input<Id extends OperationId> {
  readonly path: Readonly<Parameters<Id, 'path'>>;
  readonly query: Readonly<Parameters<Id, 'query'>>;
  readonly body: Readonly<OrEmpty<Content<NonNullable<operations[Id]['requestBody']>>>>;
}

/** The documented answers of an operation, status by status. */
export type Answer<Id extends OperationId> = {
  [Status in keyof operations[Id]['responses'] & number]: {
    readonly status: Status;
    readonly body: Content<operations[Id]['responses'][Status]>;
  };
}[keyof operations[Id]['responses'] & number];
