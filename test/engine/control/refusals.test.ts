/** The control plane refuses wrong calls: the message and the hint say what to do, and nothing changes. */
import { expect, test } from '@jest/globals';
import { testServer } from '../../support/server.ts';

const server = testServer();
const own = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
await own.control('POST', '/snapshots', { name: 'start' });

const SEEN = ['state', 'settings', 'clock', 'faults', 'events', 'snapshots'];
const look = async () => {
  const { environments } = (await server.control('GET', '/environments')).body;
  const bodies = SEEN.map(async (path) => (await own.control('GET', `/${path}`)).body);
  return [environments.length, ...(await Promise.all(bodies))];
};

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
  const before = await look();
  const send = /^\/(environments|helth)/.test(path) ? server.control : own.control;
  const { status: got, body: answer } = await send(method, path, body);
  expect(got).toBe(status);
  const { message, hint = '' } = answer.error;
  for (const each of words) expect(`${message} ${hint}`).toContain(each);
  expect(message).not.toMatch(/pattern|is an object, but must be a string/);
  expect(await look()).toEqual(before);
};

test.each<Row>([
  ['GET /helth', undefined, 'No operation has the path /_mock/helth.', 'Did you mean GET /_mock/health?'],
  [
    'GET /environments/developmnet',
    undefined,
    'The environment "developmnet" does not exist.',
    'mean "development"?',
  ],
  ['POST /snapshots/strat/restore', undefined, 'Did you mean "start"?'],
  ['POST /undo-points/7', {}, 'This step can no longer be undone. Only the last 20 steps can.'],
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
  ['POST /environments', { scenario: { environments: { mine: { connectoins: [] } } } }, 'connectoins'],
  ['POST /environments', { scenario: EXTENDS }, '"./default.yaml" is a path'],
  ['POST /environments', { settings: { magic_link_ttl: '-1m' } }, 'must be a duration such as 15m'],
  ['POST /environments', { settings: { rate_limit: 5 } }, 'rate_limit is 5, but must be an object or null.'],
  ['POST /environments', { settings: { rate_limit: { requests: 1, per: '0s' } } }, 'a duration above zero'],
  ['POST /environments', { clock: { mode: 'frozen', now: 'noon' } }, 'clock.now is "noon", but must be a'],
  ['POST /environments', { clock: FROZEN.now }, YEARS],
  ['POST /environments', { clock: FROZEN }, YEARS],
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
  ['GET /rows/accounts', undefined, 'connected_accounts'],
  ['GET /rows/users?page=1e1', undefined, 'number written in digits'],
  ['GET /rows/users?page=0x5', undefined, 'number written in digits'],
  ['GET /coverage?min=5e1', undefined, 'number written in digits'],
  ['GET /coverage?min=101', undefined, 'min is 101'],
  ['GET /outbox?wait=1h', undefined, 'wait is "1h", but must be at most 5m.'],
  ['GET /requests/0x1', undefined, 'number written in digits'],
  ['GET /requests?limit=1001', undefined, 'limit is 1001'],
  ['GET /requests?sinse=2026', undefined, 'sinse is not a known parameter', 'Did you mean "since"?'],
  ['GET /requests?status=200&status=400', undefined, 'was sent 2 times'],
  ['GET /requests?status=abc', undefined, 'status is "abc"', DOCUMENT],
  ['GET /requests?status=40', undefined, 'status is "40", but must be a status from 100 to 599', DOCUMENT],
  ['GET /requests?body=%7B', undefined, 'body is not a JSON object.', 'URL-encoded'],
  ['GET /requests?body=[1]', undefined, 'body is not a JSON object.', 'URL-encoded'],
  ['GET /requests?operation=listConections', undefined, 'not an operation of', 'listConnections'],
  ['DELETE /faults?id=', undefined, 'id is ""'],
  ['POST /faults', { operation: 'listConections', status: 500 }, 'not an operation', ' "listConnections"?'],
  ['POST /faults', { operation: '*' }, 'required: status, error_code, body, delay_ms, abort.', 'Add one'],
  ['POST /faults', { abort: false }, 'abort is false, but must be one of true, before, after', DOCUMENT],
  ['POST /faults', { status: 399 }, 'status is 399, but must be', DOCUMENT],
  [
    'POST /faults',
    { status: '429' },
    'status is "429", but must be a whole number',
    'Write 429 without quotes.',
  ],
  ['POST /faults', { status: [503, 600] }, 'status[1] is 600', DOCUMENT],
  [
    'POST /faults',
    { abort: true, status: 500 },
    'status cannot be combined with abort',
    'Leave out status or abort.',
  ],
  ['POST /faults', { preset: 'outage' }, 'preset is not a known member', 'Use one of these: status'],
  ['POST /faults', { delay_ms: { min: 20, max: 10 } }, 'delay_ms is an object', DOCUMENT],
  ['POST /faults', { delay_ms: 5, headers: { a: 'b' } }, 'required: status, error_code, body.', 'Add one'],
  ['POST /faults', { status: 500, headers: { 'a b': 'c' } }, 'headers.a b cannot be set', 'letters, digits'],
  ['POST /faults', { status: 500, headers: { a: 'c\r\nd: e' } }, 'headers.a cannot be set', 'no line breaks'],
  ['POST /faults', { body: 'x', headers: { 'Content-Length': '9' } }, 'Content-Length', 'the mock sets'],
  ['POST /faults', { status: 500, match: {} }, 'match is an object', DOCUMENT],
  [
    'POST /faults',
    { status: 503, operation: 'GET /api/v1/connections' },
    'That call is the operation listConnections.',
  ],
  [
    'POST /faults',
    { status: 503, operation: 'get /api/v1/connections?x=1' },
    'is the operation listConnections.',
  ],
  [
    'POST /faults',
    { status: 503, match: { path: 'api/v1' } },
    'match.path is "api/v1"',
    'begins with a slash',
  ],
  ['POST /faults', { status: 503, operation: 'getKeys', match: { body: { a: 1 } } }, 'getKeys have no body'],
  [
    'POST /faults',
    { status: 503, operation: 'listConnections', match: { path: '/api/v1/connected_accounts/*' } },
    'match.path is "/api/v1/connected_accounts/*", but the path of listConnections is /api/v1/connections.',
  ],
  [
    'POST /faults',
    { status: 503, operation: 'updateMembership', match: { path: '/api/v1/*/users//x' } },
    'but the path of updateMembership is',
  ],
  ['POST /faults', { delay: 100 }, 'delay is not a known member. Did you mean "delay_ms"?'],
  ['POST /faults', { zebra: 1 }, 'zebra is not a known member. Use one of these: status, error_code, body,'],
])('%s with %j is 400, and message and hint say why', (...row) => expectRefusal(400, row));

