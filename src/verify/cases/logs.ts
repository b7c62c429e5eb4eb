/** The log of authentication requests. */

import { valueAt } from '../../core/object.ts';
import { type Api, Missing } from '../api.ts';
import { type Case, group, inferred, promised } from '../case.ts';
import { type RequestParts, textAt } from '../http.ts';
import {
  aText,
  aTime,
  atLeast,
  including,
  listOf,
  newestFirst,
  oneOf,
  someOf,
  someText,
} from '../pattern.ts';

const STATUSES = ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED'] as const;

const log = (api: Api, query: RequestParts['query'] = {}) =>
  api.call('listAuthenticationRequests', { query });

/** The newest entry of the log, and how many there are. @throws Missing in an empty log */
const newest = async (api: Api) => {
  const body = await api.obtain('listAuthenticationRequests', { query: { page_size: 1 } });
  const entry = valueAt(body, 'authRequests', 0);
  if (entry === undefined) throw new Missing('needs an entry in the log of authentication requests');
  return { entry, id: textAt(entry, 'auth_request_id'), total: Number(valueAt(body, 'total_size')) };
};

const ENTRIES = group({ about: 'listAuthenticationRequests' }, [
  promised(
    'The log has its entries, most recent first, page tokens and the count over all pages',
    ['T1', 'L1'],
    (api) =>
      log(api, { page_size: 100 }).succeeds({
        authRequests: newestFirst('timestamp'),
        next_page_token: aText(/^/),
        prev_page_token: '',
        total_size: atLeast(0),
      }),
  ),
  promised('An entry says who, when and how far', [], async (api) => {
    await newest(api);
    const entry = { auth_request_id: someText, timestamp: aText(/^\d{4}-/), status: oneOf(...STATUSES) };
    await log(api, { page_size: 1 }).succeeds({ authRequests: [entry] });
  }),
  promised('A page token leads to the older entries and back', ['I4'], async (api) => {
    const { id, total } = await newest(api);
    if (total < 2) throw new Missing('needs two entries in the log of authentication requests');
    const first = await log(api, { page_size: 1 }).succeeds({
      next_page_token: someText,
      prev_page_token: '',
    });
    const next = textAt(first.body, 'next_page_token');
    const second = await log(api, { page_size: 1, page_token: next }).succeeds({ prev_page_token: someText });
    const back = textAt(second.body, 'prev_page_token');
    await log(api, { page_size: 1, page_token: back }).succeeds({
      authRequests: [{ auth_request_id: id }],
      prev_page_token: '',
    });
  }),
  promised('Filters that match nothing give an empty list', [], (api) =>
    log(api, { email: 'nobody@conformance.invalid' }).succeeds({
      authRequests: [],
      next_page_token: '',
      prev_page_token: '',
      total_size: 0,
    }),
  ),
]);

const FILTERS = group({ about: 'listAuthenticationRequests' }, [
  ...STATUSES.map((status) =>
    inferred(`The status ${status} gives its entries, in any case`, ['L1'], async (api) => {
      const { body } = await log(api, { status, page_size: 100 }).succeeds({
        authRequests: listOf({ status }),
      });
      const total_size = Number(valueAt(body, 'total_size'));
      await log(api, { status: status.toLowerCase(), page_size: 100 }).succeeds({ total_size });
    }),
  ),
  inferred('Several statuses widen the result', ['L1'], (api) =>
    log(api, { status: ['SUCCESS', 'failed'], page_size: 100 }).succeeds({
      authRequests: listOf({ status: oneOf('SUCCESS', 'FAILED') }),
    }),
  ),
  ...(['email', 'client_id', 'resource_id'] as const).map((filter) =>
    inferred(`The filter ${filter} gives the entries that have it`, ['L1'], async (api) => {
      const value = textAt((await newest(api)).entry, filter);
      await log(api, { [filter]: value, page_size: 100 }).succeeds({
        authRequests: someOf({ [filter]: value }),
      });
    }),
  ),
  inferred('An e-mail address compares in any case', ['L1', 'I6'], async (api) => {
    const email = textAt((await newest(api)).entry, 'email');
    await log(api, { email: email.toUpperCase() }).succeeds({ authRequests: someOf({ email }) });
  }),
  inferred('Both bounds of the time are included', ['L1'], async (api) => {
    const { entry, id } = await newest(api);
    const at = textAt(entry, 'timestamp');
    await log(api, { start_time: at, end_time: at }).succeeds({
      authRequests: including({ auth_request_id: id }),
    });
    await log(api, { start_time: '2999-01-01T00:00:00Z' }).succeeds({ authRequests: [] });
    await log(api, { end_time: '1999-01-01T00:00:00Z' }).succeeds({ authRequests: [] });
  }),
  inferred('A space before the offset of a time reads as a plus', ['L1', 'T7'], (api) =>
    api.send({ url: '/api/v1/logs/authentication/requests?start_time=2020-01-01T00:00:00+01:00' }).succeeds(),
  ),
]);

