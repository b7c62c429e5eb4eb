import { expect, jest, test } from '@jest/globals';
import { isSecretMember } from '../../../src/engine/contract/marks.ts';
import { MASK, maskUrl } from '../../../src/engine/core/secrets.ts';
import { toHar } from '../../../src/engine/environments/har.ts';
import { Journal, type JournalFilter, type RecordedCall } from '../../../src/engine/environments/journal.ts';
import { LiveLog } from '../../../src/engine/environments/log.ts';
import { kindOfBody, maskBody, maskHeader } from '../../../src/engine/environments/masking.ts';
import { UsedContract } from '../../../src/engine/environments/used.ts';
import { service } from '../../../src/service/index.ts';
import { rowsOf, START } from '../../support/core.ts';

const JSON_HEADERS = { 'content-type': 'application/json', authorization: 'Bearer abc' };

const REPLIED = { 'x-request-id': 'req_1', 'content-type': 'application/json; charset=utf-8' };

type Given = Partial<RecordedCall & RecordedCall['request']> & {
  readonly [Name in 'request_headers' | 'response_headers']?: Record<string, string>;
} & { readonly request_body?: string; readonly response_body?: string };

const callOf = (given: Given = {}): RecordedCall => {
  const { method = 'POST', url = '/api/v1/connected_accounts', request_body, response_body, ...rest } = given;
  const { request_headers = JSON_HEADERS, response_headers = REPLIED, ...more } = rest;
  return {
    request_id: 'req_1',
    time: START,
    real_time: START,
    duration_ms: 1.23456,
    request: { method, url, headers: request_headers, body: request_body },
    status: 201,
    response: { headers: response_headers, body: response_body },
    ...more,
  };
};

const journalOf = (...calls: Given[]) => {
  const journal = new Journal();
  for (const call of calls) journal.record(callOf(call));
  return journal;
};

test('a wait ends after its time, though other calls come meanwhile and a test fakes timers', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  const journal = journalOf();
  let isOver = false;
  const over = journal.waitFor({ operation: 'getKeys' }, 20).then(() => {
    isOver = true;
  });
  journal.record(callOf());
  await new Promise<void>((done) => process.nextTick(done)); // no timer runs before it
  expect(isOver).toBe(false);
  await over;
  jest.useRealTimers();
});

test('an entry shows the times, why a call was refused, which names were ignored, and which fault took effect', () => {
  const told = { reason: 'busy', warnings: ['pagesize is not a parameter'], fault: 'fault_1' };
  const violation = { field: 'a', constraint: 'type', description: 'a is wrong.' };
  const violations = [violation, { ...violation, field: 'b' }];
  const journal = journalOf({ status: 503, ...told, violations });
  const times = {
    time: '2026-03-01T12:00:00.000Z',
    real_time: '2026-03-01T12:00:00.000Z',
    duration_ms: 1.235,
  };
  expect(journal.entries()).toMatchObject([{ ...times, ...told, violations }]);
});

test('the journal keeps the last 1,000 calls in order, and counts the calls that it dropped', async () => {
  const journal = new Journal();
  for (let call = 1; call <= 1_250; call += 1) journal.record(callOf({ request_id: `req_${call}` }));
  const entries = journal.entries();
  expect(entries).toHaveLength(1_000);
  expect([entries[0]?.request_id, entries.at(-1)?.request_id]).toEqual(['req_251', 'req_1250']);
  expect([entries[0]?.sequence, journal.find(251)?.request_id, journal.find(250)]).toEqual([
    251,
    'req_251',
    undefined,
  ]);
  expect(journal.dropped).toBe(250);
  journal.clear();
  expect([journal.entries(), journal.dropped]).toEqual([[], 0]);
});

const CALL = {
  operation: 'createConnectedAccount',
  url: '/api/v1/connected_accounts?connector=mail&connector=crm&x=a%20b',
  request_body: '{"identifier":"ada@acme.test","metadata":{"a":"1","b":"2"},"connector":"mail"}',
} as const;

