/** Bytes that no client would send: they never cause a crash, a hang or a 500, and other clients are still served. */
import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { forgeAccessToken } from '../support/forge.ts';
import { listeningServer, rawRequest } from '../support/server.ts';

const SEED = Number(process.env.FUZZ_SEED ?? 1);
const RUNS = Number(process.env.FUZZ_RUNS ?? 300);
const complaints: string[] = [];

const server = await listeningServer({
  log: (entry) => {
    if (entry.event !== 'request') complaints.push(JSON.stringify(entry));
  },
});
afterEach(async () => {
  expect((await server.call('GET', '/keys')).status).toBe(200);
  expect(complaints.splice(0)).toEqual([]);
});

const BEARER = 'Authorization: Bearer dev-token';
const JSON_TYPE = 'Content-Type: application/json';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** Sends a text. Resolves with the answer when the connection is closed. @param ends whether to end our side first */
const exchange = (text: string, ends: boolean): Promise<string> =>
  new Promise((resolve) => {
    const { port, hostname } = new URL(server.mock.url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('error', () => {}); // the server may close the connection before it has the whole text
    socket.on('close', () => resolve(answer));
    socket.write(bytes(text));
    if (ends) socket.end();
  });

const statusesOf = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** Request lines, of words that are valid there and of words that are not. */
const oneOf = (words: string): fc.Arbitrary<string> => fc.constantFrom(...words.split(' | '));
const line = fc.tuple(
  oneOf('GET | POST | PUT | PATCH | DELETE | HEAD | OPTIONS | TRACE | CONNECT | get |  | \u0000'),
  fc.constantFrom(' ', '  ', '\t', ''),
  fc.oneof(
    oneOf(
      '/ | * | // | /api/v1/connected_accounts | /api/v1/connected_accounts:search?query=% | /oauth/token',
    ),
    oneOf('/api/v1/%2e%2e/%00 | /_mock/environments/%ff/clock | /magicLink/%c0%af | http://[::1'),
    oneOf('/api/v1/connections?domain=%zz&%&=&&'),
    fc.string({ unit: 'binary', maxLength: 40 }).map((text) => `/${text}`),
  ),
  fc.constantFrom(' HTTP/1.1', ' HTTP/1.0', ' HTTP/2.0', '', ' HTTP/1.1 '),
);
const header = fc.oneof(
  fc.constantFrom(BEARER, JSON_TYPE, ' folded: yes', ': nameless'),
  oneOf('Host: a | Content-Length: 5 | Content-Length: -1 | Content-Length: 99999999999999999999'),
  oneOf('Transfer-Encoding: chunked | Transfer-Encoding: gzip, chunked | Content-Encoding: gzip'),
  oneOf('Expect: 100-continue | Connection: Upgrade | Upgrade: h2c | Prefer: code=\u00ff | Origin: null'),
  oneOf('X-Mock-Environment: __proto__'),
  fc.string({ unit: 'binary', maxLength: 60 }),
);
const body = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '5\r\nhello\r\n0\r\n\r\n',
    'ffffffffffffffff\r\n',
    '{"connector":"mail","identifier":"\\ud800"}',
    'grant_type=%ff&%=%',
  ),
  fc.string({ unit: 'binary', maxLength: 100 }),
);
const ending = fc.constantFrom('\r\n', '\n', '\r');
const request = fc
  .tuple(line, fc.array(header, { maxLength: 6 }), body, ending)
  .map(([words, headers, text, end]) => [words.join(''), ...headers, '', text].join(end));

test('random bytes never cause a 500, and the server keeps running', async () => {
  const flood = fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 3 }), async (requests) => {
    expect(statusesOf(await exchange(requests.join(''), true))).not.toContain(500);
  });
  await fc.assert(flood, { seed: SEED, numRuns: RUNS });
});

const post = (headers: readonly string[], payload: string): string =>
  rawRequest(
    'POST /api/v1/connected_accounts HTTP/1.1',
    [BEARER, JSON_TYPE, `Content-Length: ${payload.length}`, ...headers],
    payload,
  );

const get = (path: string, ...headers: string[]): string => rawRequest(`GET ${path} HTTP/1.1`, headers);
const NAMES_QUERY = 'connection_names=mail&'.repeat(600);

