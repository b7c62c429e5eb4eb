/** Query and body of a call, read by the contract's names for them before they are validated (behaviour T2, T3, T5). */
import type { RequestHandler } from 'express';
import { invalidArgument } from '../core/errors.ts';
import { createQueryReader } from '../http/query.ts';
import { toViolation } from '../http/spelling.ts';
import type { Contract, ContractOperation } from '../openapi/load.ts';
import { bodyOf } from '../openapi/members.ts';
import { type Call, callOf } from './call.ts';
import { readMembers } from './members.ts';
import { ownViolations } from './rules.ts';

/** Sets `request.query` and `request.body`; what it finds wrong is answered together with what the validator finds. */
export const readInput = ({ document }: Contract, operation: ContractOperation): RequestHandler => {
  const readQuery = createQueryReader(operation);
  const { schema, kind } = bodyOf(document, operation.definition) ?? {};
  return (request, response, next) => {
    const call = callOf(response);
    const rules = { isStrict: isStrict(call) };
    const { query, problems, warnings } = readQuery(request.url.split(/\?(.*)/s)[1] ?? '', rules);
    // Express parses the query again each time it is asked for, so the read one is put in its place.
    Object.defineProperty(request, 'query', { value: query, writable: true, configurable: true });
    const members = schema && readMembers(document, schema, request.body, rules);
    if (members) request.body = members.body;
    call.sentNames = Object.keys(query);
    call.problems = [...problems, ...(members?.problems ?? [])].map(toViolation);
    // Token requests may have any other field (behaviour E3), and what is no form reads as one long name.
    call.warnings = kind === 'application/json' ? [...warnings, ...(members?.warnings ?? [])] : warnings;
    next();
  };
};

const isStrict = ({ request, environment }: Call): boolean =>
  environment.current.settings.strict || request.headers['x-mock-strict'] === '1';

/** For a call in which the validator found nothing. @throws ApiError 400 with what is wrong all the same */
export const refuseProblems: RequestHandler = (_request, response, next) => {
  const call = callOf(response);
  if (call.problems.length > 0) throw invalidArgument([...call.problems, ...ownViolations(call)]);
  next();
};
