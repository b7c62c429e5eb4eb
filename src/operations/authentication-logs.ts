/** The contract's operation on authentication request logs (behaviour L1). */
import { parseTimestamp, toTimestamp } from '../core/clock.ts';
import type { FieldViolation } from '../core/errors.ts';
import { resolve } from '../core/moment.ts';
import { readPage } from '../core/page.ts';
import { select } from '../core/selection.ts';
import { cut } from '../core/text.ts';
import { newestFirst, presentEntry } from '../domain/auth-log.ts';
import type { Operation } from '../domain/operation.ts';
import type { AuthLogRow } from '../domain/rows.ts';
import type { Input } from '../openapi/types.ts';

type Query = Input<'listAuthenticationRequests'>['query'];

/**
 * A page of the log, newest first. Entries must have one of the statuses and match all other filters. Time bounds are
 * inclusive (behaviour L1).
 */
export const listAuthenticationRequests: Operation<'listAuthenticationRequests'> = (
  state,
  { query },
  env,
) => {
  const { rows, ...page } = readPage({
    ...query,
    list: 'listAuthenticationRequests',
    filters: readFilters(query),
    violations: timeViolations(query),
    select: ({ start_time, end_time, status, ...where }) => {
      const [from, to] = readBounds({ start_time, end_time });
      const isWithin = ({ timestamp }: AuthLogRow): boolean => {
        const time = resolve(timestamp, env.start);
        return from <= time && time <= to;
      };
      const indexes = { ...where, status: status.length > 0 ? status : undefined };
      const hasBounds = start_time !== undefined || end_time !== undefined;
      const selection = select(state.authentication_requests, indexes, hasBounds ? isWithin : undefined);
      return newestFirst(selection, env.start);
    },
  });
  return { status: 200, body: { authRequests: rows.map((row) => presentEntry(row, env)), ...page } };
};

/** The filters in a normal form, so that a page token is valid with every spelling of them. */
const readFilters = ({ email, status = [], resource_id, client_id, start_time, end_time }: Query) => ({
  email: email?.toLowerCase(),
  status: [...new Set(status.map((each) => each.toUpperCase()))].sort(),
  resource_id,
  client_id,
  start_time: respell(start_time),
  end_time: respell(end_time),
});

const readTime = (text = ''): number | undefined => parseTimestamp(text);

const respell = (text: string | undefined): string | undefined => {
  const time = readTime(text);
  return time === undefined ? undefined : toTimestamp(time);
};

type Bounds = { readonly [Name in 'start_time' | 'end_time']?: string | undefined };

const readBounds = ({ start_time, end_time }: Bounds) =>
  [readTime(start_time) ?? Number.NEGATIVE_INFINITY, readTime(end_time) ?? Number.POSITIVE_INFINITY] as const;

/** Refuses days such as 30 February, which the contract's pattern allows. */
const timeViolations = (query: Query): FieldViolation[] => {
  const bad = (['start_time', 'end_time'] as const).filter(
    (field) => query[field] !== undefined && readTime(query[field]) === undefined,
  );
  const violations = bad.map((field) => ({
    field,
    constraint: 'date-time',
    rule: 'L1',
    description: `${field} "${cut(query[field] ?? '')}" is not an RFC 3339 date-time. Write it as 2026-01-31T12:00:00Z.`,
  }));
  const [from, to] = readBounds(query);
  if (from <= to) return violations;
  const { start_time = '', end_time = '' } = query;
  return [
    {
      field: 'start_time',
      constraint: 'order',
      rule: 'L1',
      description: `start_time "${cut(start_time)}" is after end_time "${cut(end_time)}". Swap them, or leave one out.`,
    },
  ];
};