test.each<[JournalFilter, boolean]>([
  [{ operation: 'createConnectedAccount', status: 201 }, true],
  [{ operation: 'listConnections' }, false],
  [{ status: 200 }, false],
  [{ status: '2xx' }, true],
  [{ status: '4xx' }, false],
  [{ since: START }, true],
  [{ since: START + 1 }, false],
  [{ path: '/api/v1/connected_accounts' }, true],
  [{ path: '/api/v1/connected' }, false],
  [{ path: '/api/*_accounts' }, true],
  [{ path: '*' }, true],
  [{ path: '/api/v1/connected_accounts*' }, true],
  [{ path: '/api/v1/connected_accounts/*' }, false],
  [{ path: '*accounts*accounts' }, false],
  [{ path: '/api/*connected*' }, true],
  [{ path: '/*connected*v1*' }, false],
  [{ query: { connector: 'crm', x: 'a b' } }, true],
  [{ query: { connector: 'calendar' } }, false],
  [{ identifier: 'ada@acme.test' }, true],
  [{ identifier: 'ada' }, false],
  [{ body: { metadata: { b: '2' }, connector: 'mail' } }, true],
  [{ body: { metadata: { b: 2 } } }, false],
])('the filter %j finds the call: %s', (filter, found) => {
  expect(journalOf(CALL).entries(filter)).toHaveLength(found ? 1 : 0);
});

test('a filter finds values in a form as in JSON, but not in a body with a wrong content type', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const journal = journalOf(
    { request_headers: form, request_body: 'client_id=dev-client&client_secret=S' },
    { request_body: 'client_id=dev-client' },
  );
  const found = journal.entries({ body: { client_id: 'dev-client' } });
  expect(found.map(({ sequence }) => sequence)).toEqual([1]);
});

const LIMIT = 65_536;
const textOf = (bytes: number): string => `"${'x'.repeat(bytes - 10)}"`;
const bodyOf = (bytes: number): string => `{"name":${textOf(bytes)}}`;

test('a body of 64 KiB is kept whole, and a longer body is cut to 64 KiB', async () => {
  const [whole, cut] = [
    ...journalOf({ request_body: bodyOf(LIMIT - 1) }, { request_body: bodyOf(LIMIT) }).entries(),
  ];
  expect(Buffer.byteLength(bodyOf(LIMIT - 1))).toBe(LIMIT);
  expect(JSON.stringify(whole?.request.body)).toHaveLength(LIMIT);
  expect(whole?.request).not.toHaveProperty('body_cut');
  expect([String(cut?.request.body).length, cut?.request.body_cut]).toEqual([LIMIT, true]);
});

test('a filter finds content beyond the 64 KiB of a body that the journal shows', async () => {
  const request_body = JSON.stringify({ api_config: 'x'.repeat(100_000), identifier: 'ada@acme.test' });
  const journal = journalOf({ request_body }, {});
  const found = [...journal.entries({ body: { identifier: 'ada@acme.test' } })];
  expect(found.map(({ sequence, request }) => [sequence, request.body_cut])).toEqual([[1, true]]);
});

test('the journal keeps the newest 8 MiB of long bodies, and all short bodies', async () => {
  const long = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
  const journal = journalOf(
    ...Array.from({ length: 9 }, () => ({ request_body: long, response_body: '{}' })),
  );
  const [first, second, third] = journal.entries();
  expect(first?.request).toMatchObject({ body_cut: true });
  expect(first?.request).not.toHaveProperty('body');
  expect(first?.response.body).toEqual({});
  expect([second?.request.body, third?.request.body]).toEqual([undefined, expect.any(String)]);
});

test('a long body is masked before it is cut', async () => {
  const secret = 's3cret'.repeat(2_000);
  const journal = journalOf({
    request_body: JSON.stringify({ a: 'x'.repeat(60_000), client_secret: secret }),
    response_body: `{"client_secret":"${secret}${'x'.repeat(LIMIT)}`,
  });
  const text = JSON.stringify(journal.entries());
  expect(text).not.toContain('s3cret');
  expect(text).toContain('client_secret\\":\\"***');
});

