/** One operation, ready to be called: how its query and body are read, validated and dispatched. */

import type { Effects, Env } from '../domain/operation.ts';
import type { State } from '../domain/state.ts';
import { isJsonObject, type JsonObject } from '../openapi/document.ts';
import type { Contract, ContractOperation } from '../openapi/load.ts';
import type { Input, OperationId } from '../openapi/types.ts';
import { operations, WRITING_READS } from '../operations/index.ts';
import type { BodyKind } from './body.ts';
import { createIntegerCheck, type IntegerCheck } from './integers.ts';
import { createQueryReader, type QueryReader } from './query.ts';
import { createReplyCheck, type ReplyCheck, type ReplyCheckOptions } from './reply-check.ts';
import { createStrictCheck, type StrictCheck } from './strict.ts';
import { createValidator, type Validator } from './validator.ts';

export interface Handler {
  readonly operation: ContractOperation;
  /** Undefined for an operation without a body: what a client sends there is not read. */
  readonly bodyKind: BodyKind | undefined;
  readonly needsToken: boolean;
  /** The same call under the same condition has the same answer, and moves nothing. */
  readonly isRepeatable: boolean;
  readonly readQuery: QueryReader;
  readonly checkIntegers: IntegerCheck;
  readonly checkRequest: Validator['checkRequest'];
  /** Undefined where replies are not checked. */
  readonly checkReply: ReplyCheck | undefined;
  readonly checkStrictly: StrictCheck;
  readonly act: (state: State, input: RawInput, env: Env) => RawAnswer;
}

/** Input and answer as they are between the validator, which vouches for their types, and the operation. */
export type RawInput = { readonly [Part in keyof Input<OperationId>]: unknown };
export type RawAnswer = { readonly status: number; readonly body: unknown } & Effects;

export const createHandler = (
  { document }: Contract,
  operation: ContractOperation,
  options: ReplyCheckOptions,
): Handler => {
  const validator = createValidator(document, operation);
  let strict: StrictCheck | undefined;
  return {
    operation,
    bodyKind: bodyKindOf(operation),
    needsToken: needsToken(operation.definition.security ?? document.security ?? []),
    isRepeatable: operation.method === 'get' && !WRITING_READS.has(operation.operationId),
    readQuery: createQueryReader(operation),
    checkIntegers: createIntegerCheck(operation),
    checkRequest: validator.checkRequest,
    checkReply: createReplyCheck(options, validator),
    checkStrictly: (query, body) => {
      strict ??= createStrictCheck(document, operation);
      return strict(query, body);
    },
    // The validator has checked the input against the very schema that the operation's types come from.
    act: operations[operation.operationId] as unknown as Handler['act'],
  };
};

/** An empty list asks for nothing; so does an empty item among others. */
const needsToken = (security: readonly JsonObject[]): boolean =>
  security.length > 0 && security.every((item) => 'bearerAuth' in item);

const bodyKindOf = ({ definition }: ContractOperation): BodyKind | undefined => {
  const content = definition.requestBody?.content;
  if (!isJsonObject(content)) return undefined;
  return 'application/json' in content ? 'application/json' : 'application/x-www-form-urlencoded';
};
