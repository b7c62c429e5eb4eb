/** The log of rows and of sign-ins (behaviour L1). */
import { type Changes, calls, event, inferred, later, refused, sees, table,
  type Wanted } from '../../../src/conformance/case.ts';
import { page, STATUSES } from '../../../src/conformance/cases/logs.ts';
import { absent, exactly, someText, whole } from '../../../src/conformance/matchers.ts';
import { control, given, only, toEach } from '../steps.ts';

const { listAuthenticationRequests: list } = calls;
const entry = (auth_request_id: string, timestamp: string, more: object = {}) =>
  ({ auth_request_id, timestamp, email: 'ada@acme.test', status: 'SUCCESS', ...more });

const LOG = only({ authentication_requests: [
  entry('noon', 'now', { client_id: 'web', resource_id: 'wiki' }),
  entry('yesterday', '2026-02-28T12:00:00Z', { status: 'FAILED', email: 'Grace@Acme.test', client_id: 'web' }),
  entry('hour-ago', '-1h', { status: 'PENDING', client_id: 'app', resource_id: 'wiki' }),
  entry('half-hour-ago', '2026-03-01T11:30:00Z', { status: 'INITIATED', client_id: 'app' })] });
/** Queries, and the entries of `LOG` that they find. */
const FILTERS = {
  '': 'noon half-hour-ago hour-ago yesterday', 'status=failed&status=Pending': 'hour-ago yesterday',
  'email=GRACE@acme.TEST': 'yesterday', 'email=nobody@acme.test': '', 'client_id=WEB': '', 'client_id=web': 'noon yesterday',
  'resource_id=wiki': 'noon hour-ago', 'resource_id=wiki&client_id=app&status=PENDING&status=SUCCESS': 'hour-ago',
  'start_time=2026-03-01T11:30:00Z': 'noon half-hour-ago', 'end_time=2026-03-01T11:00:00Z': 'hour-ago yesterday',
};
const found = (text: string) => {
  const names = text.split(' ').filter(Boolean);
  return page(names, { total_size: names.length });
};
const MANY = only({ authentication_requests: Array.from({ length: 25 }, (_, nth) => entry(`e${nth}`, `-${nth}h`)) });
/** The page of `MANY` that begins with this entry. */
const from = (start: number, length = 10) =>
  page(Array.from({ length }, (_, nth) => `e${start + nth}`), { total_size: 25 });
const AT_ONCE = only({ authentication_requests: Array.from({ length: 101 }, (_, nth) => entry(`entry-${nth}`, 'now')) });
const NEXT = { page_token: '{next_page_token}' };
const FIRST_NEXT = { page_token: '{3:next_page_token}' };
const BACK = { page_token: '{prev_page_token}' };
const SAME = { status: ['success', 'FAILED'], email: 'Ada@acme.test', start_time: '2026-02-20T00:00:00Z',
  end_time: '2026-03-02T00:00:00.000Z' };
/** The same filters in another spelling, and other filters. */
const SPELT = { status: ['FAILED', 'SUCCESS'], email: 'ada@ACME.test', start_time: '2026-02-20T01:00:00 01:00',
  end_time: '2026-03-02T00:00:00Z' };
const OTHERS = { email: 'b@acme.test', status: 'failed', start_time: '2026-02-21T00:00:00Z',
  end_time: '2026-03-02T00:00:01Z', client_id: 'web' };

const signs = (values: object, logged: object = {}, after?: Changes, wanted: Wanted = { authentication_request: logged }) =>
  control('POST /sign-ins', { email: 'ada@acme.test', outcome: 'success', ...values }, wanted, after);
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
const lastLogin = (last_login_time: unknown) => sees('state', { users: [{ id: '{ada}', last_login_time }] });

