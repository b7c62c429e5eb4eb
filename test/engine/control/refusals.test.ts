/** The control plane refuses wrong calls: the message and the hint say what to do, and nothing changes. */
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { loadControlContract } from '../../../src/engine/control/control-document.ts';
import { rowsOf } from '../../support/core.ts';
import { listeningServer, rawRequest, testServer } from '../../support/server.ts';

const server = await listeningServer();
const own = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
await own.control('POST', '/snapshots', { name: 'start' });

const SEEN = ['', '/state', '/faults', '/events', '/snapshots'];
const look = async () => {
  const { environments } = (await server.control('GET', '/environments')).body;
  return [environments.length, ...(await Promise.all(SEEN.map((path) => own.get(path))))];
};
const before = await look();

/** The hint names this document if the document describes the right value. */
const DOCUMENT = '/_mock/openapi.json';
const TTL = 'must be a duration of a second or more, such as 15m, 2h30m, 3d or PT15M.';
const BAD_FORM = {
  connected_accounts: [{ connector: 'mail', identifier: 'a' }],
  users: [{ email: 'no address' }],
};
const EXTENDS = { extends: './default.yaml', environments: { mine: {} } };
const FROZEN = { mode: 'frozen', now: '9999-12-31T23:59:59Z' };
const YEARS = 'in the years 1970 to 8999';

/** A call with a path below `/_mock` or below the environment, its body, and parts of the message and the hint. */
type Row = [call: string, body: unknown, ...words: string[]];

const expectRefusal = async (status: number, [call, body, ...words]: Row): Promise<void> => {
  const [method = '', path = ''] = call.split(' ');
  const send = /^\/environments/.test(path) ? server.control : own.control;
  const { status: got, body: answer } = await send(method, path, body);
  expect(got).toBe(status);
  const { message, hint = '' } = answer.error;
  for (const each of words) expect(`${message} ${hint}`).toContain(each);
  expect(message).not.toMatch(/pattern|is an object, but must be a string/);
  expect(await look()).toEqual(before);
};

test.each<Row>([
  ['GET /environments/developmnet', undefined, '"developmnet" does not exist.', 'mean "development"?'],
  ['POST /snapshots/strat/restore', undefined, 'Did you mean "start"?'],
  ['GET /rows/accounts', undefined, 'kind accounts was not found', 'connected_accounts'],
  ['POST /connected_accounts/mail%2Fx@acme.test/expire', undefined, 'mail/x@acme.test was not found'],
  ['POST /memberships/acme/nobody@acme.test/accept', undefined, 'nobody@acme.test'],
  ['GET /requests/3', undefined, '3'],
  ['DELETE /faults?id=fault_1', undefined, 'fault_1'],
])('%s is 404, and the message says what was not found', (...row) => expectRefusal(404, row));