const deep = (levels: number): string =>
  `{"connected_account":{"api_config":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}}`;

test.each([
  ['50,000 headers', get('/keys', ...Array.from({ length: 50_000 }, (_, at) => `X-${at}: ${at}`)), 431],
  ['one header of 10 MiB', get('/keys', `X: ${'a'.repeat(10 * 2 ** 20)}`), 431],
  ['a request line of 1 MiB', get(`/${'a'.repeat(2 ** 20)}`), 431],
  ['a body of 20 MiB', post([], 'a'.repeat(20 * 2 ** 20)), 413],
  ['100,000 levels of JSON', post([], deep(100_000)), 400],
  ['bytes that are not UTF-8', post([], '{"connector":"\u00ff\u00fe"}'), 400],
  ['broken percent-encoding in a path', get('/api/v1/%zz', BEARER), 404],
  ['broken percent-encoding in a query', get('/api/v1/connected_accounts?identifier=%ff%zz', BEARER), 400],
  ['600 parameters of one name', get(`/api/v1/connected_accounts?${NAMES_QUERY}`, BEARER), 400],
  ['a body compressed a thousandfold', post(['Content-Encoding: br'], 'not compressed at all'), 400],
])('%s: the server gives one answer with the expected status (%#)', async (_what, text, status) => {
  expect(statusesOf(await exchange(text, false))).toEqual([status]);
});

/** Headers that the server reads. */
const NAMES = [
  ...['Accept', 'Access-Control-Request-Headers', 'Authorization', 'Baggage', 'Content-Type', 'Cookie'],
  ...['Forwarded', 'Host', 'Origin', 'Prefer', 'Sec-Fetch-Site', 'X-Forwarded-Host', 'X-Request-Id'],
  ...['X-Mock-Environment', 'X-Mock-Strict'],
];
const printable = fc
  .array(fc.integer({ min: 0x20, max: 0xff }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes.filter((code) => code !== 0x7f)));
const headerValue = fc.oneof(
  printable,
  printable.map((text) => `mock-environment=${text}`),
  printable.map((text) => `Basic ${Buffer.from(text, 'latin1').toString('base64')}`),
  fc.jsonValue().map((claims) => `Bearer ${forgeAccessToken(JSON.stringify(claims))}`),
  fc.constantFrom(
    'mock-environment=%c0%af;a=b,mock-environment=__proto__',
    'session=%; $Version=1; __proto__=a; ==;;',
    'http://[::1',
    'wait=NaN, code=abc, example=__proto__',
    'constructor',
    'application/json; charset=__proto__',
  ),
);
const PLACES = [
  'GET /api/v1/connections',
  'OPTIONS /api/v1/connected_accounts',
  'POST /oauth/token',
  'GET /magicLink/nobody',
  'POST /magicLink/nobody',
  'GET /_mock/environments',
  'GET /_mock/environments/development/requests?format=har',
];

test('random headers and tokens never break the server: it answers or refuses each call', async () => {
  const sent = fc.tuple(
    fc.constantFrom(...PLACES),
    fc.dictionary(fc.constantFrom(...NAMES), headerValue, { maxKeys: 5 }),
  );
  const call = fc.asyncProperty(sent, async ([place, given]) => {
    const lines = Object.entries({ Host: '127.0.0.1', ...given }).map(([name, value]) => `${name}: ${value}`);
    const head = [`${place} HTTP/1.1`, 'Connection: close', ...lines, '', ''].join('\r\n');
    const [status, ...more] = statusesOf(await server.raw(Buffer.from(head, 'latin1')));
    expect(more).toEqual([]);
    expect([200, 204, 400, 401, 403, 404, 406]).toContain(status);
  });
  await fc.assert(call, { seed: SEED, numRuns: RUNS });
});

test('an incomplete body changes nothing and does not block the server', async () => {
  const before = await server.call('GET', '/api/v1/connected_accounts');
  const whole = post([], '{"connector":"mail","identifier":"cut@acme.test"}');
  await Promise.all(Array.from({ length: 100 }, () => exchange(whole.slice(0, -10), true)));
  expect((await server.call('GET', '/api/v1/connected_accounts')).body).toEqual(before.body);
});
