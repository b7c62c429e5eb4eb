/**
 * What `ca-mock diff` says about each change of a contract: to an application that uses the changed part, and to one
 * that does not. The contracts here are small, so that every keyword can change.
 */
import { expect, test } from '@jest/globals';
import { compare } from '../../../src/conformance/used/diff.ts';
import { readContract } from '../../../src/conformance/used/other-contract.ts';
import type { UsedFile } from '../../../src/conformance/used/used.ts';
import type { OpenApiDocument } from '../../../src/contract/document.ts';
import { toContract } from '../../../src/contract/load.ts';

type Json = ReturnType<typeof JSON.parse>;

/** A contract with an operation that sends and returns a value with these schemas, and another operation. */
const contractWith = (sent: object, returned: object): Json => ({
  openapi: '3.1.0',
  info: { title: 'Small', version: '1' },
  servers: [{ url: 'http://mock.local' }],
  security: [{ bearer: [] }],
  paths: {
    '/things/{id}': {
      post: {
        operationId: 'send',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 20 } },
          { name: 'page', in: 'query', schema: { type: 'integer', default: 10 } },
          { name: 'X-Known', in: 'header', schema: { type: 'string' } },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', properties: { value: sent, other: { type: 'string' } } },
            },
          },
        },
        responses: {
          200: {
            headers: { 'X-Count': { schema: { type: 'integer' } } },
            content: {
              'application/json': {
                schema: { type: 'object', required: ['value'], properties: { value: returned } },
              },
            },
          },
          404: { content: { 'application/json': { schema: { type: 'object' } } } },
        },
      },
    },
    '/others': { get: { operationId: 'other', parameters: [], responses: { 200: {} } } },
  },
  components: {
    schemas: {
      Text: { type: 'string' },
      Node: { type: 'object', properties: { inner: { $ref: '#/components/schemas/Node' } } },
    },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      oauth: { type: 'oauth2', flows: {} },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    },
  },
});

const contractOf = (document: Json) => toContract<string>(document as OpenApiDocument);

const usedOf = (id: string, used: Partial<UsedFile['operations'][string]> = {}): UsedFile => ({
  format: 1,
  api: '1',
  operations: { [id]: { sends: ['value'], gets: { 200: ['value'] }, ...used } },
});

const tell = (used: UsedFile, before: Json, after: Json): readonly string[] =>
  compare(used, contractOf(after), contractOf(before)).map(({ effect, member, words }) =>
    [`${effect}:`, member, words].filter(Boolean).join(' '),
  );

const TEXT = { type: 'string' };
const NUMBER = { type: 'number' };
const LIST = { type: 'array', items: TEXT };
const OBJECT = { type: 'object' };
const less = (what: string): string => `may break: value is sent, but the contract now allows less: ${what}`;
const more = (what: string): string =>
  `may break: 200 value is returned, but the contract now allows more: ${what}`;
