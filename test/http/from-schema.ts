/** Values made from the schemas of a contract: good ones, and ones that are wrong in one way. */
import fc from 'fast-check';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  lookUpReference,
  type OpenApiDocument,
} from '../../src/openapi/document.ts';

/** Values that a schema should allow; now and then a keyword still refuses one. */
export const goodValue = (document: OpenApiDocument, written: JsonObject): fc.Arbitrary<Json> => {
  const schema = put(document, written);
  const forms = formsOf(schema);
  if (forms.length > 0)
    return fc.oneof(...forms.map((form) => goodValue(document, together([schema, form]))));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as Json[]));
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: Json) => goodValue(document, { ...schema, type })));
  const make = typeof schema.type === 'string' ? MAKERS[schema.type] : undefined;
  return make?.(document, schema) ?? fc.constantFrom<Json>('text', 7, true, { any: 'thing' }, ['one']);
};

/** Values with one thing wrong: a type, a bound, a pattern, a missing or unknown member, at any depth. */
export const wrongValue = (document: OpenApiDocument, written: JsonObject): fc.Arbitrary<Json> => {
  const schema = put(document, written);
  const own = formsOf(schema).map((form) => wrongValue(document, together([schema, form])));
  const members = [...wrongMembers(document, schema), ...wrongItems(document, schema)];
  return fc.oneof(fc.constantFrom(...wrongScalars(schema)), ...own, ...members);
};

/** What has the given members, with others now and then. */
const formsOf = ({ anyOf, oneOf }: JsonObject): JsonObject[] =>
  [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : [])).filter(isJsonObject);

/** The schema with its reference followed and the parts of `allOf` put together. */
const put = (document: OpenApiDocument, { $ref, allOf, ...schema }: JsonObject): JsonObject => {
  const target = typeof $ref === 'string' ? lookUpReference(document, $ref) : undefined;
  const parts = [...(isJsonObject(target) ? [target] : []), ...(Array.isArray(allOf) ? allOf : [])];
  return parts.length === 0 ? schema : together([...parts.map((part) => put(document, part)), schema]);
};

const together = (parts: readonly JsonObject[]): JsonObject => {
  const list = (name: string): Json[] => parts.flatMap((part) => (part[name] as Json[] | undefined) ?? []);
  const { anyOf, oneOf, ...all } = Object.assign({}, ...parts) as JsonObject;
  const properties = Object.assign({}, ...parts.map((part) => part.properties));
  const inner = parts.length > 0 && parts.at(-1);
  return {
    ...all,
    ...(inner && (inner.anyOf || inner.oneOf) && { anyOf: formsOf(inner) }),
    ...(Object.keys(properties).length > 0 && { properties }),
    required: [...new Set(list('required'))],
  };
};

type Make = (document: OpenApiDocument, schema: JsonObject) => fc.Arbitrary<Json>;

const LONG = 600;
const LETTERS = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCXYZ0123456789');

const makeText: Make = (_document, { format, pattern, minLength = 0, maxLength = LONG }) => {
  const [least, most] = [Number(minLength), Number(maxLength)];
  const known = FORMATS[String(format)];
  if (known) return fc.constantFrom(...known);
  if (typeof pattern === 'string') {
    const whole = new RegExp(pattern);
    return fc
      .stringMatching(new RegExp(pattern.replaceAll(/\(\?[=!][^)]*\)/g, ''))) // fast-check has no look-ahead
      .map((text) => (pattern.endsWith('$') ? text : text.padEnd(least, '0')))
      .filter(
        (text) => whole.test(text) && text.length >= least && text.length <= most && text.isWellFormed(),
      );
  }
  const usual = fc.string({ unit: LETTERS, minLength: least, maxLength: Math.min(most, least + 12) });
  return most < LONG ? fc.oneof(usual, fc.constant('a'.repeat(most))) : usual;
};

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2026-03-01T12:00:00Z', '2024-02-29T23:59:59.123+01:00'],
  uri: ['https://acme.test/verify?tab=1', 'http://localhost:3000/'],
  email: ['ada@acme.test', 'grace.hopper+1@mail.acme.test'],
  'duration-or-short': ['1h', '90s', 'PT1H30M'],
  'duration-of-a-second': ['1s', '15d'],
};

const makeNumber: Make = (_document, { minimum = -1_000, maximum = 1_000_000 }) =>
  fc.integer({ min: Number(minimum), max: Number(maximum) });

