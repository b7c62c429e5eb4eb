/** Query and body of a call, read by the contract's names for them before they are validated (behaviour T2, T3, T5). */
import type { RequestHandler } from 'express';
import { invalidArgument } from '../core/errors.ts';
import { createQueryReader } from '../http/query.ts';
import { type Findings, join, nameOf, readName, type SpellingRules, toViolation } from '../http/spelling.ts';
import type { JsonObject, OpenApiDocument } from '../openapi/document.ts';
import type { Contract, ContractOperation } from '../openapi/load.ts';
import { bodyOf, type Members, membersOf } from '../openapi/members.ts';
import { type Call, callOf } from './call.ts';
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
    const walk: Walk = { document, rules, problems: [], warnings: [] };
    if (schema) request.body = readValue(walk, schema, request.body, '');
    call.sentNames = Object.keys(query);
    call.problems = [...problems, ...walk.problems].map(toViolation);
    // Token requests may have any other field (behaviour E3), and what is no form reads as one long name.
    call.warnings = kind === 'application/json' ? [...warnings, ...walk.warnings] : warnings;
    next();
  };
};

const isStrict = ({ request, environment }: Call): boolean =>
  environment.current.settings.strict || request.headers['x-mock-strict'] === '1';

/** For a call in which the validator found nothing. @throws Refusal 400 with what is wrong all the same */
export const refuseProblems: RequestHandler = (_request, response, next) => {
  const call = callOf(response);
  if (call.problems.length > 0) throw invalidArgument([...call.problems, ...ownViolations(call)]);
  next();
};

/** What is known throughout one body, and what was found in it. */
interface Walk extends Findings {
  readonly document: OpenApiDocument;
  readonly rules: SpellingRules;
}

/**
 * Walks value and schema side by side; gives the value by the contract's names, without members that count as absent.
 * What the schema leaves open (`api_config`, `metadata`) is data: kept as it is.
 */
const readValue = (walk: Walk, schema: JsonObject, value: unknown, path: string): unknown => {
  const { properties: names, isOpen, items, type } = membersOf(walk.document, schema);
  if (Array.isArray(value))
    return items ? value.map((item, index) => readValue(walk, items, item, `${path}[${index}]`)) : value;
  const hasNames = names.size > 0 || (type === 'object' && !isOpen);
  if (typeof value !== 'object' || value === null || !hasNames) return value;
  const sent = Object.entries(value).filter(([spelling, member]) => {
    const known = names.get(nameOf(names, spelling));
    return !known || !countsAsAbsent(membersOf(walk.document, known), member);
  });
  const isSent = (spelling: string): boolean => sent.some(([name]) => name === spelling);
  const placeBelow = (spelling: string): string | undefined => findBelow(walk.document, names, spelling);
  const place = { path, kind: 'member', names, isOpen, isSent, placeBelow } as const;
  const object = {};
  for (const [spelling, member] of sent) {
    const name = readName(place, spelling, walk.rules, walk);
    const known = names.get(name);
    setOwn(object, name, known ? readValue(walk, known, member, join(path, name)) : member);
  }
  return object;
};

/** The member of a member that has a name: `connected_account.api_config`. */
const findBelow = (document: OpenApiDocument, names: Members['properties'], spelling: string) => {
  for (const [owner, schema] of names) {
    const { properties } = membersOf(document, schema);
    const name = nameOf(properties, spelling);
    if (properties.has(name)) return join(owner, name);
  }
  return undefined;
};

/** Behaviour T5: Go without omitempty and Python with None send both. */
const countsAsAbsent = ({ type }: Members, value: unknown): boolean =>
  value === null || (value === '' && type === 'string');

/** A member of any name, `constructor` included, becomes a member like any other (behaviour T10). */
const setOwn = (object: object, name: string, value: unknown): void => {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
};