const sent = (words: string, effect = 'may break'): string => `${effect}: value is sent, but ${words}`;
const got = (words: string, effect = 'may break'): string => `${effect}: 200 value is returned, but ${words}`;
const NOTHING = undefined;

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
  ['patternProperties', OBJECT, { ...OBJECT, patternProperties: { '^a': TEXT } }, sent('patternProperties changed: look at it'), got('patternProperties changed: look at it')],
  ['if', OBJECT, { ...OBJECT, if: {} }, sent('if changed: look at it'), got('if changed: look at it')],
  ['contains', LIST, { ...LIST, contains: TEXT }, sent('contains changed: look at it'), got('contains changed: look at it')],
  ['maximum appears', NUMBER, { ...NUMBER, maximum: 5 }, less('maximum 5'), more('no maximum')],
  ['minLength appears', TEXT, { ...TEXT, minLength: 1 }, less('minLength 1'), more('no minLength')],
  ['maxItems appears', LIST, { ...LIST, maxItems: 5 }, less('maxItems 5'), more('no maxItems')],
  ['multipleOf appears', NUMBER, { ...NUMBER, multipleOf: 5 }, less('multipleOf 5'), more('no multipleOf')],
  ['a smaller format of fractions', { ...NUMBER, format: 'double' }, { ...NUMBER, format: 'float' }, less('format float'), more('format double')],
  ['boolean to text', { type: 'boolean' }, TEXT, sent('must now be string instead of boolean', 'breaks'), got('its type changed from string to boolean')],
  ['list to object', LIST, OBJECT, sent('must now be object instead of array', 'breaks'), got('its type changed from object to array')],
  ['null in an enum', { enum: ['a', null] }, { enum: ['a'] }, sent('can no longer be null'), got('can now be null')],
  ['an enum with null appears', { type: ['string', 'null'] }, { type: ['string', 'null'], enum: ['a', null] }, sent('its value must now be a or null'), more('no enum')],
  ['no other members any more', { ...OBJECT, additionalProperties: TEXT }, { ...OBJECT, additionalProperties: false }, less('additionalProperties'), got('can now have other members', 'new')],
  ['a list of lists', { type: 'array', items: LIST }, { type: 'array', items: { ...LIST, maxItems: 5 } }, 'may break: value[] is sent, but the contract now allows less: maxItems 5', 'may break: 200 value[] is returned, but the contract now allows more: no maxItems'],
  ['discriminator', { oneOf: [TEXT, NUMBER] }, { oneOf: [TEXT, NUMBER], discriminator: { propertyName: 'kind' } }, sent('discriminator changed: look at it'), got('discriminator changed: look at it')],
  ['unevaluatedProperties', OBJECT, { ...OBJECT, unevaluatedProperties: false }, sent('unevaluatedProperties changed: look at it'), got('unevaluatedProperties changed: look at it')],
  ['dependentSchemas', OBJECT, { ...OBJECT, dependentSchemas: { a: {} } }, sent('dependentSchemas changed: look at it'), got('dependentSchemas changed: look at it')],
  ['prefixItems', LIST, { ...LIST, prefixItems: [TEXT] }, sent('prefixItems changed: look at it'), got('prefixItems changed: look at it')],
  ['minContains', LIST, { ...LIST, minContains: 2 }, sent('minContains changed: look at it'), got('minContains changed: look at it')],
  ['contentMediaType', TEXT, { ...TEXT, contentMediaType: 'image/png' }, sent('contentMediaType changed: look at it'), got('contentMediaType changed: look at it')],
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
  ['contentEncoding', TEXT, { ...TEXT, contentEncoding: 'base64' }, sent('contentEncoding changed: look at it'), got('contentEncoding changed: look at it')],
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

const schemaOf = (document: Json): Json =>
  document.paths['/things/{id}'].post.requestBody.content['application/json'].schema;
const replyOf = (document: Json): Json =>
  document.paths['/things/{id}'].post.responses['200'].content['application/json'].schema;
const operationOf = (document: Json): Json => document.paths['/things/{id}'].post;

