/** The log of authentication requests, and the sign-ins that fill it (behaviour L1). */
import { type After, advance, answer, calls, control, given, inferred, only, promised, type Step, table,
  type Wanted } from '../case.ts';
import { absent, exactly, like, listOf, newestFirst, someOf, someText, whole } from '../matchers.ts';

const { listAuthenticationRequests: list } = calls;
const NO_ENTRIES = { authRequests: exactly(), next_page_token: '', prev_page_token: '', total_size: 0 };
/** Just the entries with these ids, in this order. */
const ids = (...names: string[]) => ({ authRequests: exactly(...names.map((auth_request_id) => ({ auth_request_id }))),
  total_size: names.length });
const entry = (auth_request_id: string, timestamp: string, more: object = {}) =>
  ({ auth_request_id, timestamp, email: 'ada@acme.test', status: 'SUCCESS', ...more });
const STATUSES = ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED'];

const LOG = only({
  authentication_requests: [
    entry('noon', 'now', { client_id: 'web', resource_id: 'wiki' }),
    entry('yesterday', '2026-02-28T12:00:00Z', { status: 'FAILED', email: 'Grace@Acme.test', client_id: 'web' }),
    entry('hour-ago', '-1h', { status: 'PENDING', client_id: 'app', resource_id: 'wiki' }),
    entry('half-hour-ago', '2026-03-01T11:30:00Z', { status: 'INITIATED', client_id: 'app' }),
  ],
});
const MANY = only({ authentication_requests: Array.from({ length: 25 }, (_, nth) => entry(`e${nth}`, `-${nth}h`)) });
/** The page of `MANY` that begins with this entry. */
const page = (start: number, length: number) => ({
  authRequests: exactly(...Array.from({ length }, (_, nth) => ({ auth_request_id: `e${start + nth}` }))),
    total_size: 25,
});
const FILTERS = { status: ['success', 'FAILED'], email: 'Ada@acme.test', start_time: '2026-02-20T00:00:00Z',
  end_time: '2026-03-02T00:00:00.000Z' };

const signs = (values: object, wanted: Wanted = {}, after?: After): Step =>
  control('POST /sign-ins', { email: 'ada@acme.test', outcome: 'success', ...values }, wanted, after);
const logged = (members: object) => ({ authentication_request: members });
const WEB = { client_id: 'web', client_name: 'Web', client_type: 'SPA', resource_id: 'wiki', resource_name: 'Wiki',
  resource_type: 'WEB' };
const SIGN_INS = given({
  connections: [{ id: 'conn_saml', key_id: 'saml', type: 'SAML', provider: 'OKTA', organization_id: 'globex' },
    { id: 'conn_password', key_id: 'password', type: 'PASSWORD' }],
  authentication_requests: [entry('old', '-2d', { ...WEB, client_name: 'Old name', resource_id: 'old' }),
    entry('new', '-1d', WEB)],
});
const THROUGH_SAML = { connection_id: 'conn_saml', connection_provider: 'OKTA', connection_type: 'SAML',
  organization_id: '{globex}' };
const lastLogin = (name: string, last_login_time: unknown) =>
  ({ state: { users: [{ id: `{${name}}`, last_login_time }] } });

