/** What each keyword of a schema allows, and which of two schemas allows more. Handles OpenAPI 3.0 and 3.1. */
import {
  follow,
  isJsonObject,
  type Json,
  type JsonObject,
  type OpenApiDocument,
} from '../../contract/document.ts';
import type { Place } from '../../contract/members.ts';

/** What a schema says with one keyword: a list of values, or a limit. */
type Said = readonly Json[];

/** How to read and compare a keyword. A schema without the keyword allows everything. */
interface Rule {
  /** The JSON type of the values that the keyword limits. Default: any. */
  readonly of?: string;
  read(schema: JsonObject, document: OpenApiDocument): Said | undefined;
  /** What two parts of an `allOf` say together. */
  both(one: Said, other: Said): Said;
  /** What two alternatives of a `oneOf` or `anyOf` say together. */
  either(one: Said, other: Said): Said;
  /** Whether `outer` allows everything that `inner` allows. */
  isWithin(inner: Said, outer: Said): boolean;
  /** Whether a change counts even if only some alternatives have the keyword. */
  readonly countsInSome?: boolean;
}

const union = (one: Said, other: Said): Said => [...new Set([...one, ...other])];

/** A list of allowed values, of which `accepts` finds one. */
const listed = (accepts: (values: Said, value: Json) => boolean): Omit<Rule, 'read'> => ({
  both: (one, other) =>
    union(
      one.filter((value) => accepts(other, value)),
      other.filter((value) => accepts(one, value)),
    ),
  either: union,
  isWithin: (inner, outer) => inner.every((value) => accepts(outer, value)),
});

export const accepts = (types: Said, type: Json): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'));

/** The types of a schema. Without `type`, the other keywords tell. */
const readTypes = ({ type, properties, items, ...schema }: JsonObject): Said | undefined => {
  const values = readValues(schema);
  if (type !== undefined) return [type].flat();
  if (values) return [...new Set(values.map(typeOf))];
  if (properties !== undefined) return ['object'];
  return items === undefined ? undefined : ['array'];
};

export const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
};

const readValues = (schema: JsonObject): Said | undefined =>
  Array.isArray(schema.enum) ? schema.enum : schema.const === undefined ? undefined : [schema.const];

/** A limit and whether the limit itself is excluded. @param sign 1 for a lower limit, -1 for an upper one */
const limit = (of: string, sign: 1 | -1, keyword: string, exclusive = ''): Rule => {
  const isTighter = ([one, isExcluded]: Said, [other, isOtherExcluded]: Said): boolean =>
    one === other
      ? isExcluded === true && isOtherExcluded !== true
      : (Number(one) - Number(other)) * sign > 0;
  return {
    of,
    read: ({ [keyword]: edge, [exclusive]: excluded }) => {
      const limits: Said[] = [
        ...(typeof edge === 'number' ? [[edge, excluded === true]] : []),
        ...(typeof excluded === 'number' ? [[excluded, true]] : []),
      ];
      return limits.sort((one, other) => (isTighter(one, other) ? -1 : 1))[0];
    },
    both: (one, other) => (isTighter(one, other) ? one : other),
    either: (one, other) => (isTighter(one, other) ? other : one),
    isWithin: (inner, outer) => !isTighter(outer, inner),
  };
};

/** Conditions that must all hold, such as patterns. The more there are, the less is allowed. */
const conditions = (
  of: string | undefined,
  read: Rule['read'],
  implies = (one: Json, other: Json) => one === other,
): Rule => ({
  ...(of !== undefined && { of }),
  read,
  both: union,
  either: union,
  countsInSome: true,
  isWithin: (inner, outer) => outer.every((one) => inner.some((other) => implies(other, one))),
});

/** A keyword whose value is compared as a whole. */
const opaque = (keyword: string, of?: string): Rule =>
  conditions(of, (schema, document) =>
    schema[keyword] === undefined ? undefined : [canonical(document, schema[keyword])],
  );

const flag = (of: string, isSet: (schema: JsonObject) => boolean): Rule =>
  conditions(of, (schema) => (isSet(schema) ? [true] : undefined));

const WIDER_FORMATS: Readonly<Record<string, string>> = { int32: 'int64', float: 'double' };

const RULES: Readonly<Record<string, Rule>> = {
  type: { ...listed(accepts), read: readTypes },
  enum: { ...listed((values, value) => values.includes(value)), read: readValues },
  minLength: limit('string', 1, 'minLength'),
  maxLength: limit('string', -1, 'maxLength'),
  minimum: limit('number', 1, 'minimum', 'exclusiveMinimum'),
  maximum: limit('number', -1, 'maximum', 'exclusiveMaximum'),
  minItems: limit('array', 1, 'minItems'),
  maxItems: limit('array', -1, 'maxItems'),
  minProperties: limit('object', 1, 'minProperties'),
  maxProperties: limit('object', -1, 'maxProperties'),
  pattern: opaque('pattern', 'string'),
  format: conditions(
    undefined,
    ({ format }) => (format === undefined ? undefined : [format]),
    (one, other) => one === other || WIDER_FORMATS[String(one)] === other,
  ),
  multipleOf: conditions(
    'number',
    ({ multipleOf }) => (typeof multipleOf === 'number' ? [multipleOf] : undefined),
    (one, other) => Number.isInteger(Number(one) / Number(other)),
  ),
  uniqueItems: flag('array', ({ uniqueItems }) => uniqueItems === true),
  additionalProperties: flag('object', ({ additionalProperties }) => additionalProperties === false),
  dependentRequired: conditions('object', ({ dependentRequired }) => {
    const pairs = Object.entries(isJsonObject(dependentRequired) ? dependentRequired : {});
    return dependentRequired === undefined
      ? undefined
      : pairs.flatMap(([name, needed]) => [needed].flat().map((one) => `${one}, if ${name} is present`));
  }),
  not: opaque('not'),
};