test('a log keeps the newest items in order, and counts the items that it dropped', () => {
  const log = new LiveLog<number>(3);
  for (const item of [1, 2, 3, 4, 5]) log.add(item);
  expect([log.list(), log.last, log.dropped]).toEqual([[3, 4, 5], 5, 2]);
  log.clear();
  expect([log.list(), log.last, log.cleared, log.dropped]).toEqual([[], 6, 6, 0]);
});

test('a wait ends when the client goes away, and when the log closes', async () => {
  const log = new LiveLog<string>(10);
  const client = new AbortController();
  const never = (): boolean => false;
  const waits = [log.wait(never, 60_000, client.signal), log.wait(never, 60_000)];
  client.abort();
  log.close();
  await expect(Promise.all(waits)).resolves.toEqual([undefined, undefined]);
});

test('coverage counts only names of the contract, and accepts any body', () => {
  const contract = new UsedContract(service.contract);
  const body = { roles: [{ name: 'admin', unknown: 1 }], metadata: { team: 'core' }, other: 1 };
  const query = { send_invitation_email: true, unknown: 'x' };
  const used = { status: 201, operation: 'createMembership', scenario: 'a', isInjected: false } as const;
  contract.record({ ...used, query, body });
  for (const odd of [undefined, null, 'text', [], [null], { roles: null }, { roles: 'x' }])
    contract.record({ ...used, query: {}, body: odd });
  expect(contract.coverage.get('createMembership')).toEqual({
    calls: 8,
    statuses: new Map([[201, 8]]),
    parameters: new Set(['send_invitation_email']),
    members: new Set(['roles', 'roles[].name', 'metadata']),
  });
});

test('a Pact has at most 100 interactions of an operation and a status, the same in whatever order they come', () => {
  const names = ['email', 'start_time', 'end_time', 'resource_id', 'client_id', 'page_size', 'page_token'];
  const sets = Array.from({ length: 128 }, (_, nth) => names.filter((_name, bit) => nth & (1 << bit)));
  const kept = (order: readonly string[][]) => {
    const contract = new UsedContract(service.contract);
    for (const sent of order) {
      const query = Object.fromEntries(sent.map((name) => [name, 'x']));
      const call = { operation: 'listAuthenticationRequests', status: 200, scenario: 'a' } as const;
      contract.record({ ...call, query, reply: { authRequests: [] }, isInjected: false });
    }
    return contract.interactions.map(({ query }) => JSON.stringify(query)).sort();
  };
  expect(kept(sets)).toHaveLength(100);
  expect(kept(sets.toReversed())).toEqual(kept(sets));
});

// The journal as an archive.

const JSON_TYPE = { 'content-type': 'application/json' };

test('an archive has all of a call that HAR 1.2 asks for, with -1 for sizes that are not known', () => {
  const cut = { status: 0, request_headers: {}, response_headers: {} };
  const journal = journalOf(
    {
      ...{ duration_ms: 2.5, url: '/a?b=1&b=x%20y', status: 404, fault: 'fault_1' },
      ...{ request_headers: JSON_TYPE, request_body: '{"n":1}' },
      ...{ response_headers: { location: '/c', ...JSON_TYPE }, response_body: '{"é":2}' },
    },
    { ...cut, duration_ms: 2.5, method: 'GET', url: '/d' },
  );
  const unknown = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 };
  const header = { name: 'content-type', value: 'application/json' };
  const timings = { send: 0, wait: 2.5, receive: 0 };
  const entry = { startedDateTime: '2026-03-01T12:00:00.000Z', time: 2.5, cache: {}, timings };
  const none = { size: 0, mimeType: '', text: '' };
  const entries = [
    {
      ...entry,
      request: {
        ...{ ...unknown, method: 'POST', url: 'http://m.test/a?b=1&b=x%20y', headers: [header] },
        queryString: ['1', 'x y'].map((value) => ({ name: 'b', value })),
        postData: { mimeType: 'application/json', params: [], text: '{"n":1}' },
      },
      response: {
        ...{ ...unknown, status: 404, statusText: 'Not Found', redirectURL: '/c' },
        headers: [{ name: 'location', value: '/c' }, header],
        content: { size: 8, mimeType: 'application/json', text: '{"é":2}' },
      },
      comment: 'The injected fault fault_1 took effect.',
    },
    {
      ...entry,
      request: { ...unknown, method: 'GET', url: 'http://m.test/d', headers: [], queryString: [] },
      response: { ...unknown, status: 0, statusText: '', redirectURL: '', headers: [], content: none },
    },
  ];
  const creator = { name: 'connected-accounts-mock', version: '1.2.3' };
  expect(toHar(journal.entries(), '1.2.3', 'http://m.test')).toEqual({
    log: { version: '1.2', creator, entries },
  });
});

