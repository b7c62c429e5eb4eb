/** The body of a call, read by the contract's names before it is validated (behaviour T2, T3, T5). */
import type { Request, RequestHandler, Response } from 'express';
import { addProblems, addWarnings } from '../http/progress.ts';
import { type Findings, join, nameOf, readName, type SpellingRules } from '../http/spelling.ts';
import type { JsonObject, OpenApiDocument } from '../openapi/document.ts';
import type { Contract, ContractOperation } from '../openapi/load.ts';
import { bodyOf, type Members, membersOf } from '../openapi/members.ts';
import { callOf } from './call.ts';

/** How names are read in a call (behaviour T2, T3). */
export const spellingRules = (_request: Request, response: Response): SpellingRules => {
  const { request, environment } = callOf(response);
  return { isStrict: environment.current.settings.strict || asksForStrict(request) };
};

/** `X-Mock-Strict: 1`, or `true` in any case. */
export const asksForStrict = ({ headers }: Request): boolean =>
  /^(?:1|true)$/i.test(String(headers['x-mock-strict'] ?? ''));

/** Sets `request.body`; the problems found are answered together with what the validator finds. */
export const readBodyNames = ({ document }: Contract, operation: ContractOperation): RequestHandler => {
  const { schema, kind } = bodyOf(document, operation.definition) ?? {};
  const isForm = kind === 'application/x-www-form-urlencoded';
  return (request, response, next) => {
    // Token requests may have any other field (behaviour E3), and a body that is not a form reads as one long name.
    const rules = isForm ? { isStrict: false } : spellingRules(request, response);
    const walk: Walk = { document, rules, problems: [], warnings: [] };
    if (schema) request.body = readValue(walk, schema, request.body, '');
    addProblems(response, walk.problems);
    if (!isForm) addWarnings(response, walk.warnings);
    next();
  };
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
const countsAsAbsent = ({ type, mayBeEmpty }: Members, value: unknown): boolean =>
  value === null || (value === '' && type === 'string' && !mayBeEmpty);

/** A member of any name, `constructor` included, becomes a member like any other (behaviour T10). */
const setOwn = (object: object, name: string, value: unknown): void => {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
};
