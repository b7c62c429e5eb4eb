/** Stubs in scenarios (behaviour X4). */

import { expect, test } from '@jest/globals';
import { instantAt } from '../../../src/engine/core/moment.ts';
import { allRows } from '../../../src/engine/core/table.ts';
import { exportEnvironment } from '../../../src/engine/scenario/export.ts';
import { rowsOf } from '../../support/core.ts';
import {
  environment,
  load,
  loadFiles,
  mergeState,
  packaged,
  problemsOf,
  problemsWith,
  readMark,
  stateOf,
  stateWith,
} from './files.ts';

const NOW = instantAt(0, 0);

/** Mistakes in a stub: its members, those that every stub needs left out, and the problem. */
const MISTAKES = `
{ path: /api/v1/connections } => path: GET /api/v1/connections is the operation listConnections
{ method: DELETE, path: "/api/v1/custom-providers/{name}" } => path: DELETE /api/v1/custom-providers/{name} is the operation deleteCustomProvider
{ path: tools } => path: is "tools", but must be a path such as /api/v1/tools/{name}
{ method: get } => method: is "get", but must be one of GET, POST, PUT, PATCH, DELETE
{ path: /_mock/x } => path: the mock itself answers this path
{ path: "/magicLink/{t}" } => path: the mock itself answers this path
{ path: /connect/success } => path: the mock itself answers this path
{ path: /openapi.yaml } => path: the mock itself answers this path
{ path: /openapi.json } => path: the mock itself answers this path
{ path: /favicon.ico } => path: the mock itself answers this path
{ path: "/invitations/{t}" } => path: the mock itself answers this path
{ path: / } => path: the mock itself answers this path
{ path: /api/v1/connected_accounts%3Asearch } => path: GET /api/v1/connected_accounts%3Asearch is the operation searchConnectedAccounts
{ path: /api/v1/connected_accounts%3asearch } => path: GET /api/v1/connected_accounts%3asearch is the operation searchConnectedAccounts
{ path: /a%20b c } => path: "a%20b c" has characters that a path cannot have as they are; write a%20b%20c
{ path: /zürich } => path: "zürich" has characters that a path cannot have as they are; write z%C3%BCrich
{ path: /100% } => path: "100%" has characters that a path cannot have as they are; write 100%25
{ path: /c/*/d } => path: a * can only be the last segment
{ path: "/a*" } => path: a * can only be the last segment
{ path: "/{a}{b}" } => path: "{a}{b}" is neither text nor one name in braces, such as {id}; only a verb can follow it
{ path: "/x-{a}" } => path: "x-{a}" is neither text nor one name
{ path: "/a/{b" } => path: "{b" is neither text nor one name
{ path: "/{a}/{a}" } => path: has the name {a} twice
{ path: "/{a}/{b}", body: "{path.c}" } => body: {path.c} cannot be filled: the path has a, b
{ replies: [{ headers: { "X y": "1" } }] } => replies[0].headers.X y: cannot be set
{ status: 201, replies: [{}] } => status: status has no effect beside replies
{ replies: [] } => replies: is a list, but must have at least 1 item
{ match: { querry: { a: b } } } => match.querry: is not a known member. Did you mean "query"?
{ match: { query: {} } } => match.query: is an object, but must have at least 1 member
{ match: { body: { a: 1 } } } => match.body: Calls of GET have no body, so no call could have this match.body
{ method: DELETE, match: { body: { a: 1 } } } => match.body: Calls of DELETE have no body
{ headers: { x-a: "{bdy.a}" } } => headers.x-a: {bdy.a} cannot be filled: did you mean {body.a}?
{ body: { a: ["{path.id}"] } } => body.a[0]: {path.id} cannot be filled: the path has no names
{ body: "{now.x}" } => body: {now.x} cannot be filled: did you mean {now}?
{ body: "{nwo}" } => body: {nwo} cannot be filled: did you mean {now}?
{ body: ["{body.a}"] } => body[0]: {body.a} cannot be filled: calls with this method have no body
{ body: "{query}" } => body: {query} cannot be filled: did you mean {query.name}?
{ body: "{id.user}" } => body: {id.user} cannot be filled: ids begin with ca, org, usr
{ body: { $token: { sub: a }, more: 1 } } => body: $token stands alone, and holds the claims
{ status: 204, body: { a: 1 } } => body: an answer with status 204 has no body; leave it out
{ replies: [{}, { status: 304, body: "" }] } => replies[1].body: an answer with status 304 has no body
{ then: {} } => then: is an object, but must have at least 1 member
{ then: "{query.rows}" } => then: is a string, but must be an object
{ then: { users: [] } } => then.users: must be a list of one or more rows
{ then: { users: {} } } => then.users: is an object, but must be a list
{ then: { users: "{query.users}" } } => then.users: must be a list of one or more rows
{ then: { users: ["{query.user}"] } } => then.users: must be a list of one or more rows
{ then: { user: [] } } => then.user: is not a known member. Did you mean "users"?
{ then: { users: [{ emial: "{query.a}" }] } } => then.users[0].emial: is not a known member.
{ then: { users: [{ email: nobody }] } } => then.users[0].email: is "nobody", but must be an e-mail address
{ then: { settings: { strict: true } } } => then.settings: a stub cannot change this
{ then: { id: env_1 } } => then.id: a stub cannot change this
{ then: { access_tokens: [] } } => then.access_tokens: a stub cannot change this
{ then: { clients: [] } } => then.clients: a stub cannot change this
{ then: { stubs: [] } } => then.stubs: a stub cannot change this
{ account: "" } => account: is "", but must have at least 1 character
{ account: mail } => account: "mail" names no account; write an id, or CONNECTOR/IDENTIFIER
{ account: mail/ } => account: "mail/" names no account
{ account: "mial/{query.a}" } => account: there is no connection "mial". There are no connections yet; write it below connections.
{ account: "{bdy.a}" } => account: {bdy.a} cannot be filled: did you mean {body.a}?
`;

