/** Runs an operation, checks its answer and commits its effects, all before a byte is sent. */
import type { Effects, Env } from '../domain/operation.ts';
import type { State } from '../domain/state.ts';
import { type Environment, openStep } from '../environments/environment.ts';
import type { Environments } from '../environments/environments.ts';
import type { Input } from '../http/findings.ts';
import { requireValidReply } from '../http/validate.ts';
import type { OperationId } from '../openapi/types.ts';
import { operations } from '../operations/index.ts';
import { grow, type OperationCall, type Reply } from './call.ts';
import { rememberReply } from './remembered.ts';
import { challengeOf } from './token-endpoint.ts';

/** An operation without its types; the validator checks what the types require. */
type RawOperation = (state: State, input: Input, env: Env) => RawAnswer;
export type RawAnswer = { readonly status: number; readonly body: unknown } & Effects;

/**
 * Runs an operation and commits its effects.
 * @param owner the environment whose state the operation reads, if not the call's own (behaviour E7)
 */
export const runOperation = (
  call: OperationCall,
  input: Input,
  { baseUrl }: Environments,
  owner: Environment = call.environment,
): Reply => {
  const { request, response, operation } = call;
  const step = openStep(owner, baseUrl, request.headers.host);
  const { status, body, ...effects } = actOf(operation.operationId)(step.state, input, step.env);
  requireValidReply(response, status, body);
  // A reply to HEAD has no body (behaviour T6): the client got no credentials, so nothing is committed.
  if (request.method !== 'HEAD') step.commit(effects);
  const reply = {
    status,
    text: JSON.stringify(body),
    headers: status === 401 ? challengeOf(call) : undefined,
  };
  const answered = grow(call, { answer: body, changes: effects.changes ?? [], reply });
  if (step.env.validity && status === 200) rememberReply(answered, step.env.validity);
  return reply;
};

/**
 * The operation with this id. The validator checked the input against the schema from which the operation's types are
 * generated.
 */
const actOf = (id: OperationId): RawOperation => operations[id] as unknown as RawOperation;
