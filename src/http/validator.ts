/** Validation of one operation's requests and replies, made when the operation is first called. */
import {
  ajvErrorsToValidatorError,
  augmentAjvErrors,
} from 'express-openapi-validator/dist/middlewares/util.js';
import type { OpenApiDocument } from '../openapi/document.ts';
import type { ContractOperation } from '../openapi/load.ts';
import { type Check, createChecks } from './package-checks.ts';

/** What of a request is checked. */
export interface Sent {
  readonly query: object;
  readonly headers: object;
  readonly params: object;
  readonly body: unknown;
}

/** One thing that breaks the contract: where, as a JSON pointer, and by which keyword. */
export interface Violation {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string;
}

/** Each check gives all that is violated. */
export interface Validator {
  /** Fills in defaults, and gives parameters the types that the contract has for them, in place. */
  checkRequest(sent: Sent): readonly Violation[];
  checkReply(status: number, body: unknown): readonly Violation[];
}

export const createValidator = (document: OpenApiDocument, operation: ContractOperation): Validator => {
  let own: Validator | undefined;
  const validator = (): Validator => {
    own ??= build(document, operation);
    return own;
  };
  return {
    checkRequest: (sent) => validator().checkRequest(sent),
    checkReply: (status, body) => validator().checkReply(status, body),
  };
};

const build = (document: OpenApiDocument, operation: ContractOperation): Validator => {
  const { requests, replies } = createChecks(document, operation);
  return {
    checkRequest: (sent) => requests.flatMap((check) => (check(sent) ? [] : tell(check, 400))),
    checkReply: (status, body) => {
      const check = replies(String(status)) ?? replies('default');
      if (!check) return [{ path: '/response', message: `has no body of status ${status} in the contract` }];
      return check({ response: body }) ? [] : tell(check, 500);
    },
  };
};

const tell = ({ errors }: Check, status: number): readonly Violation[] =>
  ajvErrorsToValidatorError(status, augmentAjvErrors(errors ?? [])).errors;
