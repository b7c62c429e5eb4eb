/** The contract's operation on authentication request logs (behaviour L1). */

import { parseTimestamp, toTimestamp } from '../core/clock.ts';
import type { FieldViolation } from '../core/errors.ts';
import { isText, isTexts, readPage, type TokenShape } from '../core/page.ts';
import { select } from '../core/selection.ts';
import { cut } from '../core/text.ts';
import { isLogPosition, newestFirst, presentEntry } from '../domain/auth-log.ts';
import type { Operation } from '../domain/operation.ts';
import type { Input } from '../openapi/types.ts';

/** The filters in a normal form, so that a page token fits every spelling of them. */
type LogFilters = {
  readonly [Name in 'email' | 'resource_id' | 'client_id' | 'start_time' | 'end_time']: string | undefined;
} & { readonly status: readonly string[] | undefined };

const isTime = (value: unknown): value is string => isText(value) && parseTimestamp(value) !== undefined;

const SHAPE: TokenShape<LogFilters> = {
  list: 'listAuthenticationRequests',
  filters: {
    email: isText,
    status: isTexts,
    resource_id: isText,
    client_id: isText,
    start_time: isTime,
    end_time: isTime,
  },
  isPosition: isLogPosition,
};

/**
 * A page of the log, newest first: the entries that have one of the statuses and match all other filters; time bounds
 * are inclusive (behaviour L1).
 * @throws Refusal 400 that lists every bad time, a start after the end, a bad page_token, or filters that differ from
 * the page token's (behaviour I4)
 */
export const listAuthenticationRequests: Operation<'listAuthenticationRequests'> = (
  state,
  { query },
  env,
) => {
  const { rows, ...page } = readPage({
    shape: SHAPE,
    filters: readFilters(query),
    violations: timeViolations(query),
    page_size: query.page_size || DEFAULT_PAGE_SIZE,
    page_token: query.page_token,
    select: ({ start_time, end_time, ...where }) => {
      const range = { from: readTime(start_time), to: readTime(end_time) };
      return newestFirst(select(state.authentication_requests, where), range, env.start);
    },
  });
  return { status: 200, body: { authRequests: rows.map((row) => presentEntry(row, env)), ...page } };
};

/** The page size for an absent page_size and for 0 (behaviour I3). */
const DEFAULT_PAGE_SIZE = 10;

type Query = Input<'listAuthenticationRequests'>['query'];

const readFilters = ({ email, status, start_time, end_time, ...query }: Query): LogFilters => ({
  email: email?.toLowerCase(),
  status: status?.length ? [...new Set(status.map((each) => each.toUpperCase()))].sort() : undefined,
  resource_id: query.resource_id,
  client_id: query.client_id,
  start_time: respell(start_time),
  end_time: respell(end_time),
});

const readTime = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseTimestamp(text);

const respell = (text: string | undefined): string | undefined => {
  const time = readTime(text);
  return time === undefined ? undefined : toTimestamp(time);
};

/** Refuses days such as 30 February, which the contract's pattern allows. */
const timeViolations = ({ start_time, end_time }: Query): FieldViolation[] => {
  const from = readTime(start_time);
  const to = readTime(end_time);
  return [
    ...(start_time !== undefined && from === undefined ? [badTime('start_time', start_time)] : []),
    ...(end_time !== undefined && to === undefined ? [badTime('end_time', end_time)] : []),
    ...(from !== undefined && to !== undefined && from > to ? [startAfterEnd(start_time, end_time)] : []),
  ];
};

const badTime = (field: string, value: string): FieldViolation => ({
  field,
  constraint: 'date-time',
  rule: 'L1',
  description: `${field} "${cut(value)}" is not an RFC 3339 date-time. Write it as 2026-01-31T12:00:00Z.`,
});

const startAfterEnd = (startTime = '', endTime = ''): FieldViolation => ({
  field: 'start_time',
  constraint: 'order',
  rule: 'L1',
  description: `start_time "${cut(startTime)}" is after end_time "${cut(endTime)}". Swap them, or leave one out.`,
});
