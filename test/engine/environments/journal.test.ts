import { expect, jest, test } from '@jest/globals';
import { nextTurn } from '../../../src/engine/core/turns.ts';
import type { RecordedCall } from '../../../src/engine/environments/journal.ts';
import { createJournal, type JournalFilter } from '../../../src/engine/environments/journal.ts';
import { START } from '../../support/core.ts';

const JSON_HEADERS = { 'content-type': 'application/json', authorization: 'Bearer abc' };

const callOf = (given: Partial<RecordedCall> = {}): RecordedCall => ({
  request_id: 'req_1',
  time: START,
  real_time: START,
  duration_ms: 1.23456,
  method: 'POST',
  url: '/api/v1/connected_accounts',
  request_headers: JSON_HEADERS,
  status: 201,
  response_headers: { 'X-Request-Id': 'req_1', 'Content-Type': 'application/json; charset=utf-8' },
  ...given,
});

const journalOf = (...calls: Partial<RecordedCall>[]) => {
  const journal = createJournal();
  for (const call of calls) journal.record(callOf(call));
  return journal;
};

test('an entry shows time, headers in lower case, and bodies as JSON', async () => {
  const journal = journalOf({ request_body: '{"connector":"mail"}', response_body: '{"ok":true}' });
  expect(journal.list()).toEqual([
    {
      sequence: 1,
      request_id: 'req_1',
      time: '2026-03-01T12:00:00.000Z',
      real_time: '2026-03-01T12:00:00.000Z',
      duration_ms: 1.235,
      status: 201,
      request: {
        method: 'POST',
        url: '/api/v1/connected_accounts',
        headers: { 'content-type': 'application/json', authorization: 'Bearer ***' },
        body: { connector: 'mail' },
      },
      response: {
        headers: { 'x-request-id': 'req_1', 'content-type': 'application/json; charset=utf-8' },
        body: { ok: true },
      },
      violations: [],
      warnings: [],
    },
  ]);
});

test('a wait ends after its time, also if other calls come meanwhile', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const journal = journalOf();
  let isOver = false;
  const over = journal.wait({ operation: 'getKeys' }, 1_000).then(() => {
    isOver = true;
  });
  await nextTurn();
  jest.advanceTimersByTime(900);
  journal.record(callOf());
  await nextTurn();
  jest.advanceTimersByTime(99);
  await nextTurn();
  const early = isOver;
  jest.advanceTimersByTime(1);
  await nextTurn();
  const late = isOver;
  jest.runOnlyPendingTimers();
  await over;
  jest.useRealTimers();
  expect([early, late]).toEqual([false, true]);
});

test('an entry shows why a call was refused, which names were ignored, and which fault took effect', async () => {
  const told = { reason: 'busy', warnings: ['pagesize is not a parameter'], fault: 'fault_1' };
  const violation = { field: 'a', constraint: 'type', description: 'a is wrong.' };
  const violations = [violation, { ...violation, field: 'b' }];
  const journal = journalOf({ status: 503, ...told, violations });
  expect(journal.list()).toMatchObject([{ ...told, violations }]);
  expect(journal.summaries()).toMatchObject([
    { ...told, violations: violations.map(({ description }) => description) },
  ]);
});

test('the journal keeps the last 1,000 calls in order, and counts the calls that it dropped', async () => {
  const journal = createJournal();
  for (let call = 1; call <= 1_250; call += 1) journal.record(callOf({ request_id: `req_${call}` }));
  const entries = journal.list();
  expect(entries).toHaveLength(1_000);
  expect([entries[0]?.request_id, entries.at(-1)?.request_id]).toEqual(['req_251', 'req_1250']);
  expect([entries[0]?.sequence, journal.find(251)?.request_id, journal.find(250)]).toEqual([
    251,
    'req_251',
    undefined,
  ]);
  expect(journal.dropped()).toBe(250);
  journal.clear();
  expect([journal.list(), journal.dropped()]).toEqual([[], 0]);
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
])('the filter %j finds the call: %s', async (filter, found) => {
  expect(journalOf(CALL).list(filter)).toHaveLength(found ? 1 : 0);
});

test('a class of statuses ends with 99', async () => {
  const found = journalOf({ status: 400 }, { status: 499 }, { status: 500 }).list({ status: '4xx' });
  expect(found.map(({ status }) => status)).toEqual([400, 499]);
});

test('a filter finds values in a form as in JSON, but not in a body with a wrong content type', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const journal = journalOf(
    { request_headers: form, request_body: 'client_id=dev-client&client_secret=S' },
    { request_body: 'client_id=dev-client' },
  );
  const found = journal.list({ body: { client_id: 'dev-client' } });
  expect(found.map(({ sequence }) => sequence)).toEqual([1]);
});

const LIMIT = 65_536;
const textOf = (bytes: number): string => `"${'x'.repeat(bytes - 10)}"`;
const bodyOf = (bytes: number): string => `{"name":${textOf(bytes)}}`;

test('a body of 64 KiB is kept whole, and a longer body is cut to 64 KiB', async () => {
  const [whole, cut] = [
    ...journalOf({ request_body: bodyOf(LIMIT - 1) }, { request_body: bodyOf(LIMIT) }).list(),
  ];
  expect(Buffer.byteLength(bodyOf(LIMIT - 1))).toBe(LIMIT);
  expect(JSON.stringify(whole?.request.body)).toHaveLength(LIMIT);
  expect(whole?.request).not.toHaveProperty('body_cut');
  expect([String(cut?.request.body).length, cut?.request.body_cut]).toEqual([LIMIT, true]);
});

test('a body is cut between characters, and only if it is too long itself', async () => {
  const journal = journalOf({
    request_body: JSON.stringify({ name: 'é'.repeat(70_000) }),
    response_body: '{}',
  });
  const [entry] = journal.list();
  expect(entry?.request.body_cut).toBe(true);
  expect(Buffer.byteLength(String(entry?.request.body))).toBeLessThanOrEqual(LIMIT);
  expect(String(entry?.request.body)).toMatch(/^\{"name":"é+$/);
  expect(entry?.response).not.toHaveProperty('body_cut');
});

test('a filter finds content beyond the 64 KiB of a body that the journal shows', async () => {
  const request_body = JSON.stringify({ api_config: 'x'.repeat(100_000), identifier: 'ada@acme.test' });
  const journal = journalOf({ request_body }, {});
  const found = [...journal.list({ body: { identifier: 'ada@acme.test' } })];
  expect(found.map(({ sequence, request }) => [sequence, request.body_cut])).toEqual([[1, true]]);
});

test('the journal keeps the newest 8 MiB of long bodies, and all short bodies', async () => {
  const long = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
  const journal = journalOf(
    ...Array.from({ length: 9 }, () => ({ request_body: long, response_body: '{}' })),
  );
  const [first, second, third] = journal.list();
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
  const text = JSON.stringify(journal.list());
  expect(text).not.toContain('s3cret');
  expect(text).toContain('client_secret\\":\\"***');
});