test.each<Row>([
  ['POST /environments', { name: 'a/b' }, 'must be a name of up to 63 letters, digits, "-" and "_"'],
  ['POST /environments', { seed: 4294967296 }, 'seed is 4294967296, but must be a whole number from 0'],
  ['POST /environments', { seed: 'radnom' }, 'Did you mean "random"?'],
  ['POST /environments', { from: 'productoin' }, 'Did you mean "production"?'],
  ['POST /environments', { scenario: EXTENDS }, '"./default.yaml" is a path'],
  ['POST /environments', { settings: { magic_link_ttl: '-1m' } }, 'must be a duration such as 15m'],
  ['POST /environments', { settings: { rate_limit: 5 } }, 'rate_limit is 5, but must be an object or null.'],
  ['POST /environments', { settings: { rate_limit: { requests: 1, per: '0s' } } }, 'a duration above zero'],
  ['POST /environments', { clock: { mode: 'frozen', now: 'noon' } }, 'clock.now is "noon", but must be a'],
  ['PUT /environments/current', undefined, '"current"'],
  ['PUT /environments/a%20b', undefined, '"a b"'],
  ['PUT /environments/suite-3', { scenario: 'emty' }, 'Did you mean "empty"?'],
  ['PUT /clock', FROZEN, YEARS],
  ['PUT /clock', { mode: 'frozen', now: '0001-01-01T00:00:00Z' }, YEARS],
  ['PUT /clock', { mode: 'frozen', now: '2026-02-30T00:00:00Z' }, 'must be an ISO 8601 time such as'],
  ['POST /clock/advance', { by: 'soon' }, 'by is "soon", but must be a duration such as 15m'],
  ['POST /clock/advance', { by: '200y' }, 'must be a duration'],
  ['POST /clock/advance', {}, 'by is missing.'],
  ['PATCH /settings', undefined, 'body is missing.'],
  ['PATCH /settings', { strict: true, hostde: 'approve' }, 'Did you mean "hosted"?'],
  ['PATCH /settings', { rate_limit: { requests: 0, per: 'x' } }, 'requests is 0', 'rate_limit.per is "x"'],
  ['PATCH /settings', { access_token_ttl: '999ms' }, `access_token_ttl is "999ms", but ${TTL}`],
  ['PATCH /settings', { access_token_ttl: '0s' }, `access_token_ttl is "0s", but ${TTL}`],
  ['PUT /state', undefined, 'body is missing.'],
  ['PATCH /state', undefined, 'body is missing.'],
  ['PATCH /state', { id: 'env_100000000000000001' }, 'Leave it out.'],
  ['PATCH /state', BAD_FORM, 'users[0].email'],
  ['GET /requests?limit=1e1', undefined, 'number written in digits'],
  ['GET /coverage?min=5e1', undefined, 'number written in digits'],
  ['GET /coverage?min=101', undefined, 'min is 101'],
  ['GET /outbox?wait=1h', undefined, 'wait is "1h", but must be at most 5m.'],
  ['GET /requests?wait=5m1ms', undefined, 'but must be at most 5m.'],
  ['POST /sign-ins', { email: 'nobody', outcome: 'success' }, 'must be an e-mail address'],
  ['GET /requests?limit=1001', undefined, 'limit is 1001'],
  ['GET /requests?status=200&status=400', undefined, 'was sent 2 times'],
  ['GET /requests?status=abc', undefined, 'status is "abc"', DOCUMENT],
  ['GET /requests?status=40', undefined, 'status is "40", but must be a status from 100 to 599', DOCUMENT],
  ['GET /requests?body=%7B', undefined, 'body is not a JSON object.', 'URL-encoded'],
  ['GET /requests?body=[1]', undefined, 'body is not a JSON object.', 'URL-encoded'],
  ['GET /requests?operation=listConections', undefined, 'not an operation of', 'listConnections'],
  ['DELETE /faults?id=', undefined, 'id is ""'],
  ['POST /faults', { status: '429' }, 'Write 429 without quotes.'],
])('%s with %j is 400, and message and hint say why', (...row) => expectRefusal(400, row));

/** A fault, and words of its refusal. */
const WRONG_FAULTS = `
{ operation: listConections, status: 500 } => not an operation |  "listConnections"?
{ operation: GET /api/v1/connections, status: 503 } => That call is the operation listConnections.
{ operation: 'get /api/v1/connections?x=1', status: 503 } => is the operation listConnections.
{ operation: '*' } => required: status, error_code, body, delay_ms, abort. | Add one
{ delay_ms: 5, headers: { a: b } } => required: status, error_code, body. | Add one
{ abort: false } => abort is false, but must be one of true, before, after
{ abort: late } => abort is "late", but must be one of true, before, after
{ abort: afer } => Did you mean "after"?
{ delay_ms: 5, retry_after: 0 } => required: status, error_code, body. | Add one
{ abort: true, status: 500, body: x } => status, body cannot be combined with abort | Leave out status, body or abort.
{ status: 399 } => status is 399, but must be a whole number from 400 to 599
{ status: 200, body: {} } => status is 200, but must be a whole number from 400 to 599, or a list of up to
{ body: null } => body is null, but must be a string, or an object
{ status: '429' } => status is "429", but must be a whole number
{ abort: 'true' } => Write true without quotes.
{ status: [503, 600] } => status[1] is 600
{ delay_ms: { min: 20, max: 10 } } => delay_ms is an object
{ status: 500, headers: { 'a b': c } } => headers.a b cannot be set | letters, digits
{ status: 500, headers: { a: "c\\r\\nd: e" } } => headers.a cannot be set | no line breaks
{ body: x, headers: { Content-Length: '9' } } => headers.Content-Length | the mock sets
{ status: 500, match: {} } => match is an object
{ status: 503, match: { path: api/v1 } } => match.path is "api/v1" | begins with a slash
{ status: 503, operation: getKeys, match: { body: { a: 1 } } } => getKeys have no body | match.body
{ status: 503, operation: listConnections, match: { path: /api/v1/connected_accounts/* } } => match.path is "/api/v1/connected_accounts/*", but
{ status: 503, operation: listConnections, match: { path: /api/v1/conections } } => is /api/v1/connections.
{ status: 503, operation: updateMembership, match: { path: /api/v1/*/users//x } } => of updateMembership is
{ preset: outage } => preset is not a known member | status, error_code, body,
`;

