/** Reads the input of a call by the contract's names, before validation (behaviour T2, T3, T5). */
import {
  createQueryReader,
  type Findings,
  join,
  nameOf,
  rawQuery,
  readName,
  type SpellingRules,
} from '../http/names.ts';
import type { JsonObject, OpenApiDocument } from '../openapi/document.ts';
import type { Contract, ContractOperation } from '../openapi/load.ts';
import { bodyOf, type Members, membersOf } from '../openapi/members.ts';
import type { Call, CallWithInput } from './call.ts';

/** Whether a call has `X-Mock-Strict: 1`, or `true`, ignoring case. */
export const asksForStrict = ({ request: { headers } }: Pick<Call, 'request'>): boolean =>
  /^(?:1|true)$/i.test(String(headers['x-mock-strict'] ?? ''));

/**
 * Makes a function that reads query and body, and returns their values under the names that the contract uses. The validator adds its problems to the problems
 * found here, so that one refusal lists them all.
 */
export const createNamesReader = ({ document }: Contract, operation: ContractOperation) => {
  const readQuery = createQueryReader(operation);
  const { schema, kind } = bodyOf(document, operation.definition) ?? {};
  // Token requests may have extra fields (behaviour E3), and a body that is not a form parses as one long name.
  const isForm = kind === 'application/x-www-form-urlencoded';
  return (
    call: Call & { readonly body?: unknown },
  ): Omit<CallWithInput, keyof Call | 'operation' | 'bodyText'> => {
    const isStrict = call.environment.current.settings.strict || asksForStrict(call);
    const { query, problems, warnings } = readQuery(rawQuery(call.request), { isStrict });
    const walk: Walk = { document, rules: { isStrict: isStrict && !isForm }, problems: [], warnings: [] };
    const body = schema ? readValue(walk, schema, call.body === undefined ? {} : call.body, '') : {};
    return {
      query,
      body,
      sentNames: Object.keys(query),
      problems: [...problems, ...walk.problems],
      warnings: [...warnings, ...(isForm ? [] : walk.warnings)],
    };
  };
};

/** The context of a walk through one body, and its findings. */
interface Walk extends Findings {
  readonly document: OpenApiDocument;
  readonly rules: SpellingRules;
}

/**
 * Walks value and schema together; returns the value by the contract's names, without members that count as absent.
 * Data that the schema leaves open (`api_config`, `metadata`) stays as it is.
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

/** Finds a name one level below: `connected_account.api_config`. */
const findBelow = (document: OpenApiDocument, names: Members['properties'], spelling: string) => {
  for (const [owner, schema] of names) {
    const { properties } = membersOf(document, schema);
    const name = nameOf(properties, spelling);
    if (properties.has(name)) return join(owner, name);
  }
  return undefined;
};

/**
 * Whether a value means that the member is absent: Go without omitempty sends "", and Python sends null for None
 * (behaviour T5).
 */
const countsAsAbsent = ({ type, mayBeEmpty }: Members, value: unknown): boolean =>
  value === null || (value === '' && type === 'string' && !mayBeEmpty);

/** Sets a member even if its name is special, such as `constructor` (behaviour T10). */
const setOwn = (object: object, name: string, value: unknown): void => {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
};
