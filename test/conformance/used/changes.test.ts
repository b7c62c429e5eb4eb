/** What `ca-mock diff` says about each change of a schema: to applications that use the changed value, and to others. */
import { expect, test } from '@jest/globals';
import { compare } from '../../../src/conformance/used/diff.ts';
import { readContract } from '../../../src/conformance/used/other-contract.ts';
import { contractWith, NUMBER, TEXT, tell, usedOf } from './small-contract.ts';

const LIST = { type: 'array', items: TEXT };
const OBJECT = { type: 'object' };
const less = (what: string): string => `may break: value is sent, but the contract now allows less: ${what}`;
const more = (what: string): string =>
  `may break: 200 value is returned, but the contract now allows more: ${what}`;
const sent = (words: string, effect = 'may break'): string => `${effect}: value is sent, but ${words}`;
const got = (words: string, effect = 'may break'): string => `${effect}: 200 value is returned, but ${words}`;
const NOTHING = undefined;

/** Keywords that nobody can judge. */
const UNJUDGED = {
  ...{ patternProperties: { '^a': TEXT }, unevaluatedProperties: false, dependentSchemas: { a: {} } },
  ...{ prefixItems: [TEXT], contains: TEXT, minContains: 2, if: {}, discriminator: { propertyName: 'kind' } },
  ...{ contentMediaType: 'image/png', contentEncoding: 'base64' },
};

/**
 * A schema, another one, what is said of the change from the first to the second where the value is sent, and what is
 * said of the change back where the value is returned.
 */
