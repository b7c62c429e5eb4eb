/** Requests in general: paths, methods, headers, bodies, queries and errors; tokens and their keys. */
import { answer, calls, inferred, NOTHING, promised, refused, sends, table, type Wanted } from '../case.ts';
import { like, listOf, someText } from '../matchers.ts';
import type { SentCall } from '../request.ts';

const { verifyConnectedAccountUser, updateConnectedAccount, resendInvite } = calls;
const { listAuthenticationRequests, createConnectedAccount, issueToken } = calls;
export const lists = (call: SentCall, wanted?: Wanted) => sends('listConnectedAccounts', call, wanted);
const deletes = (call: SentCall, wanted: Wanted) => sends('deleteConnectedAccount', call, wanted, NOTHING);

const LIST = '/api/v1/connected_accounts';
const NOBODY = 'ca_999999999999999999';
const OWN = { connector: '{API_KEY.key_id}', identifier: '{unique}' };
const MEMBER = { organization_id: 'org_999', id: 'usr_999999999999999999' };
const ODD = { api_config: { constructor: 'a', toString: null, deep: [null] } };
const ORIGIN = { origin: 'https://app.test' };
const PREFLIGHT = { ...ORIGIN, 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-own, b' };

const x = (length: number) => 'x'.repeat(length);
const PAIR = { connector: 'mail', identifier: 'nobody' };
const FILTERS = { page_size: [-1, 101], organization_id: x(33), user_id: x(33), connector: x(401), identifier: x(101),
  provider: x(51), query: x(201), connection_names: [Array.from({ length: 21 }, (_, nth) => `n${nth}`)] };
/** Values just outside the limits that the rules state. What `every.ts` makes follows the contract, right or wrong. */
const OUTSIDE = [
  [calls.listConnectedAccounts, {}, FILTERS],
  [calls.searchConnectedAccounts, { query: 'some' }, { page_size: [0, 31], query: ['ab', x(201)], connection_id: x(33) }],
  [calls.getConnectedAccountDetails, {}, { id: ['conn_1', `ca_${x(30)}`] }],
  [calls.createMagicLink, PAIR, { state: x(513), user_verify_url: `https://client.test/${x(2_048)}` }],
  [calls.verifyConnectedAccountUser, { ...PAIR, auth_request_id: 'a' }, { identifier: x(201), auth_request_id: x(1_001) }],
  [calls.createCustomProvider, { display_name: 'A', proxy_url: 'https://a.test', auth_patterns: [] },
    { display_name: x(201), proxy_url: `https://${x(2_041)}` }],
  [calls.resendInvite, MEMBER, { organization_id: ['acme', `org_${x(29)}`], id: ['usr_1', `usr_${x(22)}`] }],
  [calls.listConnections, {}, { domain: x(33) }], [calls.listAuthenticationRequests, {}, { page_size: [-1, 'ten'] }],
] as unknown as readonly [typeof calls.getConnectedAccountAuth, object, object][]; // each takes its own names

export const GRANT = { grant_type: 'client_credentials', client_id: '{clientId}', client_secret: '{clientSecret}' };
const CAMEL = { grantType: 'client_credentials', clientId: '{clientId}', clientSecret: '{clientSecret}' };
/** The error of RFC 6749, in place of the usual one. */
const error = (status: number, code: string) => answer(status, { error: code, error_description: someText });
const grants = (body: object, wanted: Wanted, headers = {}) => sends('issueToken', { body, headers }, wanted);
export const callsWith = (token: string | null, wanted?: Wanted) => sends('listConnections', { token }, wanted);
const BASIC = { authorization: 'Basic {basic}' };

export const REQUESTS = table([
  'listConnectedAccounts',
  promised('', 'A reply has the content type of JSON',
    lists({}, answer(200, {}, { 'content-type': like(/^application\/json\b/) }))),
  inferred('I2 I3 I5', 'A value just outside the limits of the rules is refused', OUTSIDE.map(([send, more, values]) =>
    Object.entries(values).map(([name, all]) => [all].flat().map((value) => send({ ...more, [name]: value }, [name]))))),
  inferred('T4', 'An unknown path answers 404 even without a token, and names the nearest operation',
    lists({ url: '/api/v1/connected_acounts', token: null }, refused('PATH_NOT_FOUND', `GET ${LIST}?`)),
    [`${LIST}/`, LIST.toUpperCase()].map((url) => lists({ url, token: null }, refused('PATH_NOT_FOUND')))),
  inferred('T4 T6', 'A wrong method answers 501 before the token is read, and OPTIONS as a browser needs it',
    lists({ method: 'PATCH', token: null, body: {} }, answer(501, { code: 12 }, { allow: like(/get/i) })),
    lists({ method: 'OPTIONS', token: null, headers: PREFLIGHT }, answer(204, {}, {
      'access-control-allow-origin': ORIGIN.origin, 'access-control-allow-headers': 'x-own, b',
      'access-control-allow-methods': like(/get/i) }))),
  inferred('T4', 'A bad token is refused before a body that is not JSON, and that before the contract',
    deletes({ body: '{"id": ', token: null }, 401), deletes({ body: '{"id": ' }, refused('INVALID_ARGUMENT', 'JSON'))),
  inferred('T7 T3', 'A query may have raw characters, empty values, a plus for a space, and names in camelCase',
    ["identifier=a@b:c,d*e'f/g", 'organization_id=&query=', 'pageSize=1&organizationId=org_1'].map((query) =>
      lists({ query })),
    ['True', 'f', '0'].map((value) => sends('createMembership', { path: { ...MEMBER, organization_id: 'org_9' },
      query: `send_invitation_email=${value}`, body: {} }, 404))),
  inferred('T7', 'A path may have %3A in place of its colon',
    sends('searchConnectedAccounts', { url: `${LIST}%3Asearch?query=conformance` }),
    deletes({ url: `${LIST}%3Adelete`, body: { id: NOBODY } }, 404)),
  inferred('R1 A1', 'One error names all fields that break the contract; if none does, all that break another rule',
    lists({ query: { identifier: x(101), page_size: 101 } }, ['identifier', 'page_size']),
    lists({ query: 'connector=one&connection_names=other&page_token=none' }, ['connection_names', 'page_token'])),
  inferred('T9', 'Times are in UTC, with milliseconds and Z',
    lists({}, { connected_accounts: listOf({ updated_at: like(/[.]\d{3}Z$/) }) }),
    listAuthenticationRequests({}, { authRequests: listOf({ timestamp: like(/[.]\d{3}Z$/) }) })),
  'deleteConnectedAccount',
  ...Object.entries<SentCall>({
    'A body that is not JSON': { body: '{"id": ' },
    'A body with the media type text/plain': { body: 'id=ca_1', headers: { 'content-type': 'text/plain' } },
    'A body that is a list': { body: [] },
    'A body in which a member name appears twice': { body: '{"id":"ca_1","id":"ca_2"}' },
    'A text with half a surrogate pair': { body: '{"id":"\\ud83d"}' },
    'A body with a member __proto__ at any depth': { body: `{"id":"${NOBODY}","more":{"__proto__":1}}` },
  }).map(([what, call]) => inferred('I2 T4 T5 T10', `${what} is refused`, deletes(call, 400))),
  inferred('T4', 'A request body of more than 1 MiB answers 413',
    deletes({ body: { id: x(1024 * 1024 + 1) } }, answer(413, { code: 3 }))),
  'verifyConnectedAccountUser',
  inferred('T5', 'An empty request body counts as an empty object, whatever its content type',
    verifyConnectedAccountUser({}, ['auth_request_id', 'identifier']),
    ['text/plain', 'application/json'].map((type) => sends('verifyConnectedAccountUser',
      { body: '', headers: { 'content-type': type } }, ['auth_request_id', 'identifier']))),
  'updateConnectedAccount',
  inferred('R2', 'An error message never repeats a credential from the request',
    updateConnectedAccount({ id: NOBODY, connected_account: { authorization_details: {
      oauth_token: { access_token: 4815162342 } } } }, answer(400, { message: like(/^(?!.*4815162342)/s) }))),
  'createConnectedAccount',
  inferred('T3', 'Members in camelCase are read at any depth, and a member in both spellings is refused',
    sends('createConnectedAccount', { body: { ...OWN, organizationId: 'acme',
      connectedAccount: { apiConfig: { keptAsIs: 1 } } } }, { api_config: { keptAsIs: 1 } }),
    lists({ query: 'organizationId=acme&identifier={unique}' }, { total_size: 1 }),
    sends('createConnectedAccount', { body: { connector: 'x', identifier: 'y', user_id: 'a', userId: 'b' } }, 400)),
  inferred('T3', 'A query parameter in both spellings counts in the spelling of the contract, in either order',
    createConnectedAccount(OWN), lists({ query: 'userId=nobody&user_id=&identifier={unique}' }, { total_size: 0 }),
    ['pageSize=x&page_size=1', 'page_size=1&pageSize=x'].map((sizes) =>
      lists({ query: `identifier={unique}&${sizes}` }, { total_size: 1 }))),
  inferred('T5 T10', 'Null and names such as constructor are kept in free-form members',
    createConnectedAccount({ ...OWN, connected_account: ODD }, ODD)),
  'resendInvite',
  inferred('R1', 'An error of the identity area repeats the members of details[0], such as a violation in full, at the top',
    resendInvite(MEMBER, answer(404, { error_code: 'NOT_FOUND', request_info: { request_id: someText },
      resource_info: { resource_name: someText }, localized_message_info: { locale: someText, message: someText } })),
    resendInvite({ ...MEMBER, organization_id: 'acme' }, answer(400, { validation_error_info: {
      field_violations: [{ field: 'organization_id', constraint: someText, description: someText }] } }))),
  'issueToken',
  promised('E3', 'A client gets a bearer token for its id and secret, and can call the API with it',
    issueToken(GRANT, { access_token: someText, token_type: 'Bearer', scope: like(/^/) }), callsWith('{access_token}')),
  inferred('E3', 'A client may send its id and secret by HTTP Basic, and empty fields beside it',
    [{ grant_type: 'client_credentials' }, { ...GRANT, client_id: '', client_secret: '' }].map((body) =>
      grants(body, {}, BASIC))),
  inferred('R3', 'A token request without a field, with another grant or a wrong secret is refused as RFC 6749 says',
    Object.keys(GRANT).map((name) => issueToken({ ...GRANT, [name]: '' }, error(400, 'invalid_request'))),
    issueToken({ ...GRANT, grant_type: 'password' }, error(400, 'unsupported_grant_type')),
    [{ client_secret: 'not the secret' }, { client_id: 'conformance-nobody' }].map((wrong) =>
      issueToken({ ...GRANT, ...wrong }, error(401, 'invalid_client')))),
  inferred('T3', 'The fields of a token request may be in lowerCamelCase, but not in both spellings',
    grants(CAMEL, { access_token: someText }), grants({ ...CAMEL, ...GRANT }, error(400, 'invalid_request')),
    grants({ ...CAMEL, clientSecret: 'no' }, error(401, 'invalid_client'))),
  'listConnections',
  promised('E3', 'A token without a signature, with other claims, cut short or of another scheme answers 401',
    issueToken(GRANT), ['unsigned', 'altered', 'cut'].map((way) => callsWith(`{access_token|${way}}`, 401)),
    sends('listConnections', { token: null, headers: BASIC }, 401)),
  'getOpenIdConfiguration',
  inferred('E3', 'The discovery document names the token endpoint and the address of the keys',
    calls.getOpenIdConfiguration({}, { issuer: someText, token_endpoint: like(/\/oauth\/token$/), jwks_uri: like(/\/keys$/) })),
]);
