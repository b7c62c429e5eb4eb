/** The members of a request body, read by the contract's names for them (behaviour T2, T3, T5). */
import { MOST_VIOLATIONS } from '../core/errors.ts';
import {
  camelCase,
  join,
  type Problem,
  type SpellingRules,
  spelledTwice,
  toViolation,
  unknownName,
  useSnakeCase,
} from '../http/spelling.ts';
import type { JsonObject, OpenApiDocument } from '../openapi/document.ts';
import { type Members, membersOf } from '../openapi/members.ts';

export interface ReadMembers {
  /** By the contract's names, without members that count as absent. */
  readonly body: unknown;
  readonly problems: readonly Problem[];
  /** What was let through and ignored, in words. */
  readonly warnings: readonly string[];
}

/**
 * Walks body and schema side by side. What the schema leaves open (`api_config`, `metadata`) is data: kept as it is.
 * @param schema of the body, within `document`
 */
export const readMembers = (
  document: OpenApiDocument,
  schema: JsonObject,
  sent: unknown,
  rules: SpellingRules,
): ReadMembers => {
  const walk: Walk = { document, rules, problems: [], warnings: [] };
  const body = readValue(walk, membersOf(document, schema), sent, '');
  return { body, problems: walk.problems, warnings: walk.warnings };
};

/** What is known throughout one body, and what was found in it. */
interface Walk {
  readonly document: OpenApiDocument;
  readonly rules: SpellingRules;
  readonly problems: Problem[];
  readonly warnings: string[];
}

const readValue = (walk: Walk, described: Members, value: unknown, place: string): unknown => {
  if (Array.isArray(value)) {
    const items = described.items && membersOf(walk.document, described.items);
    return items ? value.map((item, index) => readValue(walk, items, item, `${place}[${index}]`)) : value;
  }
  if (typeof value !== 'object' || value === null || described.properties.size === 0) return value;
  const object = {};
  for (const [spelling, member] of Object.entries(value)) {
    const name = nameOf(walk, described, value, spelling, place);
    const known = described.properties.get(name);
    const members = known && membersOf(walk.document, known);
    if (!members) setOwn(object, spelling, member);
    else if (!countsAsAbsent(members, member))
      setOwn(object, name, readValue(walk, members, member, join(place, name)));
  }
  return object;
};

/** The contract's name for a member, with what is to be said about the name it was sent by. */
const nameOf = (walk: Walk, described: Members, object: object, spelling: string, place: string): string => {
  const name = aliasesOf(described).get(spelling) ?? spelling;
  const field = join(place, spelling);
  if (!described.properties.has(name)) {
    if (!described.isOpen) reportUnknown(walk, place, spelling, described);
  } else if (name !== spelling) {
    if (walk.rules.isStrict) walk.problems.push(useSnakeCase(field, join(place, name)));
    if (Object.hasOwn(object, name)) walk.problems.push(spelledTwice(join(place, name), field));
  }
  return name;
};

const reportUnknown = (
  { rules, problems, warnings }: Walk,
  place: string,
  name: string,
  { properties }: Members,
): void => {
  if (problems.length + warnings.length > MOST_VIOLATIONS) return;
  const unknown = unknownName(place, name, properties.keys(), 'member');
  if (rules.isStrict) problems.push(unknown);
  else warnings.push(toViolation(unknown).description);
};

/** Names that JSON-over-gRPC gateways use, and the contract's names for them. */
const aliasesOf = (described: Members): ReadonlyMap<string, string> => {
  const known = aliases.get(described);
  if (known) return known;
  const made = new Map<string, string>();
  for (const name of described.properties.keys())
    if (camelCase(name) !== name) made.set(camelCase(name), name);
  aliases.set(described, made);
  return made;
};
const aliases = new WeakMap<Members, ReadonlyMap<string, string>>();

/** Behaviour T5: Go without omitempty and Python with None send both. */
const countsAsAbsent = ({ type }: Members, value: unknown): boolean =>
  value === null || (value === '' && type === 'string');

/** A member of any name, `constructor` included, becomes a member like any other (behaviour T10). */
const setOwn = (object: object, name: string, value: unknown): void => {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
};
