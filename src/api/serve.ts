/** Running an operation and answering with what it gives. */
import type { Request, RequestHandler, Response } from 'express';
import type { Effects, Env } from '../domain/operation.ts';
import type { State } from '../domain/state.ts';
import { run } from '../environments/environment.ts';
import type { Environments } from '../environments/environments.ts';
import type { ContractOperation } from '../openapi/load.ts';
import type { Input, OperationId } from '../openapi/types.ts';
import { operations } from '../operations/index.ts';
import { callOf } from './call.ts';
import { cacheAnswer } from './response-cache.ts';
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

/** Runs the operation, answers, and commits: in this order, so that what cannot be answered changes nothing. */
export const serve = (
  { operationId }: ContractOperation,
  { environments, isRepeatable }: ServeOptions,
): RequestHandler => {
  // The validator has checked the input against the very schema that the operation's types come from.
  const act = operations[operationId] as unknown as RawOperation;
  return (request, response) => {
    const call = callOf(response);
    const input = { path: request.params, query: request.query, body: request.body ?? {} };
    run(
      call.tokenOwner ?? call.environment,
      environments.baseUrl,
      (state, env) => {
        const answer = act(state, input, env);
        return request.method === 'HEAD' ? withoutEffects(answer) : answer;
      },
      (answer, { validity }) => {
        send(request, response, answer);
        call.answer = answer.body;
        if (validity && isRepeatable && answer.status === 200) cacheAnswer(call, validity);
      },
      request.headers.host,
    );
  };
};

/** HEAD only asks (behaviour T6): what it is not given, such as credentials, was not handed out either. */
const withoutEffects = ({ status, body }: RawAnswer): RawAnswer => ({ status, body });

/** @throws Error if the answer broke the contract (`--validate-responses on`); the validator's own error is answered then */
const send = (request: Request, response: Response, { status, body }: RawAnswer): void => {
  if (status === 401) challenge(request, response);
  response.status(status).json(body);
  if (!response.headersSent || response.statusCode !== status)
    throw new Error('The answer was refused by the validator.');
};
