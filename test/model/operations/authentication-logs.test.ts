/** Behaviour L1, I3, I4: the order, entries, filters and pages of the log of authentication requests. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { InputFor } from '../../../src/contract/types.ts';
import { toTimestamp } from '../../../src/core/clock.ts';
import { absolute, fromStart, resolve } from '../../../src/core/moment.ts';
import type { AuthLogRow } from '../../../src/model/domain/rows.ts';
import type { State } from '../../../src/model/domain/state.ts';
import {
  call,
  DAY,
  HOUR,
  type Options,
  outcomeOf,
  refusedFields,
  START,
  stateOf,
} from '../../support/core.ts';
import { forgePageToken } from '../../support/forge.ts';
import { entryRow } from '../../support/people.ts';

type Query = InputFor<'listAuthenticationRequests'>['query'];

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

test('of entries with the same time, the last one made is listed first, also among more than 100', () => {
  const names = Array.from({ length: 101 }, (_, index) => `entry-${index}`);
  const log = logOf(...names.map((name) => entryRow(name, { timestamp: absolute(START) })));
  expect(ids(log, { page_size: 3 })).toEqual(['entry-100', 'entry-99', 'entry-98']);
});

test.each<[string, Query, string[]]>([
  [
    'an entry must match one of the statuses, in any letter case',
    { status: ['failed', 'Pending'] },
    ['hour-ago', 'yesterday'],
  ],
  ['the e-mail filter ignores case (I6)', { email: 'GRACE@acme.TEST' }, ['yesterday']],
  ['the client_id filter lists the entries of one client', { client_id: 'web' }, ['noon', 'yesterday']],
  ['the client_id filter does not ignore case', { client_id: 'WEB' }, []],
  ['the resource_id filter lists the entries of one resource', { resource_id: 'wiki' }, ['noon', 'hour-ago']],
  [
    'an entry must match all filters',
    { resource_id: 'wiki', client_id: 'app', status: ['PENDING', 'SUCCESS'] },
    ['hour-ago'],
  ],
  ['start_time alone is enough', { start_time: '2026-03-01T11:30:00Z' }, ['noon', 'half-hour-ago']],
  ['end_time alone is enough', { end_time: '2026-03-01T11:00:00Z' }, ['hour-ago', 'yesterday']],
  ['a filter without a match lists nothing', { email: 'nobody@acme.test' }, []],
])('behaviour L1: %s', (_what, query, expected) => {
  expect(ids(LOG, query)).toEqual(expected);
  expect(list(LOG, query).total_size).toBe(expected.length);
});

const many = logOf(
  ...Array.from({ length: 25 }, (_, index) => entryRow(`e${index}`, { timestamp: fromStart(-index * HOUR) })),
);

test('behaviour I4, L1: a page token is accepted with the same filters in any spelling, and a different filter is a 400', () => {
  const times = { start_time: '2026-02-20T00:00:00Z', end_time: '2026-03-02T00:00:00.000Z' };
  const query = { status: ['success', 'FAILED'], email: 'Ada@acme.test', ...times };
  const { next_page_token: page_token } = list(many, query);
  const expected = ids(many, { page_token });
  expect(expected[0]).toBe('e10');
  const [start_time, end_time] = ['2026-02-20T01:00:00 01:00', '2026-03-02T00:00:00Z'];
  const respelled = { status: ['FAILED', 'SUCCESS'], email: 'ada@ACME.test', start_time, end_time };
  expect(ids(many, { ...respelled, page_token })).toEqual(expected);
  const others = {
    email: 'b@acme.test',
    status: ['failed'],
    start_time: '2026-02-21T00:00:00Z',
    end_time: '2026-03-02T00:00:01Z',
    client_id: 'web',
  };
  for (const [name, other] of Object.entries(others))
    expect(refusedFields(() => list(many, { [name]: other, page_token }))).toEqual([name]);
});

test('behaviour R1: one error names a wrong time, a wrong page token and a filter that differs', () => {
  const fieldsOf = (query: Query) => refusedFields(() => list(many, query));
  const start_time = '2026-02-30T00:00:00Z';
  expect(fieldsOf({ start_time, end_time: 'noon', page_token: 'x' })).toEqual([
    'start_time',
    'end_time',
    'page_token',
  ]);
  const { next_page_token: page_token } = list(many);
  expect(fieldsOf({ start_time, client_id: 'web', page_token })).toEqual(['start_time', 'client_id']);
});

test('behaviour I4, E6: a page token still works after a reset, even if the environment then starts at another time', () => {
  const { next_page_token: page_token } = list(many);
  const afterReset = { start: START + 90 * DAY, now: START + 90 * DAY };
  expect(ids(many, { page_token }, afterReset)[0]).toBe('e10');
});

test.each([
  { start_time: 'noon' },
  { status: ['MAIL', 'FAILED'] },
  { status: 'FAILED' },
  { email: ['ada'] },
])('behaviour I4: a forged page token with the filters %j gives a page, or is refused', (filters) => {
  const cursor = { list: 'listAuthenticationRequests', filters, direction: 'forward', position: 1e308 };
  const page_token = forgePageToken(JSON.stringify(cursor));
  expect(['answered', 'INVALID_ARGUMENT']).toContain(outcomeOf(() => list(many, { page_token })));
});

const MINUTES = fc.integer({ min: -30, max: 30 });
const entries = fc.array(
  fc.record({
    minutes: MINUTES,
    isRelative: fc.boolean(),
    status: fc.constantFrom<AuthLogRow['status']>('INITIATED', 'PENDING', 'SUCCESS', 'FAILED'),
    client_id: fc.constantFrom('web', 'app'),
  }),
  { maxLength: 40 },
);
const queries = fc.record(
  {
    status: fc.subarray(['INITIATED', 'PENDING', 'SUCCESS', 'FAILED'], { minLength: 1 }),
    client_id: fc.constantFrom('web', 'app'),
    window: fc
      .tuple(MINUTES, MINUTES)
      .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const),
  },
  { requiredKeys: [] },
);

/** Reads every page from the first to the last, then back to the first. */
const walk = (state: State, query: Query, options: Options) => {
  let page = list(state, query, options);
  const shown = (): string[] => page.authRequests.map(({ auth_request_id }) => auth_request_id);
  const turn = (page_token: string): string[] => {
    page = list(state, { page_token, page_size: query.page_size ?? 10 }, options);
    return shown();
  };
  const forward = [shown()];
  while (page.next_page_token !== '') forward.push(turn(page.next_page_token));
  const backward = [shown()];
  while (page.prev_page_token !== '') backward.unshift(turn(page.prev_page_token));
  return { forward: forward.flat(), backward: backward.flat(), total: page.total_size };
};

