/** What each view of the console shows of an environment with a row of everything, and four calls in its journal. */
import { expect, test } from '@jest/globals';
import { openPage } from '../support/page.ts';
import { listeningServer } from '../support/server.ts';

const server = await listeningServer();
const rows = {
  organizations: [{ name: 'acme', display_name: 'Acme' }],
  roles: [
    { name: 'admin', permissions: ['read'] },
    { name: 'member', default: true },
  ],
  connections: [
    { key_id: 'mail', type: 'OAUTH', enabled: true, scopes: ['a', 'b'] },
    { key_id: 'crm', type: 'API_KEY', enabled: false, status: 'DRAFT' },
  ],
  users: [
    {
      ...{ email: 'ada@acme.test', external_id: 'u1', metadata: { team: 'b' } },
      memberships: [{ organization_id: 'acme', roles: ['admin'], join_time: '-2d' }],
    },
    {
      email: 'bob@acme.test',
      memberships: [{ organization_id: 'acme', membership_status: 'PENDING_INVITE' }],
    },
    { email: 'cy@acme.test', memberships: [{ organization_id: 'acme', membership_status: 'INACTIVE' }] },
  ],
  connected_accounts: [
    { connector: 'mail', identifier: 'ada@acme.test', token_expires_at: '+1h', updated_at: '-1d' },
    { connector: 'mail', identifier: 'bob@acme.test', status: 'EXPIRED' },
    { connector: 'crm', identifier: 'bob@acme.test', refresh: 'deny' },
  ],
  custom_providers: [
    { display_name: 'Wiki', proxy_url: 'https://wiki.test', auth_patterns: [{ type: 'BASIC' }] },
  ],
  stubs: [{ method: 'GET', path: '/tools', status: 202, body: { a: 1 } }],
  authentication_requests: [
    { email: 'ada@acme.test', timestamp: '-1h', status: 'SUCCESS', connection_type: 'OAUTH' },
  ],
};
const own = await server.isolated({
  ...{ name: 'own', clock: '2026-03-01T12:00:00Z', scenario: { environments: { own: rows } } },
});
for (const identifier of ['bob@acme.test', 'ada@acme.test'])
  await own.control('POST', '/links', { id: `mail/${identifier}`, user_verify_url: 'https://a.test/x' });
const [{ token }] = (await own.control('GET', '/resources/authorization_links?query=ada')).body.rows;
await own.control('POST', `/links/${token}/approve`);
await own.api('GET', '/api/v1/connections?include=all');
await own.api('POST', '/api/v1/connected_accounts', { connector: 'mail', user_id: 7 });
await own.api('GET', '/api/v1/nowhere?colour=red');
await own.control('POST', '/faults', { operation: 'listConnections', abort: true, times: 1 });
await own.api('GET', '/api/v1/connections').catch(() => undefined);
await own.control('POST', '/faults', { operation: 'listConnections', status: 503, retry_after: 1 });
await own.control('POST', '/snapshots', { name: 'kept' });
const page = await openPage(`${server.mock.url}/_mock/#/own`);

