/** Behaviour L1: the log of authentication requests; its order, entries and filters. */
import { expect, test } from '@jest/globals';
import { toTimestamp } from '../../src/core/clock.ts';
import { absolute, fromStart } from '../../src/core/moment.ts';
import type { AuthLogRow } from '../../src/domain/rows.ts';
import type { State } from '../../src/domain/state.ts';
import type { Input } from '../../src/openapi/types.ts';
import { call, DAY, HOUR, type Options, refusal, START, stateOf } from '../support/core.ts';
import { entryRow } from '../support/people.ts';

type Query = Input<'listAuthenticationRequests'>['query'];

const list = (state: State, query: Query = {}, options?: Options) =>
  call(state, 'listAuthenticationRequests', { query }, options).body;
const ids = (state: State, query: Query = {}, options?: Options) =>
  list(state, query, options).authRequests.map(({ auth_request_id }) => auth_request_id);
const logOf = (...entries: readonly AuthLogRow[]) => stateOf({ authentication_requests: entries });

const LOG = logOf(
  entryRow('noon', { timestamp: fromStart(0), client_id: 'web', resource_id: 'wiki' }),
  entryRow('yesterday', {
    timestamp: absolute(START - DAY),
    status: 'FAILED',
    email: 'Grace@Acme.test',
    client_id: 'web',
  }),
  entryRow('hour-ago', {
    timestamp: fromStart(-HOUR),
    status: 'PENDING',
    client_id: 'app',
    resource_id: 'wiki',
  }),
  entryRow('half-hour-ago', { timestamp: absolute(START - HOUR / 2), status: 'INITIATED', client_id: 'app' }),
);

test('behaviour L1: the log is sorted by time, newest first, whatever the order of insertion', () => {
  expect(ids(LOG)).toEqual(['noon', 'half-hour-ago', 'hour-ago', 'yesterday']);
});

test('of entries at the same instant, the entry that was written later is newer', () => {
  const log = logOf(
    entryRow('first', { timestamp: fromStart(0) }),
    entryRow('second', { timestamp: absolute(START) }),
    entryRow('third', { timestamp: fromStart(0) }),
  );
  expect(ids(log)).toEqual(['third', 'second', 'first']);
});

test('the 100th entry of an instant is newer than the 99th', () => {
  const names = Array.from({ length: 101 }, (_, index) => `entry-${index}`);
  const log = logOf(...names.map((name) => entryRow(name, { timestamp: absolute(START) })));
  expect(ids(log, { page_size: 3 })).toEqual(['entry-100', 'entry-99', 'entry-98']);
});

test('an entry shows its time and its environment', () => {
  const log = logOf(entryRow('one', { timestamp: fromStart(-HOUR), client_id: 'web' }));
  expect(list(log)).toEqual({
    authRequests: [
      {
        auth_request_id: 'one',
        status: 'SUCCESS',
        email: 'ada@acme.test',
        client_id: 'web',
        environment_id: 'env_100000000000000001',
        timestamp: '2026-03-01T11:00:00.000Z',
      },
    ],
    next_page_token: '',
    prev_page_token: '',
    total_size: 1,
  });
});

test('an empty log is an empty page', () => {
  expect(list(stateOf({}))).toEqual({
    authRequests: [],
    next_page_token: '',
    prev_page_token: '',
    total_size: 0,
  });
});

test.each<[string, Query, string[]]>([
  ['statuses OR, in any case', { status: ['failed', 'Pending'] }, ['hour-ago', 'yesterday']],
  ['e-mail in any case (I6)', { email: 'GRACE@acme.TEST' }, ['yesterday']],
  ['client', { client_id: 'web' }, ['noon', 'yesterday']],
  ['client exactly', { client_id: 'WEB' }, []],
  ['resource', { resource_id: 'wiki' }, ['noon', 'hour-ago']],
  ['filters AND', { resource_id: 'wiki', client_id: 'app', status: ['PENDING', 'SUCCESS'] }, ['hour-ago']],
  ['no match', { email: 'nobody@acme.test' }, []],
])('behaviour L1: %s', (_what, query, expected) => {
  expect(ids(LOG, query)).toEqual(expected);
  expect(list(LOG, query).total_size).toBe(expected.length);
});

test('behaviour L1: both time bounds are included', () => {
  const hourAgo = toTimestamp(START - HOUR);
  expect(ids(LOG, { start_time: hourAgo, end_time: toTimestamp(START - HOUR / 2) })).toEqual([
    'half-hour-ago',
    'hour-ago',
  ]);
  expect(ids(LOG, { start_time: hourAgo, end_time: hourAgo })).toEqual(['hour-ago']);
  expect(ids(LOG, { start_time: toTimestamp(START - HOUR + 1), end_time: toTimestamp(START - 1) })).toEqual([
    'half-hour-ago',
  ]);
  expect(ids(LOG, { start_time: toTimestamp(START - DAY), end_time: toTimestamp(START - DAY) })).toEqual([
    'yesterday',
  ]);
});

test('behaviour L1: a space before the offset is read as +, and offsets are honoured', () => {
  expect(ids(LOG, { start_time: '2026-03-01T12:30:00 01:00' })).toEqual(['noon', 'half-hour-ago']);
  expect(ids(LOG, { start_time: '2026-03-01T06:30:00-05:00' })).toEqual(['noon', 'half-hour-ago']);
});

test('behaviour L1: one 400 names both wrong times, and a start after the end is 400', () => {
  const both = refusal(() => list(LOG, { start_time: '2026-02-30T00:00:00Z', end_time: 'yesterday' }));
  expect(both.errorCode).toBe('INVALID_ARGUMENT');
  expect(both.extras.violations?.map(({ field }) => field)).toEqual(['start_time', 'end_time']);
  expect(both.message).toContain('2026-02-30T00:00:00Z');
  const order = refusal(() =>
    list(LOG, { start_time: '2026-03-02T00:00:00Z', end_time: '2026-03-01T00:00:00Z' }),
  );
  expect(order.extras.violations?.map(({ field }) => field)).toEqual(['start_time']);
});
