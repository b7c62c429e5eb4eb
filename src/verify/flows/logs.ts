/** Cases about the log of authentication requests. */
import { valueAt } from '../../core/object.ts';
import { type Case, reading, test } from '../case.ts';
import { type Call, textAt } from '../client.ts';
import { aCount, aText, exactly, listOf, newestFirst, someOf, someText } from '../matchers.ts';
import { Missing, type Service } from '../service.ts';

const log = (service: Service, query: NonNullable<Call['query']>, body: object = {}) =>
  service.call('listAuthenticationRequests', { query }, { body });

const newest = async (service: Service) => {
  const { body } = await log(service, { page_size: 1 });
  const entry = valueAt(body, 'authRequests', 0);
  if (entry === undefined) throw new Missing('needs an entry in the log of authentication requests');
  return { entry, id: textAt(entry, 'auth_request_id') };
};

const STATUSES = ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED'] as const;
const NONE = { authRequests: exactly(), next_page_token: '', prev_page_token: '', total_size: 0 };

const READING = reading(
  'listAuthenticationRequests',
  test('The log returns the newest entries first, with page tokens and a count', (service) => {
    const page = { next_page_token: aText(/^/), prev_page_token: '', total_size: aCount };
    return log(service, { page_size: 100 }, { authRequests: newestFirst('timestamp'), ...page });
  }).promised('T1', 'L1'),
  test('In the log, next_page_token leads to older entries, and prev_page_token leads back', async (service) => {
    const { id } = await newest(service);
    const first = await log(service, { page_size: 1 });
    const next = textAt(first.body, 'next_page_token');
    if (next === '') throw new Missing('needs two entries in the log of authentication requests');
    const second = await log(service, { page_size: 1, page_token: next }, { prev_page_token: someText });
    const page_token = textAt(second.body, 'prev_page_token');
    const start = { authRequests: exactly({ auth_request_id: id }), prev_page_token: '' };
    await log(service, { page_size: 1, page_token }, start);
  }).promised('I4'),
  ...STATUSES.map((status) =>
    test(`The log filter status=${status} returns the entries with that status, ignoring case`, async (service) => {
      const { body } = await log(service, { status, page_size: 100 }, { authRequests: listOf({ status }) });
      const total_size = valueAt(body, 'total_size');
      await log(service, { status: status.toLowerCase() }, { total_size });
    }).inferred('L1'),
  ),
  ...(['email', 'client_id', 'resource_id'] as const).map((filter) =>
    test(`The log filter ${filter} returns the entries with that value`, async (service) => {
      const value = textAt((await newest(service)).entry, filter);
      const sent = filter === 'email' ? value.toUpperCase() : value;
      await log(service, { [filter]: sent, page_size: 100 }, { authRequests: someOf({ [filter]: value }) });
      await log(service, { [filter]: 'conformance-nobody' }, NONE);
    }).inferred('L1', 'I6'),
  ),
  test('The log includes entries exactly at start_time and end_time', async (service) => {
    const { entry, id } = await newest(service);
    const at = textAt(entry, 'timestamp');
    await log(service, { start_time: at, end_time: at }, { authRequests: [{ auth_request_id: id }] });
    await log(service, { start_time: '2999-01-01T00:00:00Z' }, NONE);
    await log(service, { end_time: '1999-01-01T00:00:00Z' }, NONE);
  }).inferred('L1'),
);

const WRONG: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['status[0]', { status: 'DONE' }],
  ['page_token', { page_token: 'a token that no list returned' }],
  ['start_time', { start_time: 'yesterday' }],
  ['end_time', { end_time: '2026-02-31T00:00:00Z' }],
  ['start_time', { start_time: '2026-02-01T00:00:00Z', end_time: '2026-01-01T00:00:00Z' }],
];

const REFUSING = reading(
  'listAuthenticationRequests',
  ...WRONG.map(([field, query]) =>
    test(`The log refuses the query ${new URLSearchParams(query)}`, (service) =>
      service.refuses('listAuthenticationRequests', { query }, field)).inferred('L1'),
  ),
);

export const LOG_FLOWS: readonly Case[] = [...READING, ...REFUSING];