test('an archive keeps the text of other bodies than JSON, with their credentials masked, and tells which were cut', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const response_headers = { 'content-type': 'text/html' };
  const request_body = 'grant_type=client_credentials&client_secret=S';
  const journal = journalOf(
    { request_headers: form, request_body, response_headers, response_body: '<p>"é"</p>' },
    { response_headers, response_body: 'x'.repeat(70_000) },
  );
  expect(toHar(journal.entries(), '1.2.3', 'http://m.test').log.entries).toMatchObject([
    {
      request: { postData: { text: 'grant_type=client_credentials&client_secret=***' } },
      response: { content: { text: '<p>"é"</p>' } },
    },
    { response: { content: { comment: 'cut at 64 KiB' } } },
  ]);
});

// How bodies, addresses and headers are masked before they are shown (behaviour R2, A5).

const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

test.each([
  ['Application/JSON; charset=utf-8', 'json'],
  ['application/problem+json', 'json'],
  ['application/x-www-form-urlencoded ;charset=utf-8', 'form'],
  ['TEXT/html', 'text'],
  ['application/jsonlines', 'other'],
])('a body of the content type %s is read as %s', (contentType, kind) => {
  expect(kindOfBody(contentType)).toBe(kind);
});

/** A body, and what is shown of it: the credentials `S` as `***`. */
const BODIES = `
{"access_token":"S","token_type":"Bearer"} => {"access_token":"***","token_type":"Bearer"}
{"accessToken":"S","ACCESS-TOKEN":"S"} => {"accessToken":"***","ACCESS-TOKEN":"***"}
{"next_page_token":"p","page_token":"q"} => {"next_page_token":"p","page_token":"q"}
{"client\\u005fsecret":"S"} => {"client_secret":"***"}
{"client_secret":["S",{"a":"S"}]} => {"client_secret":["***",{"a":"***"}]}
{"client_secret[]":"S","a[access_token]":"S"} => {"client_secret[]":"***","a[access_token]":"***"}
{"metadata":{"secret_access_key":"S","session_token":"S","x":1}} => {"metadata":{"secret_access_key":"***","session_token":"***","x":1}}
{"authorization_details":{"oauth_token":{"scopes":["S"],"n":1}},"connector":"mail"} => {"authorization_details":{"oauth_token":{"scopes":["***"],"n":"***"}},"connector":"mail"}
{"static_auth":{"details":{"api_key":"S","a":1,"password":"","token":null}},"x":1} => {"static_auth":{"details":{"api_key":"***","a":"***","password":"","token":null}},"x":1}
{"connected_account":"{\\"client_secret\\":\\"S\\",\\"a\\":1}"} => {"connected_account":"{\\"client_secret\\":\\"***\\",\\"a\\":1}"}
{"user_verify_url":"https://a.test/b?access_token=S&c=d"} => {"user_verify_url":"https://a.test/b?access_token=***&c=d"}
{"url":"https://a.test/b?c=d","n":1,"b":true} => {"url":"https://a.test/b?c=d","n":1,"b":true}
{"__proto__":{"client_secret":"S"}} => {"__proto__":{"client_secret":"***"}}
[{"client_secret":"S"}] => [{"client_secret":"***"}]
{"a":"${JWT}","b":["x ${JWT} y"]} => {"a":"***","b":["x *** y"]}
{"pwd":"S","credentials":"S","passcode":"S","ssh_key":"S","dsn":"S"} => {"pwd":"***","credentials":"***","passcode":"***","ssh_key":"***","dsn":"***"}
{"token_value":"S","apikey_v2":"S","db_password_old":"S","connectionString":"S"} => {"token_value":"***","apikey_v2":"***","db_password_old":"***","connectionString":"***"}
{"api_config":{"pem":"-----BEGIN EC KEY-----\\nS"}} => {"api_config":{"pem":"***"}}
7 => 7
`;