test.each([
  ...['delay', 'delayMs', 'timeout_ms', 'latency', 'wait'].map((name) => [name, 'delay_ms'] as const),
  ...['statusCode', 'status_code', 'httpStatus', 'http_status_code'].map((name) => [name, 'status'] as const),
  ...['op', 'operationId', 'operation_id'].map((name) => [name, 'operation'] as const),
])('behaviour N1: a fault with %s is refused, and the hint names %s', async (name, meant) => {
  const { hint } = (await own.control('POST', '/faults', { [name]: 1 })).body.error;
  expect(hint).toContain(`Did you mean "${meant}"?`);
});

test.each([
  ...['content-length', 'Transfer-Encoding', 'Connection', 'upgrade', 'Trailer'].map((name) => ({
    [name]: '3',
  })),
  { 'x y': '1' },
  { 'x-note': 'a\nb' },
])('behaviour N2: a stub and a fault refuse the headers %j with the same words', async (headers) => {
  const own = await server.isolated();
  const stubs = [{ method: 'GET', path: '/files', headers }];
  const [name = ''] = Object.keys(headers);
  for (const { status, body } of [
    await own.control('PATCH', '/state', { stubs }),
    await own.control('POST', '/faults', { operation: '*', status: 503, headers }),
  ]) {
    expect(status).toBe(400);
    const { message, hint } = body.error;
    expect(`${message} ${hint}`).toMatch(
      new RegExp(`headers[.]${name}:? cannot be set[.] Use letters, digits and "-" in the name`),
    );
  }
});

const FAULTS = '/environments/development/faults';
const SEED = 'a whole number from 0 to 4294967295, or random.';
const STATUS = 'a whole number from 400 to 599';
const OF_LIST = { operation: 'listConnections' };

test.each<[string, object, string]>([
  ['/environments', { seed: 'x' }, `seed is "x", but must be ${SEED}`],
  ['/environments', { seed: -1 }, `seed is -1, but must be ${SEED}`],
  ['/environments', { seed: null }, `seed is null, but must be ${SEED}`],
  ['/environments', { scenario: 7 }, 'scenario is 7, but must be a string, or an object.'],
  [
    '/environments',
    { clock: 5 },
    'clock is 5, but must be an ISO 8601 time such as 2026-01-15T09:30:00Z, in the years 1970 to 8999, or an object with mode and now.',
  ],
  ['/environments', { clock: { mode: 'x' } }, 'clock.mode is "x", but must be one of running, frozen.'],
  [
    FAULTS,
    { ...OF_LIST, status: 'x' },
    `status is "x", but must be ${STATUS}, or a list of up to 100 of these and 200.`,
  ],
  [FAULTS, { ...OF_LIST, status: [503, 'x'] }, `status[1] is "x", but must be 200, or ${STATUS}.`],
  [FAULTS, { ...OF_LIST, body: null }, 'body is null, but must be a string, or an object.'],
])('behaviour N5: one sentence for one mistake: %s %j', async (path, body, message) => {
  expect((await server.control('POST', path, body)).body.error.message).toBe(message);
});