// biome-ignore format: one line for each change
const CALLS: readonly (readonly [string, (document: Json) => unknown, readonly string[], UsedFile?])[] = [
  ['a required header', (d) => operationOf(d).parameters.push({ name: 'X-Tenant', in: 'header', required: true, schema: TEXT }), ['breaks: header X-Tenant is now required']],
  ['an optional header', (d) => operationOf(d).parameters.push({ name: 'X-Tenant', in: 'header', schema: TEXT }), ['new: header X-Tenant can be sent']],
  ['a known header that is now required', (d) => { operationOf(d).parameters[2].required = true; }, ['breaks: header X-Known is now required']],
  ['a header that OpenAPI ignores', (d) => operationOf(d).parameters.push({ name: 'Accept', in: 'header', required: true, schema: TEXT }), []],
  ['a required cookie', (d) => operationOf(d).parameters.push({ name: 'sid', in: 'cookie', required: true, schema: TEXT }), ['breaks: cookie sid is now required']],
  ['a header of the whole path', (d) => { d.paths['/things/{id}'].parameters = [{ name: 'X-Tenant', in: 'header', required: true, schema: TEXT }]; }, ['breaks: header X-Tenant is now required']],
  ['a required query parameter', (d) => operationOf(d).parameters.push({ name: 'q', in: 'query', required: true, schema: TEXT }), ['breaks: q is now required, but is not sent']],
  ['another default', (d) => { operationOf(d).parameters[1].schema.default = 50; }, ['may break: page is not sent, and its default changed from 10 to 50']],
  ['a shorter path parameter', (d) => { operationOf(d).parameters[0].schema.maxLength = 5; }, ['may break: {id} is sent, but the contract now allows less: maxLength 5']],
  ['another name of a path parameter', (d) => { d.paths = JSON.parse(JSON.stringify(d.paths).replaceAll('{id}', '{key}').replace('"name":"id"', '"name":"key"')); }, []],
  ['another way to write a parameter', (d) => { operationOf(d).parameters[1].explode = false; }, ['may break: page is sent, but the way to write it changed: look at it'], usedOf('send', { sends: ['page'], gets: {} })],
  ['another media type of the body', (d) => { const body = operationOf(d).requestBody; body.content = { 'application/xml': body.content['application/json'] }; }, ['breaks: the body is sent as application/json, but must now be application/xml']],
  ['a media type that covers the old one', (d) => { const body = operationOf(d).requestBody; body.content = { 'application/*': body.content['application/json'] }; }, []],
  ['a media type beside the old one', (d) => { operationOf(d).requestBody.content['text/csv'] = {}; }, []],
  ['another media type of the reply', (d) => { const reply = operationOf(d).responses['200']; reply.content = { 'text/csv': {} }; }, ['may break: 200 is returned as application/json, but is now returned as text/csv', 'may break: 200 value is returned, but was removed from the contract']],
  ['a key instead of a token', (d) => { operationOf(d).security = [{ key: [] }]; }, ['breaks: now needs the header x-key']],
  ['a key beside a token', (d) => { operationOf(d).security = [{ bearer: [], key: [] }]; }, ['breaks: now needs a bearer token and the header x-key']],
  ['a key or a token', (d) => { d.security = [{ key: [] }, { bearer: [] }]; }, []],
  ['a token by another scheme', (d) => { d.security = [{ oauth: [] }]; }, []],
  ['a token with a scope', (d) => { operationOf(d).security = [{ oauth: ['write'] }]; }, ['may break: now needs a bearer token with write']],
  ['no security', (d) => { operationOf(d).security = []; }, []],
  ['a member that is now read-only', (d) => { schemaOf(d).properties.value.readOnly = true; }, ['breaks: value is sent, but is now read-only']],
  ['a member that is now write-only', (d) => { replyOf(d).properties.value.writeOnly = true; }, ['may break: 200 value is returned, but is now write-only']],
  ['a required member', (d) => { schemaOf(d).required = ['fresh']; schemaOf(d).properties.fresh = TEXT; }, ['breaks: fresh is now required, but is not sent']],
  ['a required member that is read-only', (d) => { schemaOf(d).required = ['fresh']; schemaOf(d).properties.fresh = { ...TEXT, readOnly: true }; }, []],
  ['a known member that is now required', (d) => { schemaOf(d).required = ['other', 'value']; }, ['breaks: other is now required, but is not sent']],
  ['a new member', (d) => { schemaOf(d).properties.fresh = TEXT; }, ['new: fresh can be sent']],
  ['a removed member', (d) => { delete schemaOf(d).properties.value; }, ['breaks: value is sent, but was removed from the contract']],
  ['a member that is not sent', (d) => { delete schemaOf(d).properties.other; }, []],
  ['a removed member of a reply', (d) => { delete replyOf(d).properties.value; }, ['may break: 200 value is returned, but was removed from the contract']],
  ['a removed member of a reply that is read', (d) => { delete replyOf(d).properties.value; }, ['breaks: 200 value is read, but was removed from the contract'], usedOf('send', { reads: ['value'] })],
  ['another type of a member that is read', (d) => { replyOf(d).properties.value = NUMBER; }, ['breaks: 200 value is read, but its type changed from string to number'], usedOf('send', { reads: ['value'] })],
  ['a member that can be absent', (d) => { replyOf(d).required = []; }, ['may break: 200 value is returned, but can now be absent']],
  ['a new member of a reply', (d) => { replyOf(d).properties.fresh = TEXT; }, [], usedOf('send', { gets: { 200: [] } })],
  ['a member that depends on another', (d) => { schemaOf(d).dependentRequired = { value: ['other'] }; }, [], usedOf('send', { sends: ['other', 'value'], gets: {} })],
  ['a reply header that was removed', (d) => { delete operationOf(d).responses['200'].headers['X-Count']; }, ['may break: 200 header X-Count is returned, but was removed from the contract']],
  ['a status that was removed', (d) => { delete operationOf(d).responses['404']; }, ['may break: 404 is no longer returned'], usedOf('send', { gets: { 404: [] } })],
  ['another status', (d) => { const { responses } = operationOf(d); responses['202'] = responses['200']; delete responses['200']; }, ['breaks: 200 is no longer returned', 'new: 202 can be returned']],
  ['a range of statuses', (d) => { const { responses } = operationOf(d); responses['2XX'] = responses['200']; delete responses['200']; }, []],
  ['a deprecated operation', (d) => { operationOf(d).deprecated = true; }, ['new: is now deprecated']],
  ['a deprecated member', (d) => { schemaOf(d).properties.value.deprecated = true; }, ['new: value is now deprecated']],
  ['a removed operation', (d) => { delete d.paths['/things/{id}']; }, ['breaks: POST /things/{id} was removed from the contract']],
  ['a moved operation', (d) => { d.paths['/v2/things/{id}'] = d.paths['/things/{id}']; delete d.paths['/things/{id}']; }, ['breaks: moved from POST /things/{id} to POST /v2/things/{id}']],
  ['other words', (d) => { schemaOf(d).properties.value = { ...TEXT, description: 'x', title: 'y', example: 'z', 'x-mine': 1 }; }, []],
  ['another operationId', (d) => { operationOf(d).operationId = 'transmit'; }, []],
  ['a webhook', (d) => { d.webhooks = { changed: { post: { responses: { 200: {} } } } }; }, []],
  ['another server', (d) => { d.servers = [{ url: 'https://elsewhere.test' }]; }, []],
  ['another summary and tag', (d) => { Object.assign(operationOf(d), { summary: 'x', tags: ['y'] }); }, []],
  ['a header that replies can have', (d) => { operationOf(d).responses['200'].headers['X-New'] = { schema: TEXT }; }, []],
  ['a new status', (d) => { operationOf(d).responses['422'] = {}; }, ['new: 422 can be returned']],
  ['a reply for all other errors', (d) => { operationOf(d).responses.default = {}; }, []],
  ['a reply without content', (d) => { delete operationOf(d).responses['200'].content; }, ['may break: 200 value is returned, but was removed from the contract']],
  ['another style of a parameter', (d) => { operationOf(d).parameters[1].style = 'pipeDelimited'; }, ['may break: page is sent, but the way to write it changed: look at it'], usedOf('send', { sends: ['page'], gets: {} })],
  ['the default style of a parameter, written out', (d) => { Object.assign(operationOf(d).parameters[1], { style: 'form', explode: true }); }, [], usedOf('send', { sends: ['page'], gets: {} })],
  ['the default style of a header and a path, written out', (d) => { for (const nth of [0, 2]) Object.assign(operationOf(d).parameters[nth], { style: 'simple', explode: false }); }, []],
  ['a parameter as JSON', (d) => { const one = operationOf(d).parameters[1]; one.content = { 'application/json': { schema: one.schema } }; delete one.schema; }, ['may break: page is sent, but the way to write it changed: look at it'], usedOf('send', { sends: ['page'], gets: {} })],
  ['a removed parameter', (d) => operationOf(d).parameters.splice(1, 1), ['breaks: page is sent, but was removed from the contract'], usedOf('send', { sends: ['page'], gets: {} })],
  ['a parameter that is now a header', (d) => { operationOf(d).parameters[1].in = 'header'; }, ['new: header page can be sent', 'breaks: page is sent, but was removed from the contract'], usedOf('send', { sends: ['page'], gets: {} })],
  ['another type of a parameter', (d) => { operationOf(d).parameters[1].schema = TEXT; }, ['breaks: page is sent, but must now be string instead of integer'], usedOf('send', { sends: ['page'], gets: {} })],
  ['a limit of a parameter', (d) => { operationOf(d).parameters[1].schema.maximum = 50; }, ['may break: page is sent, but the contract now allows less: maximum 50'], usedOf('send', { sends: ['page'], gets: {} })],
  ['a deprecated parameter', (d) => { operationOf(d).parameters[1].deprecated = true; }, ['new: page is now deprecated'], usedOf('send', { sends: ['page'], gets: {} })],
  ['a limit of a header', (d) => { operationOf(d).parameters[2].schema.maxLength = 5; }, ['may break: header X-Known is sent, but the contract now allows less: maxLength 5']],
  ['a pattern of a path parameter', (d) => { operationOf(d).parameters[0].schema.pattern = '^a'; }, ['may break: {id} is sent, but the contract now allows less: pattern ^a']],
  ['a body that may be left out', (d) => { operationOf(d).requestBody.required = false; }, []],
  ['no body any more', (d) => { delete operationOf(d).requestBody; }, ['breaks: value is sent, but was removed from the contract']],
  ['a media type with a charset', (d) => { const body = operationOf(d).requestBody; body.content = { 'application/json; charset=utf-8': body.content['application/json'] }; }, []],
  ['a token or nothing', (d) => { operationOf(d).security = [{}, { bearer: [] }]; }, []],
  ['a renamed member', (d) => { const { properties } = schemaOf(d); properties.worth = properties.value; delete properties.value; }, ['breaks: value is sent, but was removed from the contract', 'new: worth can be sent']],
  ['a default of a member that is not sent', (d) => { schemaOf(d).properties.other.default = 'x'; }, ['may break: other is not sent, and its default changed from none to x']],
  ['a required member of a reply', (d) => { replyOf(d).required.push('fresh'); replyOf(d).properties.fresh = TEXT; }, ['new: 200 fresh can be read']],
  ['a schema that contains itself', (d) => { schemaOf(d).properties.value = { $ref: '#/components/schemas/Node' }; }, ['breaks: value is sent, but must now be object instead of string', 'new: value.inner can be sent']],
];

test.each(
  CALLS,
)('a change of a call is reported to applications that make it, and to no others: %s', (_what, change, expected, used = usedOf(
  'send',
)) => {
  const before = contractWith({ ...TEXT }, { ...TEXT });
  const after = structuredClone(before);
  change(after);
  expect(tell(used, before, after)).toEqual(expected);
  expect(tell(usedOf('other', { sends: [], gets: { 200: [] } }), before, after)).toEqual([]);
});

test('a value that is sent and no longer listed breaks; others that were removed do not', () => {
  const [before, after] = [
    ['a', 'b', 'c'],
    ['b', 'd'],
  ].map((values) => contractWith({ enum: values }, TEXT));
  const used = (value: string) => usedOf('send', { sends: [`value=${value}`], gets: {} });
  expect(tell(used('a'), before, after)).toEqual([
    'breaks: value=a is sent, but this value is no longer allowed',
  ]);
  expect(tell(used('b'), before, after)).toEqual([]);
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
