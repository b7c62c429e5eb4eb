/** Cases about what all operations share: access tokens, paths, headers, bodies, queries and errors. */
import { type Api, textAt } from '../api.ts';
import { reading, test } from '../case.ts';
import { aText, someText } from '../matchers.ts';
import { sampleOf, TOKEN_PARTS, UNKNOWN } from '../samples.ts';

/** A token request with the client's id and secret. `more` adds or replaces form fields. */
const grant = ({ target: { clientId, clientSecret } }: Api, more: Readonly<Record<string, string>> = {}) => {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  return { body: new URLSearchParams({ ...form, ...more }) };
};

const basic = (id: string, secret: string): Readonly<Record<string, string>> => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});

/** Expects that a token request is refused with an error of RFC 6749. */
const refuses = (api: Api, more: Readonly<Record<string, string>>, status: number, error: string) =>
  api.call('issueToken', grant(api, more), { status, body: { error, error_description: someText } });

const ISSUING = reading(
  'issueToken',
  test('A client gets a bearer token for its id and secret, and can call the API with it', async (api) => {
    const token = { access_token: someText, token_type: 'Bearer', scope: aText(/^/) };
    const { body } = await api.call('issueToken', grant(api), { body: token });
    await api.call('listConnectedAccounts', { token: textAt(body, 'access_token') });
  }).promised('E3'),
  test('A client may send its id and secret by HTTP Basic', (api) =>
    api.call('issueToken', {
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
      headers: basic(api.target.clientId, api.target.clientSecret),
    })).inferred('E3'),
  ...['grant_type', 'client_id', 'client_secret'].map((field) =>
    test(`A token request without ${field} is refused`, (api) =>
      refuses(api, { [field]: '' }, 400, 'invalid_request')).inferred('R3'),
  ),
  test('A token request with a grant_type other than client_credentials is refused', (api) =>
    refuses(api, { grant_type: 'password' }, 400, 'unsupported_grant_type')).inferred('R3'),
  test('A token request with a wrong secret or an unknown client is refused', async (api) => {
    await refuses(api, { client_secret: 'not the secret' }, 401, 'invalid_client');
    await refuses(api, { client_id: 'conformance-nobody' }, 401, 'invalid_client');
  }).inferred('R3'),
);

const ALTERED: Readonly<Record<string, (parts: readonly string[]) => string>> = {
  'without a signature': ([, claims]) => `${TOKEN_PARTS.unsigned}.${claims}.`,
  'with changed claims': ([header, , signature]) => `${header}.${TOKEN_PARTS.claims}.${signature}`,
  'that was cut short': (parts) => parts.join('.').slice(0, -4),
};

const BAD_TOKENS = reading(
  'listConnections',
  ...Object.entries(ALTERED).map(([how, alter]) =>
    test(`A call with a token ${how} answers 401`, async (api) => {
      const { body } = await api.call('issueToken', grant(api));
      const token = alter(textAt(body, 'access_token').split('.'));
      await api.call('listConnections', { token }, 401);
    }).promised('E3'),
  ),
  test('A call with an authorization scheme other than Bearer answers 401', (api) => {
    const headers = basic(api.target.clientId, 'anything');
    return api.call('listConnections', { token: null, headers }, 401);
  }).promised(),
);

const DISCOVERY = [
  ...reading(
    'getKeys',
    test('The signing keys of the service can be read without a token', (api) =>
      api.call('getKeys', {}, { body: { keys: [{ kty: someText }] } })).inferred('E3'),
  ),
  ...reading(
    'getOpenIdConfiguration',
    test('The discovery document names the token endpoint and the address of the keys', (api) => {
      const body = { issuer: someText, token_endpoint: aText(/\/oauth\/token$/), jwks_uri: aText(/\/keys$/) };
      return api.call('getOpenIdConfiguration', {}, { body });
    }).inferred('E3'),
  ),
];

const LIST = '/api/v1/connected_accounts';

const PATHS = reading(
  'listConnectedAccounts',
  ...['/api/v1/connected_acounts', `${LIST}/`, LIST.toUpperCase()].map((url) =>
    test(`The unknown path ${url} answers 404, even without a token`, (api) => {
      const unknown = { status: 404, error: 'PATH_NOT_FOUND' } as const;
      return api.call('listConnectedAccounts', { url, token: null }, unknown);
    }).inferred('T4'),
  ),
  test('A reply has the content type of JSON', (api) => {
    const headers = { 'content-type': aText(/^application\/json\b/) };
    return api.call('listConnectedAccounts', {}, { headers });
  }).promised(),
  test('A path may have %3A in place of its colon', async (api) => {
    await api.call('searchConnectedAccounts', { url: `${LIST}%3Asearch?query=conformance` });
    const call = { url: `${LIST}%3Adelete`, body: { id: UNKNOWN.account } };
    await api.call('deleteConnectedAccount', call, 404);
  }).inferred('T4', 'T7'),
);

const BODIES = reading(
  'deleteConnectedAccount',
  ...Object.entries({
    'A body that is not JSON': { body: '{"id": ' },
    'A body with the media type text/plain': { body: 'id=ca_1', headers: { 'content-type': 'text/plain' } },
    'A body that is a list': { body: [] },
    'A body in which a member name appears twice': { body: '{"id":"ca_1","id":"ca_2"}' },
  }).map(([body, call]) => {
    const refused = test(`${body} is refused`, (api) => api.call('deleteConnectedAccount', call, 400));
    return refused.inferred('T4', 'T5', 'T10');
  }),
  test('A request body of more than 1 MiB answers 413', (api) => {
    const body = { id: 'x'.repeat(1024 * 1024 + 1) };
    return api.call('deleteConnectedAccount', { body }, 413);
  }).inferred('T4'),
  test('An empty request body counts as an empty object', (api) =>
    api.refuses('verifyConnectedAccountUser', { body: '' }, 'auth_request_id', 'identifier')).inferred('T5'),
  test('An error message never repeats a credential from the request', (api) => {
    const connected_account = { authorization_details: { oauth_token: { access_token: 4815162342 } } };
    const body = { id: UNKNOWN.account, connected_account };
    const message = aText(/^(?!.*4815162342)/s);
    return api.call('updateConnectedAccount', { body }, { status: 400, body: { message } });
  }).inferred('R2'),
);

const QUERIES = reading(
  'listConnectedAccounts',
  ...["identifier=a@b:c,d*e'f/g", 'organization_id=&query=', 'pageSize=1&organizationId=org_1'].map((query) =>
    test(`A call for a list of accounts may have the query ${query}`, (api) =>
      api.call('listConnectedAccounts', { url: `${LIST}?${query}` })).inferred('T3', 'T7'),
  ),
  test('If two fields break the contract, one error answer lists both', (api) => {
    const query = { identifier: 'x'.repeat(101), page_size: 101 };
    return api.refuses('listConnectedAccounts', { query }, 'identifier', 'page_size');
  }).inferred('R1'),
  test('If two fields break rules that an OpenAPI schema cannot express, one error answer lists both', (api) => {
    const query = { connector: 'one', connection_names: 'other', page_token: 'none' };
    return api.refuses('listConnectedAccounts', { query }, 'connection_names', 'page_token');
  }).inferred('R1', 'A1'),
);

/** Cases about error bodies: behaviour R1 requires members that the API's description makes optional. */
const ERRORS = reading(
  'resendInvite',
  test('The body of an error about a membership repeats the fields of details[0] at the top level', (api) => {
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

export const REQUEST_FLOWS = [ISSUING, BAD_TOKENS, DISCOVERY, PATHS, BODIES, QUERIES, ERRORS].flat();
