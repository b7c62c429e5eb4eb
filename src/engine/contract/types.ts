/** The inputs and answers of operations as types, from what openapi-typescript generates. */

/** The type that openapi-typescript generates for an operation of any document. */
export interface GeneratedOperation {
  readonly parameters: object;
  readonly requestBody?: unknown;
  readonly responses: object;
}

export interface InputOf<Operation extends GeneratedOperation> {
  readonly path: Readonly<Parameters<Operation, 'path'>>;
  readonly query: Readonly<Parameters<Operation, 'query'>>;
  readonly body: Readonly<OrEmpty<Content<NonNullable<Operation['requestBody']>>>>;
}

/** The answers of an operation, whether of the contract or of the control plane's document. */
export type AnswerOf<Operation extends GeneratedOperation> = {
  [Status in keyof Operation['responses'] & number]: {
    readonly status: Status;
    readonly body: Content<Operation['responses'][Status]>;
  };
}[keyof Operation['responses'] & number];

type Parameters<
  Operation extends GeneratedOperation,
  In extends 'path' | 'query',
> = Operation['parameters'] extends { [Key in In]?: infer Values } ? OrEmpty<NonNullable<Values>> : Empty;

type Empty = Readonly<Record<never, never>>;
/** `{}` for a part of the input that the operation does not have. */
type OrEmpty<Value> = [Value] extends [never] ? Empty : Value;

type Content<Holder> = Holder extends { content: infer Media } ? Media[keyof Media] : Empty;