// biome-ignore format: one line for each change
const NARROWED: readonly (readonly [string, object, object, string | undefined, string | undefined])[] = [
  ['maxLength appears', TEXT, { ...TEXT, maxLength: 5 }, less('maxLength 5'), more('no maxLength')],
  ['maxLength', { ...TEXT, maxLength: 9 }, { ...TEXT, maxLength: 5 }, less('maxLength 5'), more('maxLength 9')],
  ['minLength', { ...TEXT, minLength: 1 }, { ...TEXT, minLength: 2 }, less('minLength 2'), more('minLength 1')],
  ['maximum', { ...NUMBER, maximum: 9 }, { ...NUMBER, maximum: 5 }, less('maximum 5'), more('maximum 9')],
  ['minimum', { ...NUMBER, minimum: -1 }, { ...NUMBER, minimum: 0 }, less('minimum 0'), more('minimum -1')],
  ['exclusiveMaximum', { ...NUMBER, maximum: 9 }, { ...NUMBER, exclusiveMaximum: 9 }, less('maximum 9, excluded'), more('maximum 9')],
  ['exclusiveMinimum', { ...NUMBER, exclusiveMinimum: 1 }, { ...NUMBER, exclusiveMinimum: 2 }, less('minimum 2, excluded'), more('minimum 1, excluded')],
  ['exclusiveMaximum of 3.0', { ...NUMBER, maximum: 9 }, { ...NUMBER, maximum: 9, exclusiveMaximum: true }, less('maximum 9, excluded'), more('maximum 9')],
  ['maxItems', { ...LIST, maxItems: 9 }, { ...LIST, maxItems: 5 }, less('maxItems 5'), more('maxItems 9')],
  ['minItems', LIST, { ...LIST, minItems: 1 }, less('minItems 1'), more('no minItems')],
  ['uniqueItems', LIST, { ...LIST, uniqueItems: true }, less('uniqueItems'), more('no uniqueItems')],
  ['minProperties', OBJECT, { ...OBJECT, minProperties: 1 }, less('minProperties 1'), more('no minProperties')],
  ['maxProperties', { ...OBJECT, maxProperties: 9 }, { ...OBJECT, maxProperties: 5 }, less('maxProperties 5'), more('maxProperties 9')],
  ['pattern appears', TEXT, { ...TEXT, pattern: '^a' }, less('pattern ^a'), more('no pattern')],
  ['pattern', { ...TEXT, pattern: '^a' }, { ...TEXT, pattern: '^b' }, sent('its pattern changed from ^a to ^b'), got('its pattern changed from ^b to ^a')],
  ['format appears', TEXT, { ...TEXT, format: 'email' }, less('format email'), more('no format')],
  ['format', { ...TEXT, format: 'uri' }, { ...TEXT, format: 'email' }, sent('its format changed from uri to email'), got('its format changed from email to uri')],
  ['a smaller format', { type: 'integer', format: 'int64' }, { type: 'integer', format: 'int32' }, less('format int32'), more('format int64')],
  ['multipleOf', { ...NUMBER, multipleOf: 5 }, { ...NUMBER, multipleOf: 10 }, less('multipleOf 10'), more('multipleOf 5')],
  ['const', { enum: ['a', 'b'] }, { const: 'a' }, NOTHING, got('can now be b')],
  ['enum appears', TEXT, { ...TEXT, enum: ['a', 'b'] }, sent('its value must now be a or b'), more('no enum')],
  ['not', TEXT, { ...TEXT, not: { const: 'x' } }, less('not {"const":"x"}'), more('no not')],
  ['another not', { ...TEXT, not: { const: 'y' } }, { ...TEXT, not: { const: 'x' } }, sent('its not changed from {"const":"y"} to {"const":"x"}'), got('its not changed from {"const":"x"} to {"const":"y"}')],
  ['another type', NUMBER, TEXT, sent('must now be string instead of number', 'breaks'), got('its type changed from string to number')],
  ['fewer types', { type: ['string', 'integer'] }, TEXT, sent('must now be string instead of string or integer'), got('can now be integer')],
  ['number to integer', NUMBER, { type: 'integer' }, sent('must now be integer instead of number'), got('can now be number')],
  ['a type appears', {}, TEXT, sent('must now be string instead of anything'), more('no type')],
  ['null', { type: ['string', 'null'] }, TEXT, sent('can no longer be null'), got('can now be null')],
  ['nullable of 3.0', { ...TEXT, nullable: true }, TEXT, sent('can no longer be null'), got('can now be null')],
  ['nullable beside allOf', { allOf: [TEXT], nullable: true }, { allOf: [TEXT] }, sent('can no longer be null'), got('can now be null')],
  ['additionalProperties: false', OBJECT, { ...OBJECT, additionalProperties: false }, less('additionalProperties'), got('can now have other members', 'new')],
  ['a schema for other members', { ...OBJECT, additionalProperties: true }, { ...OBJECT, additionalProperties: TEXT }, 'may break: value.* is sent, but must now be string instead of anything', 'may break: 200 value.* is returned, but the contract now allows more: no type'],
  ['other members of another type', { ...OBJECT, additionalProperties: NUMBER }, { ...OBJECT, additionalProperties: TEXT }, 'breaks: value.* is sent, but must now be string instead of number', 'may break: 200 value.* is returned, but its type changed from string to number'],
  ['limits of other members', { ...OBJECT, additionalProperties: TEXT }, { ...OBJECT, additionalProperties: { ...TEXT, maxLength: 5 } }, 'may break: value.* is sent, but the contract now allows less: maxLength 5', 'may break: 200 value.* is returned, but the contract now allows more: no maxLength'],
  ['propertyNames', OBJECT, { ...OBJECT, propertyNames: { pattern: '^a' } }, 'may break: value (names) is sent, but the contract now allows less: pattern ^a', 'may break: 200 value (names) is returned, but the contract now allows more: no pattern'],
  ['items of another type', { ...LIST, items: NUMBER }, LIST, 'breaks: value[] is sent, but must now be string instead of number', 'may break: 200 value[] is returned, but its type changed from string to number'],
  ['limits of items', LIST, { ...LIST, items: { ...TEXT, maxLength: 5 } }, 'may break: value[] is sent, but the contract now allows less: maxLength 5', 'may break: 200 value[] is returned, but the contract now allows more: no maxLength'],
  ['a limit in allOf', { allOf: [TEXT, { maxLength: 9 }] }, { allOf: [TEXT, { maxLength: 5 }] }, less('maxLength 5'), more('maxLength 9')],
  ['one alternative less', { oneOf: [TEXT, NUMBER] }, { oneOf: [TEXT] }, sent('must now be string instead of string or number'), got('can now be number')],
  ['a limit of one alternative', { anyOf: [TEXT, NUMBER] }, { anyOf: [{ ...TEXT, maxLength: 5 }, NUMBER] }, less('maxLength 5'), more('no maxLength')],
  ['a limit by reference', { $ref: '#/components/schemas/Text' }, { allOf: [{ $ref: '#/components/schemas/Text' }, { maxLength: 5 }] }, less('maxLength 5'), more('no maxLength')],
  ['a smaller format of fractions', { ...NUMBER, format: 'double' }, { ...NUMBER, format: 'float' }, less('format float'), more('format double')],
  ['boolean to text', { type: 'boolean' }, TEXT, sent('must now be string instead of boolean', 'breaks'), got('its type changed from string to boolean')],
  ['list to object', LIST, OBJECT, sent('must now be object instead of array', 'breaks'), got('its type changed from object to array')],
  ['null in an enum', { enum: ['a', null] }, { enum: ['a'] }, sent('can no longer be null'), got('can now be null')],
  ['an enum with null appears', { type: ['string', 'null'] }, { type: ['string', 'null'], enum: ['a', null] }, sent('its value must now be a or null'), more('no enum')],
  ['no other members any more', { ...OBJECT, additionalProperties: TEXT }, { ...OBJECT, additionalProperties: false }, less('additionalProperties'), got('can now have other members', 'new')],
  ['a list of lists', { type: 'array', items: LIST }, { type: 'array', items: { ...LIST, maxItems: 5 } }, 'may break: value[] is sent, but the contract now allows less: maxItems 5', 'may break: 200 value[] is returned, but the contract now allows more: no maxItems'],
  ['a limit of whole numbers as an alternative', { anyOf: [TEXT, { type: 'integer' }] }, { anyOf: [TEXT, { type: 'integer', maximum: 5 }] }, less('maximum 5'), more('no maximum')],
  ['the tighter of two limits', { ...NUMBER, maximum: 9, exclusiveMaximum: 5 }, { ...NUMBER, exclusiveMaximum: 5 }, NOTHING, NOTHING],
  ['the excluded one of equal limits', { ...NUMBER, minimum: 5, exclusiveMinimum: 5 }, { ...NUMBER, exclusiveMinimum: 5 }, NOTHING, NOTHING],
  ['the tighter limit in allOf', { allOf: [{ ...TEXT, maxLength: 9 }, { maxLength: 5 }] }, { ...TEXT, maxLength: 5 }, NOTHING, NOTHING],
  ['the looser limit of alternatives', { anyOf: [{ ...TEXT, maxLength: 9 }, { ...TEXT, maxLength: 5 }] }, { ...TEXT, maxLength: 9 }, NOTHING, NOTHING],
  ['a reference in a keyword written out', { ...OBJECT, not: { $ref: '#/components/schemas/Text' } }, { ...OBJECT, not: TEXT }, NOTHING, NOTHING],
  ['enum in another order', { enum: ['a', 'b'] }, { enum: ['b', 'a'] }, NOTHING, NOTHING],
  ['types in another order', { type: ['string', 'integer'] }, { type: ['integer', 'string'] }, NOTHING, NOTHING],
  ['alternatives in another order', { oneOf: [TEXT, NUMBER] }, { anyOf: [NUMBER, TEXT] }, NOTHING, NOTHING],
  ['allOf written out', { allOf: [TEXT, { maxLength: 5 }] }, { ...TEXT, maxLength: 5 }, NOTHING, NOTHING],
  ['allOf in allOf', { allOf: [{ allOf: [TEXT] }, { maxLength: 5 }] }, { allOf: [{ maxLength: 5 }, TEXT] }, NOTHING, NOTHING],
  ['a reference written out', { $ref: '#/components/schemas/Text' }, TEXT, NOTHING, NOTHING],
  ['null in the way of 3.1', { ...TEXT, nullable: true }, { type: ['string', 'null'] }, NOTHING, NOTHING],
  ['null as an alternative', { type: ['string', 'null'] }, { oneOf: [TEXT, { type: 'null' }] }, NOTHING, NOTHING],
  ['an excluded limit in the way of 3.1', { ...NUMBER, maximum: 9, exclusiveMaximum: true }, { ...NUMBER, exclusiveMaximum: 9 }, NOTHING, NOTHING],
  ['const instead of an enum of one', { enum: ['a'] }, { const: 'a' }, NOTHING, NOTHING],
  ...Object.entries(UNJUDGED).map(([name, value]) => [name, OBJECT, { ...OBJECT, [name]: value }, sent(`${name} changed: look at it`), got(`${name} changed: look at it`)] as const),
];

