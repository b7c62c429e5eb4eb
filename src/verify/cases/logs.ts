/** The log of authentication requests. */
import { textAt, valueAt } from '../call.ts';
import { type Case, define } from '../case.ts';
import { aText, atLeast, including, listOf, newestFirst, oneOf, someOf, someText } from '../pattern.ts';
import type { PromiseId } from '../promises.ts';
import { Missing, type Session } from '../session.ts';

const STATUSES = ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED'] as const;

/** The newest entry of the log. @throws Missing in an empty log */
const newest = async (session: Session) => {
  const body = await session.obtain('listAuthenticationRequests', { query: { page_size: 1 } });
  const entry = valueAt(body, 'authRequests', 0);
  if (entry === undefined) throw new Missing('needs an entry in the log of authentication requests');
  const text = (name: string): string => String(valueAt(entry, name) ?? '');
  return {
    id: textAt(entry, 'auth_request_id'),
    timestamp: textAt(entry, 'timestamp'),
    text,
    total: Number(valueAt(body, 'total_size')),
  };
};

const severalEntries = async (session: Session) => {
  const found = await newest(session);
  if (found.total < 2) throw new Missing('needs two entries in the log of authentication requests');
  return found;
};

const byStatus = (status: (typeof STATUSES)[number]): Case =>
  define({
    name: `The status ${status} gives its entries, in any case`,
    operationId: 'listAuthenticationRequests',
    basis: 'inferred',
    cites: ['logs.status', 'logs.any_case', 'L1'],
    send: () => ({ query: { status, page_size: 100 } }),
    status: 200,
    body: { authRequests: listOf({ status }) },
    afterwards: [
      {
        send: () => ({ query: { status: status.toLowerCase(), page_size: 100 } }),
        status: 200,
        body: ({ last }) => ({ total_size: Number(valueAt(last.body, 'total_size')) }),
      },
    ],
  });

/** Every entry shares the value of the newest one. */
const byMember = (parameter: 'email' | 'client_id' | 'resource_id', member: string): Case =>
  define({
    name: `The filter ${parameter} gives the entries that have it`,
    operationId: 'listAuthenticationRequests',
    basis: 'inferred',
    cites: [`logs.${parameter}`, 'L1'],
    arrange: newest,
    send: ({ given }) => ({ query: { [parameter]: given.text(member), page_size: 100 } }),
    status: 200,
    body: ({ given }) => ({ authRequests: someOf({ [member]: given.text(member) }) }),
  });

const refused = (
  name: string,
  query: Readonly<Record<string, string>>,
  violates: string,
  ...promised: readonly PromiseId[]
): Case =>
  define({
    name,
    operationId: 'listAuthenticationRequests',
    basis: promised.length > 0 ? 'promised' : 'inferred',
    cites: [...promised, 'L1'],
    send: () => ({ query }),
    status: 400,
    violates,
  });