const makeList: Make = (document, { items, minItems = 0, maxItems = 3 }) =>
  fc.array(goodValue(document, isJsonObject(items) ? items : {}), {
    minLength: Number(minItems),
    maxLength: Math.max(Number(minItems), Math.min(Number(maxItems), 3)),
  });

const makeObject: Make = (document, schema) => {
  const properties = propertiesOf(schema);
  const required = requiredOf(schema).filter((name) => properties.has(name));
  // A member that asks for others, or for their absence, is left out where it may be.
  const alone = [...properties].filter(
    ([name]) => required.includes(name) || !(name in ((schema.dependentSchemas ?? {}) as object)),
  );
  const known = fc.record(
    Object.fromEntries(alone.map(([name, member]) => [name, goodValue(document, member)])),
    { requiredKeys: required },
  );
  const { additionalProperties: others, propertyNames: names } = schema;
  if (!isJsonObject(others)) return known as fc.Arbitrary<Json>;
  const name = goodValue(document, isJsonObject(names) ? names : { type: 'string', minLength: 3 });
  const more = fc.dictionary(name as fc.Arbitrary<string>, goodValue(document, others), { maxKeys: 3 });
  return fc.tuple(known, more).map(([own, other]) => ({ ...other, ...own }) as Json);
};

const MAKERS: Readonly<Record<string, Make>> = {
  string: makeText,
  integer: makeNumber,
  number: makeNumber,
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: makeList,
  object: makeObject,
};

const propertiesOf = ({ properties }: JsonObject): Map<string, JsonObject> =>
  new Map(
    Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, member]) =>
      isJsonObject(member) ? [[name, member] as const] : [],
    ),
  );

const requiredOf = ({ required }: JsonObject): string[] => (Array.isArray(required) ? required : []);

/** A value of every JSON type, and the nearest ones outside of every bound that the schema has. */
const wrongScalars = (schema: JsonObject): Json[] => [
  ...[null, true, 0.5, 2 ** 40, 'no such value', '', [], {}, ['list'], { any: 'thing' }],
  ...Object.entries(BEYOND).flatMap(([keyword, beyond]) => {
    const { [keyword]: bound } = schema;
    return bound === undefined ? [] : beyond(Number(bound));
  }),
];

/** What is just beyond a keyword's bound, or of another form than it asks for. */
const BEYOND: Readonly<Record<string, (bound: number) => Json[]>> = {
  minimum: (bound) => [bound - 1],
  maximum: (bound) => [bound + 1],
  minLength: (bound) => ['a'.repeat(Math.max(bound - 1, 0))],
  // Characters count, not code units; many of them make a URL too long for any server.
  maxLength: (bound) => ['a'.repeat(bound + 1), '\u{1f600}'.repeat(Math.min(bound, 500))],
  maxItems: (bound) => [Array<Json>(bound + 1).fill('a')],
  pattern: () => ['%', 'é', 'https://', '_ \n'],
  format: () => ['2026-02-31T12:00:00Z', '2026-03-01', 'a b@c', '5 parsecs', '://'],
};

/** A good object with one member wrong, missing or unknown. */
const wrongMembers = (document: OpenApiDocument, schema: JsonObject): fc.Arbitrary<Json>[] => {
  if (schema.type !== 'object') return [];
  const good = makeObject(document, schema) as fc.Arbitrary<JsonObject>;
  const withMember = (name: fc.Arbitrary<string>, value: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
    fc.tuple(good, name, value).map(([object, key, member]) => ({ ...object, [key]: member }));
  const { additionalProperties: others, propertyNames: names } = schema;
  return [
    withMember(fc.constant('unheard_of'), fc.constant('x')),
    ...[...propertiesOf(schema)].map(([name, member]) =>
      withMember(fc.constant(name), wrongValue(document, member)),
    ),
    ...requiredOf(schema).map((name) => good.map(({ [name]: _left, ...rest }) => rest)),
    ...(isJsonObject(others) ? [withMember(fc.constant('abc'), wrongValue(document, others))] : []),
    ...(isJsonObject(names)
      ? [withMember(fc.constantFrom('', 'ab', 'a'.repeat(300)), fc.constant('value'))]
      : []),
    ...(typeof schema.maxProperties === 'number' ? [fc.constant(crowded(schema.maxProperties))] : []),
  ];
};

const crowded = (most: number): Json =>
  Object.fromEntries(Array.from({ length: most + 1 }, (_, nth) => [`key_${nth}`, 'value']));

const wrongItems = (document: OpenApiDocument, { type, items }: JsonObject): fc.Arbitrary<Json>[] =>
  type === 'array' && isJsonObject(items) ? [wrongValue(document, items).map((item) => [item])] : [];
