/** The contract's operation on authentication request logs (behaviour L1). */

import { parseTimestamp, toTimestamp } from '../../engine/core/clock.ts';
import type { FieldViolation } from '../../engine/core/errors.ts';
import { resolve } from '../../engine/core/moment.ts';
import { readPage } from '../../engine/core/page.ts';
import { select } from '../../engine/core/table.ts';
import { cut } from '../../engine/core/text.ts';
import type { InputFor } from '../contract.ts';
import type { Operation } from '../operation.ts';
import type { AuthLogRow } from './row.ts';
import { latestFirst, presentEntry } from './rules.ts';

/** The rows of the largest page (behaviour I3). */
const MOST_ROWS = 100;

type Query = InputFor<'listAuthenticationRequests'>['query'];

/** A page of the log, newest first. Its entries match all filters and have one of the requested statuses. */
export const listAuthenticationRequests: Operation<'listAuthenticationRequests'> = (
  state,
  { query },
  env,
) => {
  const { rows, ...page } = readPage({
    ...query,
    page_size: Math.min(query.page_size ?? 0, MOST_ROWS),
    list: 'listAuthenticationRequests',
    filters: readFilters(query),
    violations: timeViolations(query),
    select: ({ start_time, end_time, status, ...where }) => {
      const [from, to] = readBounds(start_time, end_time);
      const isWithin = ({ timestamp }: AuthLogRow): boolean => {
        const time = resolve(timestamp, env.start);
        return from <= time && time <= to;
      };
      const indexes = { ...where, status: status.length > 0 ? status : undefined };
      const hasBounds = start_time !== undefined || end_time !== undefined;
      const selection = select(state.authentication_requests, indexes, hasBounds ? isWithin : undefined);
      return latestFirst(selection, env.start);
    },
  });
  return { status: 200, body: { authRequests: rows.map((row) => presentEntry(row, env)), ...page } };
};

/** Filters in a normal form: a page token stays valid if a request sends them in another case, format or order. */
const readFilters = ({ email, status = [], resource_id, client_id, start_time, end_time }: Query) => ({
  email: email?.toLowerCase(),
  status: [...new Set(status.map((each) => each.toUpperCase()))].sort(),
  resource_id,
  client_id,
  start_time: respell(start_time),
  end_time: respell(end_time),
});

const respell = (text = ''): string | undefined => {
  const time = parseTimestamp(text);
  return time === undefined ? undefined : toTimestamp(time);
};

const readBounds = (start = '', end = '') =>
  [parseTimestamp(start) ?? -Infinity, parseTimestamp(end) ?? Infinity] as const;

/** Refuses bounds in the wrong order, and days such as 30 February, which the contract's pattern allows. */
const timeViolations = ({ start_time, end_time }: Query): FieldViolation[] => {
  const [from, to] = readBounds(start_time, end_time);
  if (from > to) {
    const description = `start_time "${cut(String(start_time))}" is after end_time "${cut(String(end_time))}". Swap them, or leave one out.`;
    return [{ field: 'start_time', constraint: 'order', rule: 'L1', description }];
  }
  return Object.entries({ start_time, end_time }).flatMap(([field, text]) => {
    if (text === undefined || parseTimestamp(text) !== undefined) return [];
    const description = `${field} "${cut(text)}" is not an RFC 3339 date-time. Write it as 2026-01-31T12:00:00Z.`;
    return [{ field, constraint: 'date-time', rule: 'L1', description }];
  });
};