export const LOG_CASES = [
  define({
    name: 'The log has its entries, most recent first, page tokens and the count over all pages',
    operationId: 'listAuthenticationRequests',
    basis: 'promised',
    cites: ['logs.newest_first', 'logs.total_size', 'T1', 'L1'],
    send: () => ({ query: { page_size: 100 } }),
    status: 200,
    body: {
      authRequests: newestFirst('timestamp'),
      next_page_token: aText(/^/),
      prev_page_token: '',
      total_size: atLeast(0),
    },
  }),
  define({
    name: 'An entry says who, when and how far',
    operationId: 'listAuthenticationRequests',
    basis: 'promised',
    cites: ['log_entry.auth_request_id', 'log_entry.timestamp'],
    arrange: newest,
    send: () => ({ query: { page_size: 1 } }),
    status: 200,
    body: {
      authRequests: [{ auth_request_id: someText, timestamp: aText(/^\d{4}-/), status: oneOf(...STATUSES) }],
    },
  }),
  define({
    name: 'A page token leads to the older entries and back',
    operationId: 'listAuthenticationRequests',
    basis: 'promised',
    cites: ['logs.page_token', 'logs.next_page_token', 'logs.prev_page_token', 'logs.first_page', 'I4'],
    arrange: severalEntries,
    send: () => ({ query: { page_size: 1 } }),
    status: 200,
    body: { next_page_token: someText, prev_page_token: '' },
    afterwards: [
      {
        send: ({ last }) => ({ query: { page_size: 1, page_token: textAt(last.body, 'next_page_token') } }),
        status: 200,
        body: { prev_page_token: someText },
      },
      {
        send: ({ last }) => ({ query: { page_size: 1, page_token: textAt(last.body, 'prev_page_token') } }),
        status: 200,
        body: ({ given }) => ({ authRequests: [{ auth_request_id: given.id }], prev_page_token: '' }),
      },
    ],
  }),
  define({
    name: 'The last page of the log leads no further',
    operationId: 'listAuthenticationRequests',
    basis: 'promised',
    cites: ['logs.last_page'],
    needs: ['control'],
    send: () => ({ query: { page_size: 20 } }),
    status: 200,
    body: { next_page_token: someText },
    afterwards: [
      {
        send: ({ last }) => ({ query: { page_size: 20, page_token: textAt(last.body, 'next_page_token') } }),
        status: 200,
        body: { next_page_token: '' },
      },
    ],
  }),
  ...STATUSES.map(byStatus),
  define({
    name: 'Several statuses widen the result',
    operationId: 'listAuthenticationRequests',
    basis: 'inferred',
    cites: ['L1'],
    send: () => ({ query: { status: ['SUCCESS', 'failed'], page_size: 100 } }),
    status: 200,
    body: { authRequests: listOf({ status: oneOf('SUCCESS', 'FAILED') }) },
  }),
  byMember('email', 'email'),
  byMember('client_id', 'client_id'),
  byMember('resource_id', 'resource_id'),
  define({
    name: 'An e-mail address compares in any case',
    operationId: 'listAuthenticationRequests',
    basis: 'inferred',
    cites: ['L1', 'I6'],
    arrange: newest,
    send: ({ given }) => ({ query: { email: given.text('email').toUpperCase() } }),
    status: 200,
    body: ({ given }) => ({ authRequests: someOf({ email: given.text('email') }) }),
  }),
  define({
    name: 'Both bounds of the time are included',
    operationId: 'listAuthenticationRequests',
    basis: 'inferred',
    cites: ['logs.time', 'L1'],
    arrange: newest,
    send: ({ given }) => ({ query: { start_time: given.timestamp, end_time: given.timestamp } }),
    status: 200,
    body: ({ given }) => ({ authRequests: including({ auth_request_id: given.id }) }),
    afterwards: [
      {
        send: () => ({ query: { start_time: '2999-01-01T00:00:00Z' } }),
        status: 200,
        body: { authRequests: [] },
      },
      {
        send: () => ({ query: { end_time: '1999-01-01T00:00:00Z' } }),
        status: 200,
        body: { authRequests: [] },
      },
    ],
  }),
  define({
    name: 'A space before the offset of a time reads as a plus',
    operationId: 'listAuthenticationRequests',
    basis: 'inferred',
    cites: ['L1', 'T7'],
    send: () => ({ url: '/api/v1/logs/authentication/requests?start_time=2020-01-01T00:00:00+01:00' }),
    status: 200,
  }),
  define({
    name: 'Filters that match nothing give an empty list',
    operationId: 'listAuthenticationRequests',
    basis: 'promised',
    cites: ['logs.none'],
    send: () => ({ query: { email: 'nobody@conformance.invalid' } }),
    status: 200,
    body: { authRequests: [], next_page_token: '', prev_page_token: '', total_size: 0 },
  }),
  refused(
    'A status outside the four values is refused',
    { status: 'DONE' },
    'status[0]',
    'logs.unknown_status',
  ),
  refused(
    'A page token that is malformed is refused',
    { page_token: 'no token of any list' },
    'page_token',
    'logs.malformed_page_token',
  ),
  refused('A time that is none is refused', { start_time: 'yesterday' }, 'start_time'),
  refused('A day that the month does not have is refused', { end_time: '2026-02-31T00:00:00Z' }, 'end_time'),
  refused(
    'A start after the end is refused',
    { start_time: '2026-02-01T00:00:00Z', end_time: '2026-01-01T00:00:00Z' },
    'start_time',
  ),
];