/** Names that people try, and the right one. */
const MISNAMED = {
  delay_ms: ['delay', 'delayMs', 'timeout_ms', 'latency', 'wait'],
  status: ['stauts', 'statusCode', 'status_code', 'httpStatus', 'http_status_code'],
  operation: ['op', 'operationId', 'operation_id'],
};

test.each<[fault: object, ...words: string[]]>([
  ...rowsOf(WRONG_FAULTS).map(([fault, words]): [object, ...string[]] => [
    parse(fault),
    ...words.split(' | '),
  ]),
  ...Object.entries(MISNAMED).flatMap(([right, wrong]) =>
    wrong.map((name): [object, string] => [{ [name]: 503 }, `Did you mean "${right}"?`]),
  ),
])('behaviour N1, N2, X7: the fault %j is refused with the same words by POST and in a scenario', async (fault, ...words) => {
  await expectRefusal(400, ['POST /faults', fault, ...words]);
  const { status, body } = await own.control('PUT', '/state', { faults: [fault] });
  const told = `${body.error.message} ${body.error.hint}`.replaceAll(': is ', ' is '); // after the path of the member
  expect([status, told]).toEqual([400, expect.stringContaining('faults[0]')]);
  for (const each of words) expect(told).toContain(each);
  expect(await look()).toEqual(before);
});

test('a wrong method is 405, and the header Allow lists the right methods', async () => {
  const { status, body, headers } = await server.control('POST', '/environments/development/clock');
  expect(status).toBe(405);
  expect(headers.allow).toBe('GET, HEAD, PUT');
  expect(body.error.hint).toBe('Use GET, HEAD, PUT.');
});

test.each([
  ['text', 'text/plain'],
  ['{', 'application/json'],
  ['[]', 'application/json'],
  ['{"__proto__": {"name": "x"}}', 'application/json'],
])('the body %s as %s is 400, and message and hint say why', async (text, type) => {
  const { status, body } = await server.control('POST', '/environments', text, {
    headers: { 'content-type': type },
  });
  const error = { code: 'INVALID_ARGUMENT', message: expect.any(String), hint: expect.stringMatching(/./) };
  expect([status, body.error]).toMatchObject([400, error]);
});

test('a body is refused if its operation does not take one', async () => {
  const examples: Readonly<Record<string, string>> = { action: 'expire', decision: 'deny' };
  for (const { method, path, definition } of loadControlContract().operations) {
    if (definition.requestBody !== undefined || method === 'get') continue;
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => examples[name] ?? 'x');
    const { status, body } = await server.control(method.toUpperCase(), url, { unwanted: 1 });
    expect([method, path, status]).toEqual([method, path, 400]);
    expect(body.error.message).toContain('unwanted');
  }
});

test('every call takes a body of many values, since each of them is checked by its schema', async () => {
  const body = `{"name":[1${',1'.repeat(200_000)}]}`;
  const { status, body: answer } = await server.control('POST', '/environments', body);
  expect([status, answer.error.message]).toEqual([400, expect.stringMatching(/^name is a list, but must /)]);
});

test('HEAD answers as GET without a body', async () => {
  const bytes = await server.raw(rawRequest('HEAD /_mock/health HTTP/1.1'));
  expect(bytes).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n$/s);
});

test('answers tell browsers not to cache them and not to guess their type, and have no CORS header', async () => {
  const { headers } = await server.control('GET', '/health');
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  expect(headers['content-security-policy']).toMatch(/^default-src 'none';.* frame-ancestors 'none'$/);
  const asked = { headers: { origin: 'https://evil.test', 'access-control-request-method': 'GET' } };
  const preflight = await server.control('OPTIONS', '/health', undefined, asked);
  expect(preflight.status).toBe(403);
  for (const sent of [headers, preflight.headers])
    expect(sent).not.toHaveProperty('access-control-allow-origin');
});

const guarded = testServer({ controlToken: 'let-me-in' });

