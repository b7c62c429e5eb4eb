/** Behaviour I3, I4, L1: pages of the log of authentication requests, and their tokens. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toTimestamp } from '../../src/core/clock.ts';
import { absolute, fromStart, resolve } from '../../src/core/moment.ts';
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

const many = logOf(
  ...Array.from({ length: 25 }, (_, index) => entryRow(`e${index}`, { timestamp: fromStart(-index * HOUR) })),
);

test('behaviour I3: a page has 10 entries by default and for page_size 0, and as many as asked for otherwise', () => {
  expect(ids(many)).toHaveLength(10);
  expect(ids(many, { page_size: 0 })).toHaveLength(10);
  expect(ids(many, { page_size: 7 })).toHaveLength(7);
  expect(ids(many, { page_size: 100 })).toHaveLength(25);
});

test('behaviour I4: a page token keeps its filters, and another filter is 400', () => {
  const query = { status: ['success', 'FAILED'], email: 'Ada@acme.test', start_time: '2026-02-20T00:00:00Z' };
  const { next_page_token: page_token } = list(many, query);
  const expected = ids(many, { page_token });
  expect(expected[0]).toBe('e10');
  const respelled = {
    status: ['FAILED', 'SUCCESS'],
    email: 'ada@ACME.test',
    start_time: '2026-02-20T01:00:00 01:00',
  };
  expect(ids(many, { ...respelled, page_token })).toEqual(expected);
  for (const other of [
    { email: 'grace@acme.test' },
    { status: ['failed'] },
    { start_time: '2026-02-21T00:00:00Z' },
    { client_id: 'web' },
  ]) {
    expect(refusal(() => list(many, { ...other, page_token })).errorCode).toBe('INVALID_ARGUMENT');
  }
});

test('behaviour I4: a page token that cannot be read is 400', () => {
  for (const page_token of ['nonsense', '!', 'e30'])
    expect(refusal(() => list(many, { page_token })).extras.violations?.[0]?.field).toBe('page_token');
});

test('behaviour R1: one error names a wrong time, a wrong page token and a filter that differs', () => {
  const fieldsOf = (query: Query) =>
    refusal(() => list(many, query)).extras.violations?.map(({ field }) => field);
  const start_time = '2026-02-30T00:00:00Z';
  expect(fieldsOf({ start_time, end_time: 'noon', page_token: 'x' })).toEqual([
    'start_time',
    'end_time',
    'page_token',
  ]);
  const { next_page_token: page_token } = list(many);
  expect(fieldsOf({ start_time, client_id: 'web', page_token })).toEqual(['start_time', 'client_id']);
});

test('behaviour I4, E6: a page token survives a reset, after which the environment starts at another instant', () => {
  const { next_page_token: page_token } = list(many);
  const afterReset = { start: START + 90 * DAY, now: START + 90 * DAY };
  expect(ids(many, { page_token }, afterReset)[0]).toBe('e10');
});

test('behaviour I4: new entries between two pages cause neither repeated nor skipped entries', () => {
  const { next_page_token: page_token } = list(many);
  const grown = stateOf(
    { authentication_requests: [entryRow('new', { timestamp: absolute(START + 1) })] },
    many,
  );
  expect(ids(grown, { page_token })[0]).toBe('e10');
});

test('a forged page token is refused or returns a page, and never causes an error of the mock', () => {
  const value = fc.oneof(fc.string(), fc.array(fc.string()), fc.integer());
  const cursor = fc.record({
    list: fc.constant('listAuthenticationRequests'),
    filters: fc.dictionary(fc.constantFrom('email', 'status', 'start_time', 'end_time', 'client_id'), value),
    direction: fc.constantFrom('forward', 'backward'),
    position: fc.oneof(fc.string(), fc.integer()),
  });
  fc.assert(
    fc.property(cursor, (forged) => {
      const page_token = Buffer.from(JSON.stringify(forged)).toString('base64url');
      try {
        expect(list(many, { page_token }).total_size).toBeGreaterThanOrEqual(0);
      } catch (error) {
        expect(error).toMatchObject({ errorCode: 'INVALID_ARGUMENT' });
      }
    }),
  );
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

/** Every page from the first on, then back to the first. */
const walk = (state: State, query: Query, options: Options) => {
  const pages: string[][] = [];
  let page = list(state, query, options);
  const read = (): string[] => page.authRequests.map(({ auth_request_id }) => auth_request_id);
  pages.push(read());
  while (page.next_page_token !== '') {
    page = list(state, { page_token: page.next_page_token, page_size: query.page_size ?? 10 }, options);
    pages.push(read());
  }
  const back: string[][] = [read()];
  while (page.prev_page_token !== '') {
    page = list(state, { page_token: page.prev_page_token, page_size: query.page_size ?? 10 }, options);
    back.unshift(read());
  }
  return { forward: pages.flat(), backward: back.flat(), total: page.total_size };
};

test('behaviour L1, I4: pages of any size with any filters, in both directions, equal a simple list', () => {
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