/** Keywords that are compared in another way, or that describe values without limiting them. */
const OTHERS = new Set(
  '$ref $defs $id $schema $anchor $comment allOf anyOf oneOf const exclusiveMinimum exclusiveMaximum nullable properties required items propertyNames readOnly writeOnly title description default deprecated example examples externalDocs xml'.split(
    ' ',
  ),
);

/** What a schema says with each keyword, by name. */
export type View = ReadonlyMap<string, Said>;

/** Combines a schema with its parts. */
export const viewOf = ({ document, schema }: Pick<Place, 'document' | 'schema'>): View => {
  const form = follow(document, schema);
  const own = Object.keys({ ...RULES, ...form }).flatMap((name) => {
    const said = limitsNothing(name) ? undefined : ruleOf(name).read(form, document);
    return said ? [[name, said] as const] : [];
  });
  const viewsIn = (list: Json | undefined): readonly View[] =>
    Array.isArray(list) ? list.map((part) => viewOf({ document, schema: Object(part) })) : [];
  const chosen = [form.oneOf, form.anyOf].map(viewsIn).filter(({ length }) => length > 0);
  const target = typeof form.$ref === 'string' ? [viewOf({ document, schema: form })] : [];
  const parts = [new Map(own), ...target, ...viewsIn(form.allOf), ...chosen.map(anyOf)];
  const view = new Map(parts.reduce<View>(allOf, new Map()));
  const types = view.get('type');
  if (form.nullable === true && types) view.set('type', union(types, ['null'])); // in 3.0, also beside `allOf`
  return view;
};

const limitsNothing = (name: string): boolean => OTHERS.has(name) || name.startsWith('x-');

/** The rule of a keyword. A keyword that is not in the table is compared as a whole. */
const ruleOf = (name: string): Rule => RULES[name] ?? opaque(name);

const allOf = (one: View, other: View): View =>
  new Map(
    [...new Set([...one.keys(), ...other.keys()])].map((name) => {
      const [left, right] = [one.get(name), other.get(name)];
      return [name, left && right ? ruleOf(name).both(left, right) : (left ?? right ?? [])];
    }),
  );

/** A keyword of only some alternatives limits nothing, but where the others allow no value of the type it is about. */
const anyOf = (views: readonly View[]): View => {
  const names = new Set(views.flatMap((view) => [...view.keys()]));
  return new Map(
    [...names].flatMap((name) => {
      const { of, either, countsInSome = false } = ruleOf(name);
      const concerned = views.filter((view) => of === undefined || allowsType(view, of));
      const said = concerned.map((view) => view.get(name)).filter((one) => one !== undefined);
      const isLimited = said.length > 0 && (countsInSome || said.length === concerned.length);
      return isLimited ? [[name, said.reduce((one, other) => either(one, other))] as const] : [];
    }),
  );
};

const allowsType = (view: View, type: string): boolean => {
  const types = view.get('type');
  return !types || types.includes(type) || (type === 'number' && types.includes('integer'));
};

export interface KeywordDifference {
  readonly keyword: string;
  readonly was: Said | undefined;
  readonly is: Said | undefined;
  /** Whether values that were allowed are no longer allowed. */
  readonly allowsLess: boolean;
  /** Whether values that were not allowed are allowed now. */
  readonly allowsMore: boolean;
  /** Whether the table has the keyword. Without it, nobody knows whether the change allows more or less. */
  readonly isKnown: boolean;
}

/** The differences of two schemas. If no type is left that both allow, the types alone, since they say it all. */
export const differencesOf = (before: View, after: View): readonly KeywordDifference[] => {
  const [from, to] = [before, after].map((view) =>
    (view.get('type') ?? []).filter((type) => type !== 'null'),
  );
  const isOther =
    from?.length &&
    to?.length &&
    ![...to].some((type) => accepts(from, type)) &&
    !from.some((type) => accepts(to, type));
  const keywords = isOther ? ['type'] : new Set([...before.keys(), ...after.keys()]);
  return [...keywords].flatMap((keyword) => {
    const [was, is] = [before.get(keyword), after.get(keyword)];
    const { isWithin } = ruleOf(keyword);
    const allowsLess = is !== undefined && !(was && isWithin(was, is));
    const allowsMore = was !== undefined && !(is && isWithin(is, was));
    const isKnown = Object.hasOwn(RULES, keyword);
    return allowsLess || allowsMore ? [{ keyword, was, is, allowsLess, allowsMore, isKnown }] : [];
  });
};

/** A value as text that is equal for equal meaning: sorted names, no descriptions, references replaced by their targets. */
const canonical = (document: OpenApiDocument, value: unknown, around: readonly unknown[] = []): string => {
  const plain = (given: unknown, above: readonly unknown[]): unknown => {
    if (Array.isArray(given)) return given.map((each) => plain(each, above));
    if (!isJsonObject(given)) return given;
    if (typeof given.$ref === 'string')
      return above.includes(given.$ref) ? given : plain(follow(document, given), [...above, given.$ref]);
    const kept = Object.keys(given).filter((name) => !/^(description|title|examples?|x-.*)$/.test(name));
    return Object.fromEntries(kept.sort().map((name) => [name, plain(given[name], above)]));
  };
  return typeof value === 'string' ? value : JSON.stringify(plain(value, around));
};