const LINK = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/** A row with POST resets an environment, and a row with GET opens a page. */
test.each<[from: string, method: string, headers: Record<string, string>, status: number]>([
  ['a page of another origin', 'POST', { origin: 'https://evil.test' }, 403],
  ['a page without an origin', 'POST', { origin: 'null' }, 403],
  ['a page of another port', 'POST', { origin: 'http://127.0.0.1:1' }, 403],
  ['a page of the mock itself', 'POST', { origin: server.mock.url }, 200],
  ['a page of the mock itself, without Origin', 'POST', { 'sec-fetch-site': 'same-origin' }, 200],
  ['a page of another site, without Origin', 'POST', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a page of the same site, without Origin', 'POST', { 'sec-fetch-site': 'same-site' }, 403],
  ['an image of another site', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
  ['an image of the same site', 'GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }, 403],
  ['a link on another site', 'GET', LINK, 200],
  ['a frame of another site', 'GET', { ...LINK, 'sec-fetch-dest': 'iframe' }, 403],
  ['a form of another site', 'POST', LINK, 403],
  ['a host name that an attacker pointed at this machine', 'POST', { host: 'evil.test:4720' }, 403],
  ['a name of this machine', 'POST', { host: 'localhost:1' }, 200],
  ['an address of this machine', 'POST', { host: '127.0.0.1:1' }, 200],
  ['the browser itself', 'GET', { 'sec-fetch-site': 'none' }, 200],
  ['a host name that only ends like one of this machine', 'POST', { host: 'evillocalhost:1' }, 403],
  ['the mock itself, in capitals', 'POST', { host: 'LOCALHOST:1', origin: 'http://localhost:1' }, 200],
  ['an IPv6 address of this machine', 'POST', { host: '[::1]:1' }, 200],
  ['a name below localhost', 'POST', { host: 'production.localhost:1' }, 200],
])('a call from %s, %s with %j, gets %i', async (_from, method, headers, status) => {
  const path = `/environments/development/${method === 'POST' ? 'reset' : 'coverage'}`;
  const answer = await server.control(method, path, undefined, { headers });
  expect(answer.status).toBe(status);
  if (headers.origin && status === 403)
    expect(answer.body.error.message).toContain(`Origin ${headers.origin}`);
});

const EVIL = { origin: 'https://evil.test' };

test.each<
  [title: string, token: string | null, headers: Record<string, string>, status: number, told: string]
>([
  ['no token', null, {}, 401, 'The control token is missing.'],
  ['a token of the API', 'dev-token', {}, 401, 'The control token is wrong.'],
  ['the token', 'let-me-in', {}, 200, ''],
  ['the token, with its scheme in lower case', null, { authorization: 'bearer let-me-in' }, 200, ''],
  ['the token, from a page of another origin', 'let-me-in', EVIL, 403, 'Origin'],
  ['the token, by any host name of the server', 'let-me-in', { host: 'mock.internal:4720' }, 200, ''],
])('if the server has a control token, a call with %s is answered so', async (_title, token, headers, status, told) => {
  for (const call of ['GET /health', 'POST /environments/development/reset']) {
    const [method = '', path = ''] = call.split(' ');
    const answer = await guarded.control(method, path, undefined, { token, headers });
    expect([call, answer.status]).toEqual([call, status]);
    expect(answer.text).not.toContain('let-me-in');
    expect(answer.body.error?.message ?? '').toContain(told);
    if (status !== 401) continue;
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.body.error.code).toBe('UNAUTHENTICATED');
  }
});

test('the outbox lists e-mails since a time, e-mails of that very time included, and to an address in any letter case', async () => {
  const own = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  const path = '/api/v1/memberships/organizations/org_100000000000000002/users/usr_100000000000000005';
  await own.control('PATCH', '/state', { users: [{ id: path.slice(-22), email: 'Bo@Acme.test' }] });
  await own.api('POST', path, {});
  const since = async (time: string) => (await own.get(`/outbox?since=${time}`)).emails;
  const [sent] = await since('2026-03-01T12:00:00.000Z');
  const to = (address: string) => own.control('GET', `/outbox?to=${encodeURIComponent(address)}`);
  expect((await to('bO@acme.test')).body.emails).toEqual([sent]);
  expect(await since('2026-03-01T12:00:00.001Z')).toHaveLength(0);
  const of = async (kind: string) => (await own.get(`/outbox?kind=${kind}`)).emails;
  expect([await of('invitation'), await of('reminder')]).toEqual([[sent], []]);
  await own.control('DELETE', '/outbox');
  expect((await own.get('/outbox')).emails).toEqual([]);
});