test.each(
  rowsOf(MISTAKES),
)('behaviour X4, X5, X6: a mistake in a stub is reported where it is written: %s: %s', (members, problem) => {
  const method = members.includes('method:') ? '' : 'method: GET, ';
  const path = members.includes('path:') ? '' : 'path: /x, ';
  const stub = members.replace(/^\{ /, `{ ${path}${method}`);
  expect(problemsWith(`stubs: [${stub}]`)).toEqual([expect.stringContaining(`stubs[0].${problem}`)]);
});

test('behaviour X4: a stub without a method is refused at its place', () => {
  const { text, place } = readMark(environment('stubs: [»{ path: /tools }]'));
  expect(problemsOf(() => load(text))).toEqual([
    `main.yaml:${place}: environments.test.stubs[0]: a stub needs a method and a path`,
  ]);
});

test('behaviour X6, N1: of two stubs for the same calls that need one account, one is refused', () => {
  const stub = (account: string) => `{ method: POST, path: /x, account: ${account} }`;
  const problems = problemsWith(
    `stubs: [${stub('ca_1')}, ${stub('ca_2')}, { method: POST, path: /x }, ${stub('ca_1')}]`,
  );
  expect(problems).toEqual([expect.stringContaining('stubs[3]')]);
});

test('behaviour X5: of two stubs for the same calls one is refused, but a match sets them apart', () => {
  const pair = (match: string) =>
    `stubs: [{ method: GET, path: '/x/{a}' }, { method: GET, path: '/x/{b}'${match} }]`;
  expect(problemsWith(pair(''))).toContainEqual(
    expect.stringContaining('can never answer, since the stub GET /x/{a} answers each of its calls'),
  );
  expect(problemsWith(pair(', match: { query: { q: "1" } }'))).toEqual([]);
  const two = (...matches: string[]) =>
    `stubs: [${matches.map((match) => `{ method: POST, path: /x, match: ${match} }`).join()}]`;
  const [one, same] = [
    '{ headers: { X-A: b }, body: { a: { b: 1, c: 2 } } }',
    '{ body: { a: { c: 2, b: 1 } }, headers: { x-a: b } }',
  ];
  expect(problemsWith(two('{ query: { a: "1", b: "2" } }', '{ query: { b: "2", a: "1" } }'))).toHaveLength(1);
  expect(problemsWith(two(one, same))).toHaveLength(1);
  const twenty = `{ body: { a: [${'1, '.repeat(20)}] } }`;
  expect(problemsWith(`stubs: [{ method: POST, path: /x, match: ${twenty} }]`)).toEqual([]);
});

const CREATE = 'path: /api/v1/connected_accounts, match: { body: BODY }';
const TOKEN = 'path: /oauth/token, match: { body: BODY }';

test.each([
  [CREATE, '{ connector: 5 }', true],
  [CREATE, `{ identifier: '${'x'.repeat(101)}' }`, true],
  [CREATE, '{ connected_account: { authorization_details: [] } }', true],
  [CREATE, '{ connected_account: { authorization_details: { oauth_token: { scopes: [1] } } } }', true],
  [CREATE, '{ connected_account: { authorization_details: { oauth_token: { scopes: [a] } } } }', false],
  [CREATE, '{ connector: mail, other: 5 }', false],
  [CREATE, '{ organization_id: null }', false],
  [TOKEN, '{ grant_type: authorization_code }', true],
  [TOKEN, '{ grant_type: client_credentials }', false],
  [TOKEN, '{ client_id: a }', false],
  ['path: /oauth/token', '', false],
])('behaviour X6: a stub for an operation is accepted only for a body that the contract refuses: %s %s: %p', (stub, body, isRefused) => {
  const problems = problemsWith(`stubs: [{ method: POST, ${stub.replace('BODY', body)} }]`);
  expect(problems).toEqual(isRefused ? [] : [expect.stringMatching(/ is the operation (issueToken|create)/)]);
});

test('behaviour X4: a stub can answer another method on a path of the contract, and its path can have wildcards and signs', () => {
  const stubs = "stubs: [{ method: PUT, path: /api/v1/connections }, { method: GET, path: '/api/v1/*' }]";
  expect(stateWith(stubs).stubs.rows.size).toBe(2);
  for (const path of ['/{user-id}:run.now-1', "/a-b._~!$&'()+,;=:@%2F", '/*'])
    expect(problemsWith(`stubs: [{ method: GET, path: "${path}" }]`)).toEqual([]);
});

test('stubs are merged by method and path, changed by PATCH, and exported whole', () => {
  const stub = (more: string) => `environments: { a: { stubs: [{ method: GET, path: /tools, ${more} }] } }`;
  const files = {
    'base.yaml': stub('body: { tools: [] }'),
    'main.yaml': `extends: ./base.yaml\n${stub('status: 404')}`,
  };
  expect([...allRows(stateOf(loadFiles(files)).stubs)]).toMatchObject([
    { replies: [{ status: 404, body: { tools: [] } }] },
  ]);
  const empty = packaged('empty');
  const body = { stubs: [{ method: 'GET', path: '/tools/{id}', auth: false }] };
  const changed = mergeState(empty, body, NOW);
  expect(exportEnvironment({ ...empty, ...changed }, NOW).stubs).toEqual([
    { method: 'GET', path: '/tools/{id}', status: 200, body: {}, headers: {}, delay_ms: 0, auth: false },
  ]);
});
