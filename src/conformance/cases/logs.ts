/** The log of authentication requests, from the newest entry to the oldest (behaviour L1). */
import { calls, inferred, promised, table } from '../case.ts';
import { exactly, like, listOf, newestFirst, someText } from '../matchers.ts';

const { listAuthenticationRequests: list } = calls;
/** Just the entries with these ids, in this order. */
export const page = (names: readonly string[], more: object = {}) =>
  ({ authRequests: exactly(...names.map((auth_request_id) => ({ auth_request_id }))), ...more });
export const STATUSES = ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED'];
const [NEWEST, SECOND] = ['{entries.0.auth_request_id}', '{entries.1.auth_request_id}'] as const;
const NEXT = { page_token: '{next_page_token}' };
const BACK = { page_token: '{prev_page_token}' };

export const LOGS = table([
  'listAuthenticationRequests',
  promised('T1 L1', 'The log returns the newest entries first, with page tokens and a count', list({ page_size: 100 },
    { authRequests: newestFirst('timestamp'), next_page_token: like(/^/), prev_page_token: '' })),
  promised('I4', 'In the log, next_page_token leads to older entries, and prev_page_token leads back',
    list({ page_size: 1 }, page([NEWEST])),
    list({ page_size: 1, ...NEXT }, page([SECOND], { prev_page_token: someText })),
    list({ page_size: 1, ...BACK }, page([NEWEST], { prev_page_token: '' }))),
  ...STATUSES.map((status) =>
    inferred('L1', `Filtering the log by status ${status} ignores case, and returns only entries with that status`,
      list({ status, page_size: 100 }, { authRequests: listOf({ status }) }),
      list({ status: status.toLowerCase() }, { total_size: '{total_size}' }))),
  inferred('R1 L1', 'One error names a wrong time, a wrong page token and a filter that differs; a start is before the end',
    list({ start_time: '2026-02-01T00:00:00Z', end_time: '2026-01-01T00:00:00Z' }, ['start_time']),
    list({ start_time: '2026-02-30T00:00:00Z', end_time: '2026-02-31T00:00:00Z', page_token: 'x' },
      ['start_time', 'end_time', 'page_token']),
    list({ page_size: 1 }, page([NEWEST])),
    list({ start_time: '2026-02-30T00:00:00Z', client_id: 'web', ...NEXT }, ['start_time', 'client_id'])),
]);
