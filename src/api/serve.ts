/** Running an operation: its answer is checked, then what follows from it is committed, then the answer is written. */
import type { RequestHandler } from 'express';
import type { Effects, Env } from '../domain/operation.ts';
import type { State } from '../domain/state.ts';
import { openStep } from '../environments/environment.ts';
import type { Environments } from '../environments/environments.ts';
import { requireValidReply } from '../http/reply.ts';
import type { ContractOperation } from '../openapi/load.ts';
import type { Input, OperationId } from '../openapi/types.ts';
import { operations } from '../operations/index.ts';
import { callOf, sendText } from './call.ts';
import { rememberReply } from './remembered.ts';
import { challenge } from './token-endpoint.ts';

/** Input and answer as they are between the validator, which vouches for their types, and the operation. */
export type RawInput = { readonly [Part in keyof Input<OperationId>]: unknown };
export type RawAnswer = { readonly status: number; readonly body: unknown } & Effects;
type RawOperation = (state: State, input: RawInput, env: Env) => RawAnswer;

export interface ServeOptions {
  readonly environments: Environments;
  /** Whether the same call in the same state has the same answer and changes nothing. */
  readonly isRepeatable: boolean;
}

export const serve = (
  { operationId }: ContractOperation,
  { environments, isRepeatable }: ServeOptions,
): RequestHandler => {
  // The validator has checked the input against the very schema that the operation's types come from.
  const act = operations[operationId] as unknown as RawOperation;
  return (request, response) => {
    const call = callOf(response);
    const { params: path, query, body = {}, headers, method } = request;
    const environment = call.tokenOwner ?? call.environment;
    const step = openStep(environment, environments.baseUrl, headers.host);
    const answer = act(step.state, { path, query, body }, step.env);
    requireValidReply(response, answer.status, answer.body);
    // HEAD only asks (behaviour T6): what it is not given, such as credentials, was not handed out either.
    if (method !== 'HEAD') step.commit(answer);
    call.answer = answer.body;
    call.changes = answer.changes ?? [];
    if (answer.status === 401) challenge(request, response);
    sendText(response.status(answer.status).type('json'), JSON.stringify(answer.body));
    const { validity } = step.env;
    if (validity && isRepeatable && answer.status === 200) rememberReply(call, validity);
  };
};