export const LOGS = table({
  listAuthenticationRequests: [
    promised('T1 L1', 'The log returns the newest entries first, with page tokens and a count', [
      list({ page_size: 100 }, { authRequests: newestFirst('timestamp'), next_page_token: like(/^/),
        prev_page_token: '' }),
    ]),
    promised('I4', 'In the log, next_page_token leads to older entries, and prev_page_token leads back', [
      list({ page_size: 1 }, { authRequests: exactly({ auth_request_id: '{entries.0.auth_request_id}' }) }),
      list({ page_size: 1, page_token: '{next_page_token}' },
        { authRequests: exactly({ auth_request_id: '{entries.1.auth_request_id}' }), prev_page_token: someText }),
      list({ page_size: 1, page_token: '{prev_page_token}' },
        { authRequests: exactly({ auth_request_id: '{entries.0.auth_request_id}' }), prev_page_token: '' }),
    ]),
    ...STATUSES.map((status) =>
      inferred('L1', `Filtering the log by status ${status} ignores case, and returns only entries with that status`, [
        list({ status, page_size: 100 }, { authRequests: listOf({ status }) }),
        list({ status: status.toLowerCase() }, { total_size: '{total_size}' }),
      ])),
    ...['email', 'client_id', 'resource_id'].map((name) =>
      inferred('L1 I6', `Filtering the log by ${name} returns only entries with that ${name}`, [
        list({ [name]: `{entries.0.${name}${name === 'email' ? '|upper' : ''}}`, page_size: 100 },
          { authRequests: someOf({ [name]: `{entries.0.${name}}` }) }),
        list({ [name]: 'conformance-nobody' }, NO_ENTRIES),
      ])),
    inferred('L1', 'The log includes entries exactly at start_time and end_time', [
      list({ start_time: '{entries.0.timestamp}', end_time: '{entries.0.timestamp}' },
        { authRequests: [{ auth_request_id: '{entries.0.auth_request_id}' }] }),
      list({ start_time: '2999-01-01T00:00:00Z' }, NO_ENTRIES),
      list({ end_time: '1999-01-01T00:00:00Z' }, NO_ENTRIES),
    ]),
    inferred('L1', 'A page token of another list, a bad time and a start after the end are refused', [
      list({ page_token: 'a token that no list returned' }, ['page_token']),
      list({ start_time: 'yesterday' }, ['start_time']), list({ end_time: '2026-02-31T00:00:00Z' }, ['end_time']),
      list({ start_time: '2026-02-01T00:00:00Z', end_time: '2026-01-01T00:00:00Z' }, ['start_time']),
    ]),
    inferred('L1', 'An entry must match one of the statuses and all other filters, client and resource in their case', [
      ...LOG, list({}, ids('noon', 'half-hour-ago', 'hour-ago', 'yesterday')),
      list({ status: ['failed', 'Pending'] }, ids('hour-ago', 'yesterday')),
      list({ email: 'GRACE@acme.TEST' }, ids('yesterday')), list({ client_id: 'web' }, ids('noon', 'yesterday')),
      list({ client_id: 'WEB' }, ids()), list({ resource_id: 'wiki' }, ids('noon', 'hour-ago')),
      list({ resource_id: 'wiki', client_id: 'app', status: ['PENDING', 'SUCCESS'] }, ids('hour-ago')),
      list({ start_time: '2026-03-01T11:30:00Z' }, ids('noon', 'half-hour-ago')),
      list({ end_time: '2026-03-01T11:00:00Z' }, ids('hour-ago', 'yesterday')),
      list({ email: 'nobody@acme.test' }, ids()),
    ]),
    inferred('L1', 'Of entries with the same time, the last one made comes first, also among more than 100', [
      ...only({ authentication_requests: Array.from({ length: 101 }, (_, nth) => entry(`entry-${nth}`, 'now')) }),
      list({ page_size: 3 }, { authRequests: exactly(...['entry-100', 'entry-99', 'entry-98'].map((auth_request_id) =>
        ({ auth_request_id }))) }),
    ]),
    inferred('I3', 'A page of the log has 100 entries at most, and a page_size that is negative or no number is refused', [
      ...only({ authentication_requests: Array.from({ length: 101 }, (_, nth) => entry(`entry-${nth}`, 'now')) }),
      ...[100, 101, 1_000_000].map((page_size) => list({ page_size }, { next_page_token: someText })),
      list({ page_token: '{next_page_token}', page_size: 500 }, { authRequests: exactly({ auth_request_id: 'entry-0' }) }),
      list({ page_size: -1 }, ['page_size']), list({ page_size: 'ten' }, ['page_size']),
    ]),
    inferred('I4 L1', 'A page token is accepted with the same filters in any spelling, and refused with others', [
      ...MANY, list(FILTERS, page(0, 10)),
      list({ page_token: '{next_page_token}', page_size: 1 }, { authRequests: exactly({ auth_request_id: 'e10' }) }),
      list(
        { status: ['FAILED', 'SUCCESS'], email: 'ada@ACME.test', start_time: '2026-02-20T01:00:00 01:00',
          end_time: '2026-03-02T00:00:00Z', page_token: '{3:next_page_token}', page_size: 1 },
        { authRequests: exactly({ auth_request_id: 'e10' }) },
      ),
      ...Object.entries({ email: 'b@acme.test', status: 'failed', start_time: '2026-02-21T00:00:00Z',
        end_time: '2026-03-02T00:00:01Z', client_id: 'web' }).map(
        ([name, other]) => list({ [name]: other, page_token: '{3:next_page_token}' }, [name])),
    ]),
    inferred('I4 L1 E6', 'Paging leads through the whole log, forward and back, and page tokens survive a reset', [
      ...MANY,
      ...[10, 10, 5].map((length, nth) =>
        list({ page_size: 10, ...(nth > 0 && { page_token: '{next_page_token}' }) }, page(nth * 10, length))),
      ...[10, 0].map((start) => list({ page_size: 10, page_token: '{prev_page_token}' }, page(start, 10))),
      list({}, { prev_page_token: '' }), list({ page_size: 25 }, { next_page_token: '' }),
      advance('90d'), ...MANY, list({ page_token: '{3:next_page_token}' }, page(10, 10)),
    ]),
    inferred('R1', 'One error names a wrong time, a wrong page token and a filter that differs', [
      ...MANY,
      list({ start_time: '2026-02-30T00:00:00Z', end_time: '2026-02-31T00:00:00Z', page_token: 'x' },
        ['start_time', 'end_time', 'page_token']),
      list(), list({ start_time: '2026-02-30T00:00:00Z', client_id: 'web', page_token: '{next_page_token}' },
        ['start_time', 'client_id']),
    ]),
    inferred('L1', 'A sign-in is logged with its outcome, as the newest entry', [
      ...STATUSES.flatMap((status) => [
        signs({ outcome: status.toLowerCase() }, logged(whole({
          ...{ auth_request_id: someText, environment_id: '{environment}', organization_id: '{acme}', status,
            email: 'ada@acme.test' },
          ...{ timestamp: '{now}', workflow: 'SIGN_IN' },
        })), { events: [{ type: 'authentication_request.created', to: status,
          resource: { auth_request_id: someText } }] }),
        list({ page_size: 1 }, { authRequests: exactly({ auth_request_id: '{authentication_request.auth_request_id}',
          status }) }),
      ]),
    ]),
    inferred('L1', 'Only a successful sign-in sets the last_login_time of the user, whatever the case of the address', [
      given({ users: [{ id: '{ada}', last_login_time: '-10h' }] }),
      ...STATUSES.filter((status) => status !== 'SUCCESS').map((status) =>
        signs({ outcome: status.toLowerCase() }, {}, lastLogin('ada', '{now-10h}'))),
      signs({ email: 'ADA@acme.test' }, {}, lastLogin('ada', '{now}')),
    ]),
    inferred('L1', 'A sign-in through a connection is logged with the connection and the organization that owns it', [
      SIGN_INS, signs({ connection_id: 'conn_saml' }, logged({ ...THROUGH_SAML,
        connection_details: exactly(whole(THROUGH_SAML)) })),
    ]),
    inferred('L1', 'Without an organization of its own, a sign-in is logged with the first in which the user is ACTIVE',
      [
      SIGN_INS,
      signs({ connection_id: 'conn_password' }, logged({ organization_id: '{acme}', connection_type: 'PASSWORD',
        connection_details: exactly({ organization_id: absent }) })),
      signs({ email: 'grace@acme.test' }, logged({ organization_id: absent })),
      signs({ email: 'MARGARET@globex.test', outcome: 'failed' },
        logged({ email: 'margaret@globex.test', organization_id: '{globex}' })),
    ]),
    inferred('L1', 'A sign-in through a connector or an unknown connection is refused', [
      signs({ connection_id: '{OAUTH.id}' }, answer(400, { error: { code: 'INVALID_ARGUMENT' } })),
      signs({ connection_id: 'conn_none' }, answer(404, { error: { code: 'NOT_FOUND' } })),
    ]),
    inferred('L1', 'A sign-in of a client is logged with the name and resource of the newest entry of that client', [
      SIGN_INS, signs({ client_id: 'web' }, logged(WEB)),
      given({ clients: [{ client_id: 'named', client_secret: 'secret', name: 'Development' }] }),
      signs({ client_id: 'named' }, logged({ client_name: 'Development', resource_id: absent })),
      signs({ client_id: 'other' }, logged({ client_id: 'other', client_name: absent, resource_id: absent })),
    ]),
    inferred('L1', 'A sign-in with an unknown address is logged with the address as entered, and creates no user', [
      signs({ email: 'Nobody@free.test' }, logged({ email: 'Nobody@free.test', status: 'SUCCESS' }),
        { events: [{ type: 'authentication_request.created' }] }),
    ]),
  ],
});