/** The reverse of these changes says nothing, or only reports keywords that nobody can judge. */
const isReversible = (words: string | undefined): boolean => !/changed|anything|instead/.test(words ?? '');

test.each(
  NARROWED,
)('a sent value is reported when less is allowed, a returned value when more is: %s', (_what, wide, narrow, whenSent, whenReturned) => {
  const wideSent = contractWith(wide, TEXT);
  const narrowSent = contractWith(narrow, TEXT);
  expect(tell(usedOf('send'), wideSent, narrowSent)).toEqual([whenSent ?? []].flat());
  const [wideGot, narrowGot] = [contractWith(TEXT, wide), contractWith(TEXT, narrow)];
  expect(tell(usedOf('send'), narrowGot, wideGot)).toEqual([whenReturned ?? []].flat());
  for (const [before, after] of [
    [wideSent, narrowSent],
    [narrowGot, wideGot],
  ]) {
    expect(tell(usedOf('other', { sends: [], gets: { 200: [] } }), before, after)).toEqual([]);
    expect(tell(usedOf('send', { sends: ['other'], gets: {} }), before, after)).toEqual([]);
  }
  if (isReversible(whenSent)) expect(tell(usedOf('send'), narrowSent, wideSent)).toEqual([]);
  if (isReversible(whenReturned)) expect(tell(usedOf('send'), wideGot, narrowGot)).toEqual([]);
});

