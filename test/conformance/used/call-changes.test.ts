/** What `ca-mock diff` says about each change of a call: to applications that make it, and to others. */
import { expect, test } from '@jest/globals';
import type { UsedFile } from '../../../src/conformance/used/used.ts';
import { contractWith, type Json, NUMBER, TEXT, tell, usedOf } from './small-contract.ts';

const schemaOf = (document: Json): Json =>
  document.paths['/things/{id}'].post.requestBody.content['application/json'].schema;
const replyOf = (document: Json): Json =>
  document.paths['/things/{id}'].post.responses['200'].content['application/json'].schema;
const operationOf = (document: Json): Json => document.paths['/things/{id}'].post;

/** Gives the path a second parameter. */
const addPart = (document: Json): void => {
  const { '/things/{id}': item, ...others } = document.paths;
  item.post.parameters.push({ name: 'part', in: 'path', required: true, schema: TEXT });
  document.paths = { ...others, '/things/{id}/parts/{part}': item };
};

// biome-ignore format: one line for each change
const CALLS: readonly (readonly [string, (document: Json) => unknown, readonly string[], UsedFile?, ((document: Json) => unknown)?])[] = [
  ['a required header', (d) => operationOf(d).parameters.push({ name: 'X-Tenant', in: 'header', required: true, schema: TEXT }), ['breaks: header X-Tenant is now required']],
  ['an optional header', (d) => operationOf(d).parameters.push({ name: 'X-Tenant', in: 'header', schema: TEXT }), ['new: header X-Tenant can be sent']],
  ['a header that OpenAPI ignores', (d) => operationOf(d).parameters.push({ name: 'Accept', in: 'header', required: true, schema: TEXT }), []],
  ['a required cookie', (d) => operationOf(d).parameters.push({ name: 'sid', in: 'cookie', required: true, schema: TEXT }), ['breaks: cookie sid is now required']],
  ['a header of the whole path', (d) => { d.paths['/things/{id}'].parameters = [{ name: 'X-Tenant', in: 'header', required: true, schema: TEXT }]; }, ['breaks: header X-Tenant is now required']],
  ['a required query parameter', (d) => operationOf(d).parameters.push({ name: 'q', in: 'query', required: true, schema: TEXT }), ['breaks: q is now required, but is not sent']],
  ['another default', (d) => { operationOf(d).parameters[1].schema.default = 50; }, ['may break: page is not sent, and its default changed from 10 to 50']],
  ['a shorter path parameter', (d) => { operationOf(d).parameters[0].schema.maxLength = 5; }, ['may break: {id} is sent, but the contract now allows less: maxLength 5']],
  ['another name of a path parameter', (d) => { d.paths = JSON.parse(JSON.stringify(d.paths).replaceAll('{id}', '{key}').replace('"name":"id"', '"name":"key"')); }, []],
  ['the default style of a path parameter, written out', (d) => { Object.assign(operationOf(d).parameters[0], { style: 'simple', explode: false }); }, []],
  ['a required member three levels deep', (d) => { schemaOf(d).properties.value.properties.inner = { type: 'object', required: ['mine'], properties: { mine: TEXT, known: TEXT } }; }, ['breaks: value.inner.mine is now required, but is not sent'], usedOf('send', { sends: ['value.inner.known'] }), (d) => { schemaOf(d).properties.value = { type: 'object', properties: { inner: { type: 'object', properties: { known: TEXT } } } }; }],
  ['other names of two path parameters', (d) => { d.paths = JSON.parse(JSON.stringify(d.paths).replaceAll('{id}', '{key}').replaceAll('{part}', '{piece}').replace('"name":"id"', '"name":"key"').replace('"name":"part"', '"name":"piece"')); }, [], usedOf('send'), addPart],
  ['another way to write a parameter', (d) => { operationOf(d).parameters[1].explode = false; }, ['may break: page is sent, but the way to write it changed: look at it'], usedOf('send', { sends: ['page'], gets: {} })],
  ['another media type of the body', (d) => { const body = operationOf(d).requestBody; body.content = { 'application/xml': body.content['application/json'] }; }, ['breaks: the body is sent as application/json, but must now be application/xml']],
  ['a media type that covers the old one', (d) => { const body = operationOf(d).requestBody; body.content = { 'application/*': body.content['application/json'] }; }, []],
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
  ['a required member that is sent only as the beginning of another name', (d) => { schemaOf(d).required = ['val']; schemaOf(d).properties.val = TEXT; }, ['breaks: val is now required, but is not sent']],
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
  ['an error that `default` describes now', (d) => { const { responses } = operationOf(d); responses.default = responses['404']; delete responses['404']; }, [], usedOf('send', { gets: { 404: [] } })],
  ['a success that only `default` describes', (d) => { const { responses } = operationOf(d); responses.default = responses['200']; delete responses['200']; }, ['breaks: 200 is no longer returned']],
  ['a range of new statuses', (d) => { operationOf(d).responses['4XX'] = {}; }, []],
  ['a reply header in other letters', (d) => { const { headers } = operationOf(d).responses['200']; headers['x-COUNT'] = headers['X-Count']; delete headers['X-Count']; }, []],
  ['a header in other letters', (d) => { operationOf(d).parameters[2].name = 'x-KNOWN'; }, []],
  ['a scheme in other letters', (d) => { d.components.securitySchemes.bearer.scheme = 'Bearer'; }, []],
  ['an operationId that another operation takes', (d) => { operationOf(d).operationId = 'x'; d.paths['/others'].get.operationId = 'send'; }, []],
  ['a deprecated operation', (d) => { operationOf(d).deprecated = true; }, ['new: is now deprecated']],
  ['a deprecated member', (d) => { schemaOf(d).properties.value.deprecated = true; }, ['new: value is now deprecated']],
  ['a removed operation', (d) => { delete d.paths['/things/{id}']; }, ['breaks: POST /things/{id} was removed from the contract']],
  ['a moved operation', (d) => { d.paths['/v2/things/{id}'] = d.paths['/things/{id}']; delete d.paths['/things/{id}']; }, ['breaks: moved from POST /things/{id} to POST /v2/things/{id}']],
  ['other words, tags, servers and webhooks', (d) => { schemaOf(d).properties.value = { ...TEXT, description: 'x', title: 'y', example: 'z', 'x-mine': 1 }; Object.assign(operationOf(d), { summary: 'x', tags: ['y'] }); Object.assign(d, { servers: [{ url: 'https://elsewhere.test' }], webhooks: { changed: { post: { responses: { 200: {} } } } } }); }, []],
  ['another operationId', (d) => { operationOf(d).operationId = 'transmit'; }, []],
  ['a header that replies can have', (d) => { operationOf(d).responses['200'].headers['X-New'] = { schema: TEXT }; }, []],
  ['a new status', (d) => { operationOf(d).responses['422'] = {}; }, ['new: 422 can be returned']],
  ['a reply for all other errors', (d) => { operationOf(d).responses.default = {}; }, []],
  ['the default style of a parameter, written out', (d) => { Object.assign(operationOf(d).parameters[1], { style: 'form', explode: true }); }, [], usedOf('send', { sends: ['page'], gets: {} })],
  ['a parameter as JSON', (d) => { const one = operationOf(d).parameters[1]; one.content = { 'application/json': { schema: one.schema } }; delete one.schema; }, ['may break: page is sent, but the way to write it changed: look at it'], usedOf('send', { sends: ['page'], gets: {} })],
  ['a removed parameter', (d) => operationOf(d).parameters.splice(1, 1), ['breaks: page is sent, but was removed from the contract'], usedOf('send', { sends: ['page'], gets: {} })],
  ['a parameter that is now a header', (d) => { operationOf(d).parameters[1].in = 'header'; }, ['new: header page can be sent', 'breaks: page is sent, but was removed from the contract'], usedOf('send', { sends: ['page'], gets: {} })],
  ['a limit of a parameter', (d) => { operationOf(d).parameters[1].schema.maximum = 50; }, ['may break: page is sent, but the contract now allows less: maximum 50'], usedOf('send', { sends: ['page'], gets: {} })],
  ['a deprecated parameter', (d) => { operationOf(d).parameters[1].deprecated = true; }, ['new: page is now deprecated'], usedOf('send', { sends: ['page'], gets: {} })],
  ['a body that may be left out', (d) => { operationOf(d).requestBody.required = false; }, []],
  ['no body any more', (d) => { delete operationOf(d).requestBody; }, ['breaks: value is sent, but was removed from the contract']],
  ['a media type with a charset', (d) => { const body = operationOf(d).requestBody; body.content = { 'application/json; charset=utf-8': body.content['application/json'] }; }, []],
  ['a default of a member that is not sent', (d) => { schemaOf(d).properties.other.default = 'x'; }, ['may break: other is not sent, and its default changed from none to x']],
  ['a default of false of a member that is not sent', (d) => { schemaOf(d).properties.other.default = false; }, ['may break: other is not sent, and its default changed from none to false']],
  ['a removed member of a reply of which nothing is read', (d) => { delete replyOf(d).properties.value; }, [], usedOf('send', { reads: [] })],
  ['another way to write a parameter that is sent with a listed value', (d) => { operationOf(d).parameters[1].explode = false; }, ['may break: page is sent, but the way to write it changed: look at it'], usedOf('send', { sends: ['page=5'], gets: {} })],
  ['a required member of a reply', (d) => { replyOf(d).required.push('fresh'); replyOf(d).properties.fresh = TEXT; }, ['new: 200 fresh can be read']],
  ['a body that must now be sent', (d) => { operationOf(d).requestBody.required = true; }, ['may break: the body is now required, but nothing is sent'], usedOf('send', { sends: [], gets: {} }), (d) => { operationOf(d).requestBody.required = false; }],
  ['a scheme of another kind', (d) => { d.components.securitySchemes.digest = { type: 'http', scheme: 'Digest' }; operationOf(d).security = [{ digest: [] }]; }, ['breaks: now needs HTTP Digest']],
  ['a client certificate', (d) => { d.components.securitySchemes.tls = { type: 'mutualTLS' }; operationOf(d).security = [{ tls: [] }]; }, ['breaks: now needs a client certificate']],
  ['one of two ways to authorize', (d) => { operationOf(d).security = [{ bearer: [] }]; }, ['may break: now needs a bearer token'], usedOf('send'), (d) => { operationOf(d).security = [{ bearer: [] }, { key: [] }]; }],
  ['a key in other letters', (d) => { d.components.securitySchemes.key.name = 'X-KEY'; }, [], usedOf('send'), (d) => { operationOf(d).security = [{ key: [] }]; }],
  ['any media type of the body', (d) => { const body = operationOf(d).requestBody; body.content = { '*/*': body.content['application/json'] }; }, []],
  ['a charset of the reply', (d) => { const reply = operationOf(d).responses['200']; reply.content = { 'application/json; charset=utf-8': reply.content['application/json'] }; }, []],
  ['an object as the default of a member that is not sent', (d) => { schemaOf(d).properties.other.default = { a: 1 }; }, []],
  ['a whole number that may now be any number, but not a large one', (d) => { schemaOf(d).properties.value = { ...NUMBER, maximum: 5 }; }, ['may break: value is sent, but the contract now allows less: maximum 5'], usedOf('send'), (d) => { schemaOf(d).properties.value = { type: 'integer' }; }],
  ['items that contain themselves', () => {}, [], usedOf('send'), (d) => { d.components.schemas.Tree = { type: 'array', items: { $ref: '#/components/schemas/Tree' } }; schemaOf(d).properties.value = { $ref: '#/components/schemas/Tree' }; }],
  ['a schema that contains itself', (d) => { schemaOf(d).properties.value = { $ref: '#/components/schemas/Node' }; }, ['breaks: value is sent, but must now be object instead of string', 'new: value.inner can be sent']],
];

test.each(
  CALLS,
)('a change of a call is reported to applications that make it, and to no others: %s', (_what, change, expected, used = usedOf(
  'send',
), prepare = () => undefined) => {
  const before = contractWith({ ...TEXT }, { ...TEXT });
  prepare(before);
  const after = structuredClone(before);
  change(after);
  expect(tell(used, before, after)).toEqual(expected);
  expect(tell(usedOf('other', { sends: [], gets: { 200: [] } }), before, after)).toEqual([]);
});