const REFUSALS = group({ about: 'listAuthenticationRequests' }, [
  promised('A status outside the four values is refused', ['L1'], (api) =>
    log(api, { status: 'DONE' }).isRefused('status[0]'),
  ),
  promised('A page token that is malformed is refused', ['L1'], (api) =>
    log(api, { page_token: 'no token of any list' }).isRefused('page_token'),
  ),
  inferred('A time that is none is refused', ['L1'], (api) =>
    log(api, { start_time: 'yesterday' }).isRefused('start_time'),
  ),
  inferred('A day that the month does not have is refused', ['L1'], (api) =>
    log(api, { end_time: '2026-02-31T00:00:00Z' }).isRefused('end_time'),
  ),
  inferred('A day that is none and a page token that is none are said at once', ['R1', 'L1'], (api) =>
    log(api, { start_time: '2026-02-30T00:00:00Z', page_token: 'none', page_size: 101 }).isRefused(
      'page_size',
      'start_time',
      'page_token',
    ),
  ),
  inferred('A start after the end is refused', ['L1'], (api) =>
    log(api, { start_time: '2026-02-01T00:00:00Z', end_time: '2026-01-01T00:00:00Z' }).isRefused(
      'start_time',
    ),
  ),
]);

/** A connection that took part in a sign-in. */
const CONNECTION = {
  connection_id: someText,
  connection_provider: someText,
  connection_type: someText,
  organization_id: someText,
};

/** The 25 entries of the default scenario. */
const AMONG_DEFAULTS = group({ about: 'listAuthenticationRequests', needs: ['control'] }, [
  promised('The last page of the log leads no further', [], async (api) => {
    const { body } = await log(api, { page_size: 20 }).succeeds({ next_page_token: someText });
    const page_token = textAt(body, 'next_page_token');
    await log(api, { page_size: 20, page_token }).succeeds({ next_page_token: '' });
  }),
  promised('A log entry has its fields', [], (api) =>
    log(api, { page_size: 1, email: 'ada@acme.test' }).succeeds({
      authRequests: [
        {
          auth_request_id: someText,
          client_id: someText,
          client_name: someText,
          client_type: someText,
          connection_id: someText,
          connection_provider: someText,
          connection_type: someText,
          email: 'ada@acme.test',
          environment_id: someText,
          organization_id: someText,
          resource_id: someText,
          resource_name: someText,
          resource_type: someText,
          workflow: someText,
          timestamp: aTime,
          connection_details: someOf({}),
        },
      ],
    }),
  ),
  promised('A log entry names its connections', [], (api) =>
    log(api, { page_size: 1, email: 'ada@acme.test' }).succeeds({
      authRequests: [{ connection_details: [CONNECTION] }],
    }),
  ),
  ...STATUSES.map((status) =>
    promised(`A log entry can be ${status}`, [], (api) =>
      log(api, { status, page_size: 100 }).succeeds({ authRequests: someOf({ status }) }),
    ),
  ),
]);

export const LOG_CASES: readonly Case[] = [...ENTRIES, ...FILTERS, ...REFUSALS, ...AMONG_DEFAULTS];