test.each(rowsOf(BODIES))('the body %s is shown with its credentials masked: %s', (body, expected) => {
  expect(maskBody(body, 'json')).toEqual(JSON.parse(expected));
});

test.each([
  '{client_secret: "S"}',
  '{"client_secret": "S',
  '<client_secret>S</client_secret>',
])('of the body %s, which is not JSON, only length and digest are shown', (body) => {
  const bytes = Buffer.byteLength(body);
  expect(maskBody(body, 'json')).toMatch(
    new RegExp(`^\\[${bytes} bytes that are not JSON, SHA-256 [0-9a-f]{16}\\]$`),
  );
});

test('a body that is neither JSON nor a form is never shown', () => {
  expect(maskBody('{"a":"S"}', kindOfBody('text/plain'))).toMatch(/^\[9 bytes that are neither/);
  expect(maskBody('{"a":"S"}', kindOfBody(undefined))).toMatch(/^\[9 bytes that are neither/);
});

test.each([
  ['client_id=a&client_secret=S&grant_type=x', 'client_id=a&client_secret=***&grant_type=x'],
  ['client%5Fsecret=S', 'client%5Fsecret=***'],
  ['client_secret[]=S&access_token[0]=S', 'client_secret[]=***&access_token[0]=***'],
  ['{"client_secret":"S"}', '***'],
])('the form %s is shown as %s', (body, expected) => {
  expect(maskBody(body, 'form')).toBe(expected);
});

test.each([
  ['/a?access_token=S&page_token=p&x=1', '/a?access_token=***&page_token=p&x=1'],
  ['/a?client_secret%5B%5D=S', '/a?client_secret%5B%5D=***'],
  ['/a?{client_secret:"S"}', '/a?***'],
  ['/a?"client_secret"=>"S"', '/a?***'],
  ['/a?client_secret', '/a?***'],
  ['/a?q=%zz&identifier=ada%40acme.test&query=', '/a?q=%zz&identifier=ada%40acme.test&query='],
  [`/a/${JWT}?page_token=p&y=${JWT}`, '/a/***?page_token=p&y=***'],
  ['/a?', '/a?'],
  ['/users:external/x', '/users:external/x'],
  ['/a?%70assword=S', '/a?%70assword=***'],
])('the address %s is shown as %s', (url, expected) => {
  expect(maskUrl(url)).toBe(expected);
});

test('credentials in headers are masked', () => {
  expect(maskHeader('Authorization', 'Basic S')).toBe('Basic ***');
  for (const name of ['authorization', 'cookie', 'x-api-key', 'x-forwarded-authorization', 'X-Auth-Token'])
    expect(maskHeader(name, 'S')).toBe(MASK);
  expect(maskHeader('x-custom', `a ${JWT}`)).toBe('a ***');
  expect(maskHeader('accept', 'text/html')).toBe('text/html');
  expect(maskHeader('www-authenticate', 'Basic realm="a"')).toBe('Basic realm="a"');
});

test('a text that the mock replied is shown', () => {
  expect(maskBody(`busy ${JWT}`, 'text', true)).toBe('busy ***');
});

test('a member is not masked if a word such as "token" is only a part of its name', () => {
  const names = 'tokenizer secretary page_token token_type passport keyboard subject db_user'.split(' ');
  expect(names.filter(isSecretMember)).toEqual([]);
});

test('behaviour R2: the contract says which of its members are credentials, in any spelling', () => {
  const names =
    'authorization_details authorizationDetails static_auth vendorb_dwd trusted_idp access_key_id';
  expect(names.split(' ').filter((name) => !isSecretMember(name))).toEqual([]);
});