/** A text of the page without what differs between two runs, and without the texts of forms and long lists. */
const steady = (text: string): string =>
  text
    .replaceAll(server.mock.url, 'URL')
    .replaceAll(/\d{18}/g, 'N')
    .replaceAll(/[\w-]{43,}/g, 'KEY')
    .replaceAll(/client_[\w-]{22}/g, 'CLIENT')
    .replaceAll(/\d+\.\d ms|\d+\.\d \d\d:\d\d:\d\d\.\d{3}/g, 'MS')
    .replaceAll(/At [\d-]+ [\d:]+/g, 'At TIME')
    .replaceAll(/issueToken getKeys .*? listAuthenticationRequests/g, 'OPERATIONS')
    .replaceAll(/(Custom fault|New environment) .*? (Add fault|Create environment)/g, '$1 FORM $2')
    .replaceAll(/ host \S+ accept-encoding .*? connection close/g, '')
    .replace(/Response \{.*/, 'Response BODY')
    .replace(/agents Connections.*/, 'SCENARIOS');

const VIEWS = [
  [
    'start',
    `own scenario object Connect Set the base URL of your application to this one. Nothing else
      changes. Base URL URL Client ID CLIENT Client secret KEY Token KEY Copy as .env Copy a call Be the
      user Makes an authorization link and opens its page, where you approve or deny. Account mail ·
      ada@acme.test · PENDING_VERIFICATION mail · bob@acme.test · EXPIRED crm · bob@acme.test ·
      PENDING_AUTH Open its page Break a call The next call gets this answer, then the mock answers as
      usual. Operation any operation OPERATIONS 500 503 429 401 Cut connection Broken JSON Slow, 2 s
      Wait 10 s`,
  ],
  [
    'connected_accounts',
    `Accounts 3 Search accounts New account Accounts Name Status Token expires at Last used at Updated
      at ID ada@acme.test mail · OAUTH PENDING_VERIFICATION in 1 hour – yesterday ca_N bob@acme.test
      mail · OAUTH EXPIRED now – now ca_N bob@acme.test crm · API_KEY PENDING_AUTH – – now ca_N`,
  ],
  [
    'users',
    `Users 3 Search users New user Users Name Memberships Last login time ID ada@acme.test u1 acme
      ACTIVE – usr_N bob@acme.test acme PENDING_INVITE – usr_N cy@acme.test acme INACTIVE – usr_N`,
  ],
  [
    'memberships',
    `Memberships 3 Search memberships New membership Memberships Name Membership status Roles Join time
      Expires at ada@acme.test Acme ACTIVE admin 2 days ago – bob@acme.test Acme PENDING_INVITE member –
      in 15 days cy@acme.test Acme INACTIVE member now –`,
  ],
  [
    'connections',
    `Connections 2 Search connections New connection Connections Name Status Enabled Provider
      Organization name ID mail OAUTH COMPLETED yes CUSTOM – conn_N crm API_KEY DRAFT no CUSTOM – conn_N`,
  ],
  [
    'custom_providers',
    `Custom providers 1 Search custom providers New custom provider Custom providers Name Auth patterns
      Description Proxy URL Wiki WIKI:N BASIC – https://wiki.test`,
  ],
  [
    'authorization_links',
    `Authorization links 2 Search authorization links New link Authorization links Name Status Link
      Expires at User verify URL bob@acme.test mail OPEN URL/magicLink/KEY in 15 minutes
      https://a.test/x ada@acme.test mail USED URL/magicLink/KEY in 15 minutes https://a.test/x`,
  ],
  [
    'verification_requests',
    `Verification requests 1 Search verification requests Verification requests Name Status Expires at
      Auth request ID ada@acme.test mail OPEN in 10 minutes KEY`,
  ],
  [
    'authentication_requests',
    `Sign-in log 1 Search sign-in log New sign-in Sign-in log Name Status Timestamp Client name
      Resource name ada@acme.test OAUTH SUCCESS 1 hour ago – –`,
  ],
  [
    'organizations',
    `Organizations 1 Search organizations New organization Organizations Name ID Acme acme org_N`,
  ],
  [
    'roles',
    `Roles 2 Search roles New role Roles Name Default Permissions ID Admin admin no read role_N Member
      member yes – role_N`,
  ],
  ['stubs', `Stubs 1 Search stubs New stub Stubs Name Status Body Auth /tools GET 202 {"a":1} yes`],
  [
    'journal',
    `Journal 4 Search calls Export HAR Clear Calls, newest first Call Status Operation ms Time GET
      /api/v1/connections cut fault listConnections MS GET /api/v1/nowhere?colour=red 404 – MS POST
      /api/v1/connected_accounts 400 2 errors createConnectedAccount MS GET
      /api/v1/connections?include=all 200 listConnections MS`,
  ],
  [
    'journal/2',
    `createConnectedAccount Copy as curl Send again Fail the next call 400 POST
      /api/v1/connected_accounts req_2 · MS At TIME ; the environment's clock showed 2026-03-01 12:00:00
      Why 400 identifier required identifier is missing. Add it. user_id type user_id is 7, but must be
      a string. Write it in quotes. Try createConnectedAccount with example values Request { "connector"
      : "mail" , "user_id" : 7 } Request headers authorization Bearer *** content-type application/json
      Response BODY`,
  ],
  [
    'journal/3',
    `GET /api/v1/nowhere?colour=red Copy as curl Send again 404 GET /api/v1/nowhere?colour=red
      req_3 · MS At TIME ; the environment's clock showed 2026-03-01 12:00:00 Why 404 No operation has
      the path /api/v1/nowhere. All operations are listed in /openapi.yaml. To make the mock answer this
      call, add this to an environment of the scenario: stubs: [{ method: GET, path: "/api/v1/nowhere",
      status: 200, body: {} }]. The guide: URL/_mock/guide/stubs Rule T4 of the guide says when calls
      are refused like this. Request No body. Request headers authorization Bearer *** Response BODY`,
  ],
  [
    'journal/4',
    `listConnections Copy as curl Send again Fail the next call cut GET /api/v1/connections
      req_4 · MS · fault fault_1 At TIME ; the environment's clock showed 2026-03-01 12:00:00 Why the
      connection was cut The fault fault_1 caused this. View faults Try listConnections with example
      values Request No body. Request headers authorization Bearer *** Response No body. Response
      headers`,
  ],
  [
    'faults',
    `Faults 1 Delete all Fail the next call Operation any operation OPERATIONS 500 503 429 401 Cut
      connection Broken JSON Slow, 2 s Wait 10 s Custom fault FORM Add fault listConnections used up
      Abort true Times 1 Took effect on 1 of 1 calls. Add again Delete listConnections Status 503 Retry
      after 1 Took effect on 0 of 0 calls. Delete`,
  ],
  [
    'outbox',
    `Outbox 0 Clear No e-mails yet. A new membership sends one, and so does an invitation that is sent
      again. Open invitations bob@acme.test Acme Resend invitation`,
  ],
  [
    'snapshots',
    `Snapshots, scenarios Name name Default: snapshot-1 , snapshot-2 and so on. Take snapshot kept The
      clock showed 2026-03-01 12:00:00 . Restore Delete Scenarios Export Import Export with times
      relative to now, so that the scenario stays up to date SCENARIOS`,
  ],
  [
    'environments',
    `Environments 3 Search environments New environment FORM Create environment development scenario
      default · clock running · Open Duplicate Delete production scenario default · clock running · Open
      Duplicate Delete own current scenario object · clock frozen · Open Duplicate Delete`,
  ],
  [
    'nothing',
    `There is no view “nothing” The address may be old or misspelt. These are the views: Start Journal
      Faults Coverage Outbox Accounts Users Memberships Connections Custom providers Authorization links
      Verification requests Sign-in log Organizations Roles Stubs Snapshots, scenarios Settings
      Environments`,
  ],
];

test.each(VIEWS)('the view %s', async (view, expected) => {
  await page.go(`#/own/${view}`);
  expect(steady(page.textOf(view.includes('/') ? 'aside' : 'main'))).toBe(expected.replaceAll(/\s+/g, ' '));
});
