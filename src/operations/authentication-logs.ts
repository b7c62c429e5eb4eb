/** The contract's operation on authentication request logs (behaviour L1). */

import { parseTimestamp } from '../core/clock.ts';
import { type FieldViolation, invalidArgument } from '../core/errors.ts';
import { readPage } from '../core/page.ts';
import { select } from '../core/selection.ts';
import { newestFirst, presentEntry, type TimeRange } from '../domain/auth-log.ts';
import type { Operation } from '../domain/operation.ts';
import type { Input } from '../openapi/types.ts';

/**
 * Behaviour L1: a page of the log, newest first; statuses OR, all else AND, both bounds of the time included.
 * @throws ApiError 400 for bad times and a start after the end, all at once; for a bad page_token, or other filters
 *   than those it was made for (behaviour I4)
 */
export const listAuthenticationRequests: Operation<'listAuthenticationRequests'> = (
  state,
  { query },
  env,
) => {
  const page = readPage({
    list: 'listAuthenticationRequests',
    filters: readFilters(query),
    page_size: query.page_size || DEFAULT_PAGE_SIZE,
    page_token: query.page_token,
    // The filters in force: those of the query, or with a page token those that it holds.
    select: ({ email, status, resource_id, client_id, start_time, end_time }) => {
      const where = {
        email: only(email),
        status,
        resource_id: only(resource_id),
        client_id: only(client_id),
      };
      const range = { from: readInstant(start_time), to: readInstant(end_time) };
      return newestFirst(select(state.authentication_requests, where), range, env.start);
    },
  });
  const { rows, ...rest } = page;
  return { status: 200, body: { authRequests: rows.map((row) => presentEntry(row, env)), ...rest } };
};

/** Behaviour I3: 0 or absent. */
const DEFAULT_PAGE_SIZE = 10;

const only = (value: string | undefined): readonly string[] | undefined =>
  value === undefined ? undefined : [value];

/** The filters in one form each, times in epoch milliseconds, so that a page token goes with any spelling of them. */
const readFilters = ({ email, status, ...query }: Input<'listAuthenticationRequests'>['query']) => {
  const { from, to } = readTimeRange(query.start_time, query.end_time);
  return {
    email: email?.toLowerCase(),
    status: status?.length ? [...new Set(status.map((each) => each.toUpperCase()))].sort() : undefined,
    resource_id: query.resource_id,
    client_id: query.client_id,
    start_time: from?.toString(),
    end_time: to?.toString(),
  };
};

/** A time as the filters hold it. */
const readInstant = (filter: string | undefined): number | undefined =>
  filter === undefined ? undefined : Number(filter);

/** @throws ApiError 400 for every time that is none, or for a start after the end */
const readTimeRange = (startTime: string | undefined, endTime: string | undefined): TimeRange => {
  const from = startTime === undefined ? undefined : parseTimestamp(startTime);
  const to = endTime === undefined ? undefined : parseTimestamp(endTime);
  const violations: FieldViolation[] = [];
  if (startTime !== undefined && from === undefined) violations.push(badTime('start_time', startTime));
  if (endTime !== undefined && to === undefined) violations.push(badTime('end_time', endTime));
  if (from !== undefined && to !== undefined && from > to) violations.push(startAfterEnd(startTime, endTime));
  if (violations.length > 0) throw invalidArgument(violations);
  return { from, to };
};

const badTime = (field: string, value: string): FieldViolation => ({
  field,
  constraint: 'date-time',
  description: `${field} "${value}" is no RFC 3339 date-time. Write it as 2026-01-31T12:00:00Z.`,
});

const startAfterEnd = (startTime: string | undefined, endTime: string | undefined): FieldViolation => ({
  field: 'start_time',
  constraint: 'order',
  description: `start_time "${startTime}" is after end_time "${endTime}". Swap them, or leave one out.`,
});
