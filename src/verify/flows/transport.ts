/** Cases about paths, headers, bodies and queries that hold for every operation. */
import { reading, test } from '../case.ts';
import { aText, someText } from '../matchers.ts';
import { sampleOf, UNKNOWN } from '../samples.ts';

const LIST = '/api/v1/connected_accounts';

const PATHS = reading(
  'listConnectedAccounts',
  ...['/api/v1/connected_acounts', `${LIST}/`, LIST.toUpperCase()].map((url) =>
    test(`The unknown path ${url} answers 404, even without a token`, (api) =>
      api.call(
        'listConnectedAccounts',
        { url, token: null },
        { status: 404, error: 'PATH_NOT_FOUND' },
      )).inferred('T4'),
  ),
  test('A reply has the content type of JSON', (api) =>
    api.call(
      'listConnectedAccounts',
      {},
      { headers: { 'content-type': aText(/^application\/json\b/) } },
    )).promised(),
  test('A path may have %3A in place of its colon', async (api) => {
    await api.call('searchConnectedAccounts', { url: `${LIST}%3Asearch?query=conformance` });
    await api.call(
      'deleteConnectedAccount',
      {
        url: `${LIST}%3Adelete`,
        body: { id: UNKNOWN.account },
      },
      404,
    );
  }).inferred('T4', 'T7'),
);

const BODIES = reading(
  'deleteConnectedAccount',
  ...Object.entries({
    'that is not JSON': { body: '{"id": ' },
    'of another media type': { body: 'id=ca_1', headers: { 'content-type': 'text/plain' } },
    'that is a list': { body: [] },
    'with a member twice': { body: '{"id":"ca_1","id":"ca_2"}' },
  }).map(([how, call]) =>
    test(`A request body ${how} is refused`, (api) => api.call('deleteConnectedAccount', call, 400)).inferred(
      'T4',
      'T5',
      'T10',
    ),
  ),
  test('A request body of more than 1 MiB answers 413', (api) => {
    const body = { id: 'x'.repeat(1024 * 1024 + 1) };
    return api.call('deleteConnectedAccount', { body }, 413);
  }).inferred('T4'),
  test('An empty request body counts as an empty object', (api) => {
    const fields = ['auth_request_id', 'identifier'];
    return api.refuses('verifyConnectedAccountUser', { body: '' }, ...fields);
  }).inferred('T5'),
  test('An error message never repeats a credential from the request', (api) => {
    const connected_account = { authorization_details: { oauth_token: { access_token: 4815162342 } } };
    const body = { id: UNKNOWN.account, connected_account };
    const message = aText(/^(?!.*4815162342)/s);
    return api.call('updateConnectedAccount', { body }, { status: 400, body: { message } });
  }).inferred('R2'),
);

const QUERIES = reading(
  'listConnectedAccounts',
  ...[
    `identifier=a@b:c,d*e'f/g`,
    'organization_id=&query=&page_size=',
    'pageSize=1&organizationId=org_1',
  ].map((query) =>
    test(`Listing accounts accepts the query ${query}`, (api) =>
      api.call('listConnectedAccounts', { url: `${LIST}?${query}` })).inferred('T3', 'T7'),
  ),
  test('One error answer names all fields that break the contract', (api) => {
    const query = { identifier: 'x'.repeat(101), page_size: 101 };
    return api.refuses('listConnectedAccounts', { query }, 'identifier', 'page_size');
  }).inferred('R1'),
  test('One error answer names all fields that break other rules, if the request follows the contract', (api) => {
    const query = { connector: 'one', connection_names: 'other', page_token: 'none' };
    return api.refuses('listConnectedAccounts', { query }, 'connection_names', 'page_token');
  }).inferred('R1', 'A1'),
);

/**
 * The API's description makes all members optional except code, message and details. Behaviour R1 requires these
 * members.
 */
const ERRORS = reading(
  'resendInvite',
  test('An error about a membership repeats the members of its details at the top level', (api) => {
    const body = {
      error_code: 'NOT_FOUND',
      request_info: { request_id: someText },
      localized_message_info: { locale: someText, message: someText },
      resource_info: { resource_name: someText },
    };
    return api.call('resendInvite', sampleOf('resendInvite', api), { status: 404, body });
  }).inferred('R1'),
  test('Each violation in an error names the field, the broken constraint and the correct form', (api) => {
    const field_violations = [{ field: 'organization_id', constraint: someText, description: someText }];
    const path = { organization_id: 'acme', id: UNKNOWN.user };
    const body = { validation_error_info: { field_violations } };
    return api.call('resendInvite', { path, body: {} }, { status: 400, body });
  }).inferred('R1'),
);

export const TRANSPORT_FLOWS = [PATHS, BODIES, QUERIES, ERRORS].flat();