export const LOGS = table([
  'listAuthenticationRequests',
  inferred('L1', 'An entry must match one of the statuses and all other filters, client and resource in their case',
    LOG, toEach('listAuthenticationRequests', FILTERS, found)),
  inferred('I3 L1', 'Of entries with the same time, the last one made comes first, and a page has 100 at most',
    AT_ONCE, list({ page_size: 3 }, page(['entry-100', 'entry-99', 'entry-98'])),
    [100, 101, 1_000_000].map((page_size) => list({ page_size }, { next_page_token: someText })),
    list({ ...NEXT, page_size: 500 }, page(['entry-0']))),
  inferred('I4 L1', 'A page token is accepted with the same filters in any spelling, and refused with others',
    MANY, list(SAME, from(0)), list({ ...NEXT, page_size: 1 }, page(['e10'])),
    list({ ...SPELT, ...FIRST_NEXT, page_size: 1 }, page(['e10'])),
    Object.entries(OTHERS).map(([name, other]) => list({ [name]: other, ...FIRST_NEXT }, [name]))),
  inferred('I4 L1 E6', 'Paging leads through the whole log, forward and back, and page tokens survive a reset',
    MANY, list({ page_size: 10 }, from(0)), list({ page_size: 10, ...NEXT }, from(10)),
    list({ page_size: 10, ...NEXT }, from(20, 5)), [10, 0].map((start) => list({ page_size: 10, ...BACK }, from(start))),
    list({}, { prev_page_token: '' }), list({ page_size: 25 }, { next_page_token: '' }),
    later('90d'), MANY, list(FIRST_NEXT, from(10))),
  inferred('L1', 'A sign-in is logged with its outcome, as the newest entry',
    STATUSES.map((status) => [
      signs({ outcome: status.toLowerCase() }, whole({ auth_request_id: someText, environment_id: '{environment}',
        organization_id: '{acme}', status, email: 'ada@acme.test', timestamp: '{now}', workflow: 'SIGN_IN' }),
        [event(`authentication_request.created > ${status}`, { auth_request_id: someText })]),
      list({ page_size: 1 }, page(['{authentication_request.auth_request_id}']))])),
  inferred('L1', 'Only a successful sign-in sets the last_login_time of the user, whatever the case of the address',
    given({ users: [{ id: '{ada}', last_login_time: '-10h' }] }),
    ['initiated', 'pending', 'failed'].map((outcome) => [signs({ outcome }), lastLogin('{now-10h}')]),
    signs({ email: 'ADA@acme.test' }), lastLogin('{now}')),
  inferred('L1', 'A sign-in is logged with its connection, and the organization of this or the first with an ACTIVE user',
    SIGN_INS, signs({ connection_id: 'conn_saml' }, { ...THROUGH_SAML, connection_details: exactly(whole(THROUGH_SAML)) }),
    signs({ connection_id: 'conn_password' }, { organization_id: '{acme}', connection_type: 'PASSWORD',
      connection_details: exactly({ organization_id: absent }) }),
    signs({ email: 'grace@acme.test' }, { organization_id: absent }),
    signs({ email: 'MARGARET@globex.test', outcome: 'failed' },
      { email: 'margaret@globex.test', organization_id: '{globex}' })),
  inferred('L1', 'A sign-in through a connector or an unknown connection is refused',
    signs({ connection_id: '{OAUTH.id}' }, {}, undefined, refused('INVALID_ARGUMENT')),
    signs({ connection_id: 'conn_none' }, {}, undefined, refused('NOT_FOUND'))),
  inferred('L1', 'A sign-in of a client is logged with the name and resource of the newest entry of that client',
    SIGN_INS, signs({ client_id: 'web' }, WEB),
    given({ clients: [{ client_id: 'named', client_secret: 'secret', name: 'Development' }] }),
    signs({ client_id: 'named' }, { client_name: 'Development', resource_id: absent }),
    signs({ client_id: 'other' }, { client_id: 'other', client_name: absent, resource_id: absent })),
  inferred('L1', 'A sign-in with an unknown address is logged with the address as entered, and creates no user',
    signs({ email: 'Nobody@free.test' }, { email: 'Nobody@free.test', status: 'SUCCESS' },
      [event('authentication_request.created')])),
]);
