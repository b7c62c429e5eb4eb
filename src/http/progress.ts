/** What is known of a call on its way through a plane: its operation, and what is wrong with its input so far. */
import type { RequestHandler, Response } from 'express';
import { type FieldViolation, invalidArgument } from '../core/errors.ts';
import type { ContractOperation } from '../openapi/load.ts';

/** The first step of every operation. */
export const recognise =
  (operation: ContractOperation<string>): RequestHandler =>
  (_request, response, next) => {
    response.locals.operation = operation;
    next();
  };

/** Undefined for a path or a method that no operation has. */
export const operationOf = <Id extends string = string>({
  locals,
}: Response): ContractOperation<Id> | undefined => locals.operation;

/** Keeps what is wrong with a call, to be answered together with what the validator finds. */
export const addProblems = (response: Response, problems: readonly FieldViolation[]): void => {
  if (problems.length > 0) response.locals.problems = [...problemsOf(response), ...problems];
};

export const problemsOf = ({ locals }: Response): readonly FieldViolation[] => locals.problems ?? [];

/** What was let through and ignored, in words. */
export const warningsOf = ({ locals }: Response): readonly string[] => locals.warnings ?? [];

export const addWarnings = (response: Response, warnings: readonly string[]): void => {
  if (warnings.length > 0) response.locals.warnings = [...warningsOf(response), ...warnings];
};

/** For a call in which the validator found nothing. @throws Refusal 400 with what is wrong all the same */
export const refuseProblems: RequestHandler = (_request, response, next) => {
  const problems = problemsOf(response);
  if (problems.length > 0) throw invalidArgument(problems);
  next();
};
