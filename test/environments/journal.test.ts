import { expect, test } from '@jest/globals';
import { createJournal, type Exchange } from '../../src/environments/journal.ts';
import { MASK, maskBody, maskHeader, maskUrl } from '../../src/environments/masking.ts';
import { START } from '../support/core.ts';

const exchange = (given: Partial<Exchange> = {}): Exchange => ({
  request_id: 'req_1',
  time: START,
  duration_ms: 1.23456,
  method: 'POST',
  url: '/api/v1/connected_accounts',
  request_headers: ['Content-Type', 'application/json', 'Authorization', 'Bearer abc'],
  status: 201,
  response_headers: { 'X-Request-Id': 'req_1' },
  ...given,
});

test('an entry shows time, headers in lower case, and bodies as JSON', () => {
  const journal = createJournal();
  journal.record(exchange({ request_body: '{"connector":"mail"}', response_body: '{"ok":true}' }));
  expect(journal.list()).toEqual([
    {
      request_id: 'req_1',
      time: '2026-03-01T12:00:00.000Z',
      duration_ms: 1.235,
      status: 201,
      request: {
        method: 'POST',
        url: '/api/v1/connected_accounts',
        headers: { 'content-type': 'application/json', authorization: 'Bearer ***' },
        body: { connector: 'mail' },
      },
      response: { headers: { 'x-request-id': 'req_1' }, body: { ok: true } },
      violations: [],
    },
  ]);
});

test('the last thousand calls are kept, in order, and the rest is counted', () => {
  const journal = createJournal();
  for (let call = 1; call <= 1_250; call += 1) journal.record(exchange({ request_id: `req_${call}` }));
  const entries = journal.list();
  expect(entries).toHaveLength(1_000);
  expect([entries[0]?.request_id, entries.at(-1)?.request_id]).toEqual(['req_251', 'req_1250']);
  expect(journal.dropped()).toBe(250);
  journal.clear();
  expect([journal.list(), journal.dropped()]).toEqual([[], 0]);
});

test('a body beyond 64 KiB is cut, between characters, and the entry says so', () => {
  const journal = createJournal();
  journal.record(
    exchange({ request_body: JSON.stringify({ name: 'é'.repeat(70_000) }), response_body: '{}' }),
  );
  const [entry] = journal.list();
  expect(entry?.request.body_cut).toBe(true);
  expect(Buffer.byteLength(String(entry?.request.body))).toBeLessThanOrEqual(64 * 1024);
  expect(String(entry?.request.body)).toMatch(/^\{"name":"é+$/);
  expect(entry?.response).not.toHaveProperty('body_cut');
});

test('a credential that a cut leaves without its end is masked all the same', () => {
  const journal = createJournal();
  const body = JSON.stringify({ a: 'x'.repeat(60_000), client_secret: 's3cret'.repeat(2_000) });
  journal.record(exchange({ request_body: body }));
  expect(JSON.stringify(journal.list())).not.toContain('s3cret');
});

test.each([
  ['{"access_token":"S","token_type":"Bearer"}', `{"access_token":"${MASK}","token_type":"Bearer"}`],
  ['{"accessToken":"S"}', `{"accessToken":"${MASK}"}`],
  ['{"next_page_token":"p","page_token":"q"}', '{"next_page_token":"p","page_token":"q"}'],
  [
    '{"authorization_details":{"oauth_token":{"scopes":["S"],"n":1}},"connector":"mail"}',
    `{"authorization_details":{"oauth_token":{"scopes":["${MASK}"],"n":"${MASK}"}},"connector":"mail"}`,
  ],
  [
    '{"static_auth":{"details":{"a":{"b":["S",null]}}},"x":1}',
    `{"static_auth":{"details":{"a":{"b":["${MASK}","${MASK}"]}}},"x":1}`,
  ],
  [
    '{"static_auth":{"details":{"api_key":"S","sk-live-4f9c2":1}},"sk-1":2}',
    `{"static_auth":{"details":{"api_key":"${MASK}","${MASK}":"${MASK}"}},"sk-1":2}`,
  ],
  [
    '{"authorization_details":{"averyveryverylongwordofmorethanthirty":{"S1":[{"S2":3}]}}}',
    `{"authorization_details":{"${MASK}":{"${MASK}":[{"${MASK}":"${MASK}"}]}}}`,
  ],
  ['{"client\\u005fsecret":"S"}', `{"client\\u005fsecret":"${MASK}"}`],
  [
    '{ "client_secret" : [ "S", "S" ] , "a": "b" }',
    `{ "client_secret" : [ "${MASK}", "${MASK}" ] , "a": "b" }`,
  ],
  ['{"client_secret": "S', `{"client_secret": "${MASK}"`],
  ['{"authorization_details": {"x": "S\\"S", "y', `{"authorization_details": {"x": "${MASK}", "${MASK}"`],
  ["{'client_secret': 'S'}", `{"${MASK}": "${MASK}"}`],
  ['client_id=a&client_secret=S&grant_type=x', `client_id=a&client_secret=${MASK}&grant_type=x`],
  ['client%5Fsecret=S', `client%5Fsecret=${MASK}`],
  ['<xml>S</xml>', '[12 characters that are neither JSON nor a form]'],
])('the body %s is shown as %s', (body, shown) => {
  expect(maskBody(body)).toBe(shown);
});

test('credentials in addresses and headers are masked', () => {
  expect(maskUrl('/a?access_token=S&page_token=p&x=1')).toBe('/a?access_token=***&page_token=p&x=1');
  expect(maskHeader('Authorization', 'Basic S')).toBe('Basic ***');
  expect(maskHeader('authorization', 'S')).toBe('***');
  expect(maskHeader('cookie', 'S')).toBe('***');
  expect(maskHeader('x-api-key', 'S')).toBe('***');
  expect(maskHeader('accept', 'text/html')).toBe('text/html');
});

test('masking a body of 64 KiB is quick, whatever is in it', () => {
  const bodies = ['{"a":"'.repeat(11_000), '"\\'.repeat(32_000), '{'.repeat(65_000), '"'.repeat(65_000)];
  const begun = performance.now();
  for (const body of bodies) maskBody(body);
  expect(performance.now() - begun).toBeLessThan(1_000);
});