test('behaviour L1, I4: paging in both directions, with any page size and filters, lists the entries of a plain filtered and sorted list', () => {
  const shift = fc.integer({ min: -20, max: 20 });
  fc.assert(
    fc.property(
      entries,
      queries,
      shift,
      fc.integer({ min: 1, max: 7 }),
      (given, { window, ...filters }, moved, page_size) => {
        const start = START + moved * 60_000;
        const log = given.map(({ minutes, isRelative, ...rest }, index) =>
          entryRow(`e${index}`, {
            ...rest,
            timestamp: isRelative ? fromStart(minutes * 60_000) : absolute(START + minutes * 60_000),
          }),
        );
        const timeOf = (row: AuthLogRow): number => resolve(row.timestamp, start);
        const [from, to] = window ? window.map((minutes) => START + minutes * 60_000) : [-Infinity, Infinity];
        const expected = log
          .filter((row) => !filters.status || filters.status.includes(row.status))
          .filter((row) => !filters.client_id || row.client_id === filters.client_id)
          .filter((row) => timeOf(row) >= (from ?? 0) && timeOf(row) <= (to ?? 0))
          .map((row, index) => ({ row, index }))
          .sort((left, right) => timeOf(right.row) - timeOf(left.row) || right.index - left.index)
          .map(({ row }) => row.auth_request_id);
        const times = window && { start_time: toTimestamp(from ?? 0), end_time: toTimestamp(to ?? 0) };
        const seen = walk(logOf(...log), { ...filters, ...times, page_size }, { start, now: start });
        expect(seen).toEqual({ forward: expected, backward: expected, total: expected.length });
      },
    ),
    { numRuns: 300 },
  );
});