test('a value that is sent and no longer listed breaks; others that were removed do not', () => {
  const [before, after] = [
    ['a', 'b', 'c', 'x=y'],
    ['b', 'd', 'x=y'],
  ].map((values) => contractWith({ enum: values }, TEXT));
  const used = (value: string) => usedOf('send', { sends: [`value=${value}`], gets: {} });
  expect(tell(used('a'), before, after)).toEqual([
    'breaks: value=a is sent, but this value is no longer allowed',
  ]);
  for (const value of ['b', 'x=y']) expect(tell(used(value), before, after)).toEqual([]);
  const [three, two] = [
    [1, 2, 3],
    [1, 2],
  ].map((values) => contractWith({ enum: values }, TEXT));
  expect(tell(used('2'), three, two)).toEqual([]);
  expect(tell(used('3'), three, two)).toHaveLength(1);
});

test('a member that another one needs breaks only for who sends that one alone', () => {
  const before = contractWith({ type: 'object', properties: { a: TEXT, b: TEXT } }, TEXT);
  const after = contractWith(
    { type: 'object', properties: { a: TEXT, b: TEXT }, dependentRequired: { a: ['b'] } },
    TEXT,
  );
  const told = (...sends: string[]) => tell(usedOf('send', { sends, gets: {} }), before, after);
  expect(told('value.a')).toEqual(['breaks: value is sent, but now needs b, if a is present']);
  expect(told('value.b')).toEqual([]);
  expect(told('value.a', 'value.b')).toEqual([]);
});

test('a contract does not change for itself', async () => {
  const own = await readContract('openapi.yaml');
  const all = own.operations.map(({ operationId, definition }) => {
    const gets = Object.fromEntries(Object.keys(definition.responses).map((status) => [status, []]));
    return [operationId, { sends: [], gets }];
  });
  expect(compare({ format: 1, api: '1', operations: Object.fromEntries(all) }, own)).toEqual([]);
});
