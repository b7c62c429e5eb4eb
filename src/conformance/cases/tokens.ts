/** Access tokens, and the keys that sign them (behaviour E3, R3). */
import { advance, answer, calls, control, given, inferred, promised, refused, sends, table } from '../case.ts';
import { exactly, jwt, like, not, someText, whole } from '../matchers.ts';

const { issueToken, getKeys, getOpenIdConfiguration } = calls;
const GRANT = { grant_type: 'client_credentials', client_id: '{clientId}', client_secret: '{clientSecret}' };
const CAMEL = { grantType: 'client_credentials', clientId: '{clientId}', clientSecret: '{clientSecret}' };
/** The error of RFC 6749, in place of the usual one. */
const error = (status: number, code: string) => answer(status, { error: code, error_description: someText });
const lists = (token: string | null, wanted?: number | object) => sends('listConnections', { token }, wanted);
const asBasic = (basic: string) => ({ authorization: `Basic ${basic}` });
const NOON = Date.UTC(2026, 2, 1, 12) / 1000;
const LATE = Date.UTC(2999) / 1000;
const DAY = 86_400;
const setsClock = (now: string) => control('PUT /clock', { mode: 'frozen', now });
/** A client of the case, beside the one of the scenario. */
const OWN = { client_id: 'own-{environment}', client_secret: 'secret' };

export const TOKENS = table({
  issueToken: [
    promised('E3', 'A client gets a bearer token for its id and secret, and can call the API with it',
      issueToken(GRANT, { access_token: someText, token_type: 'Bearer', scope: like(/^/) }), lists('{access_token}')),
    inferred('E3', 'A client may send its id and secret by HTTP Basic, and empty fields beside it',
      ...[{ grant_type: 'client_credentials' }, { ...GRANT, client_id: '', client_secret: '' }].map((body) =>
        sends('issueToken', { body, headers: asBasic('{basic}') }))),
    inferred('R3', 'A token request without a field, with another grant or a wrong secret is refused as RFC 6749 says',
      ...Object.keys(GRANT).map((name) => issueToken({ ...GRANT, [name]: '' }, error(400, 'invalid_request'))),
      issueToken({ ...GRANT, grant_type: 'password' }, error(400, 'unsupported_grant_type')),
      ...[{ client_secret: 'not the secret' }, { client_id: 'conformance-nobody' }].map((wrong) =>
        issueToken({ ...GRANT, ...wrong }, error(401, 'invalid_client')))),
    inferred('E3', 'A token has the claims of its client and environment, for a day',
      given({}), issueToken(GRANT, { token_type: 'Bearer', expires_in: DAY, scope: '', access_token: jwt(whole({
        iss: like(/^https?:/), sub: '{clientId}', client_id: '{clientId}', aud: ['{clientId}'], env: '{environment}',
        scope: '', scopes: [], iat: NOON, exp: NOON + DAY, jti: someText })) }, { events: [], isUnchanged: true })),
    inferred('E3', 'A token has the scope of its client, lasts as access_token_ttl says, and ends with its client',
      given({ clients: [{ ...OWN, scope: 'read write' }], settings: { access_token_ttl: '1h' } }),
      issueToken({ ...GRANT, ...OWN }, { expires_in: 3600, scope: 'read write', access_token: jwt(
        { scope: 'read write', scopes: exactly('read', 'write'), exp: NOON + 3600 }) }),
      given({ clients: [{ client_id: OWN.client_id, remove: true }] }),
      lists('{access_token}', refused(401, 'UNAUTHENTICATED', OWN.client_id))),
    inferred('E3', 'A token lasts a whole number of seconds, at least one, and is not ahead of any clock',
      setsClock('2026-03-01T12:00:00.999Z'), issueToken(GRANT, { access_token: jwt({ iat: NOON, exp: NOON + DAY }) }),
      setsClock('2999-01-01T00:00:00Z'),
      issueToken(GRANT, { access_token: jwt({ iat: not(LATE), exp: LATE + DAY }) }), lists('{access_token}'),
      setsClock('1970-01-01T00:00:00Z'), given({ settings: { access_token_ttl: '1500ms' } }),
      issueToken(GRANT, { expires_in: 1, access_token: jwt({ iat: 0, exp: 1 }) })),
    inferred('T3', 'The fields of a token request may be in lowerCamelCase, but not in both spellings',
      sends('issueToken', { body: CAMEL }, { access_token: someText }),
      sends('issueToken', { body: { ...CAMEL, ...GRANT } }, error(400, 'invalid_request')),
      sends('issueToken', { body: { ...CAMEL, clientSecret: 'no' } }, error(401, 'invalid_client')),
      ...Object.keys(GRANT).map((name, nth) => sends('issueToken', { headers: { 'x-mock-strict': '1' },
        body: { ...GRANT, [name]: '', ...Object.fromEntries([Object.entries(CAMEL)[nth] ?? []]) } },
        error(400, 'invalid_request')))),
    inferred('E3 T9', 'A token ends when the clock reaches its end, and is valid again when the clock is set back',
      issueToken(GRANT), setsClock('2026-03-02T11:59:59.999Z'), lists('{access_token}'), advance('1ms'),
      lists('{access_token}', refused(401, 'UNAUTHENTICATED', 'expired at 2026-03-02T12:00:00.000Z')),
      setsClock('{now}'), lists('{access_token}')),
  ],
  listConnections: [
    promised('E3', 'A token without a signature, with other claims, cut short or of another scheme answers 401',
      issueToken(GRANT), ['unsigned', 'altered', 'cut'].map((way) => lists(`{access_token|${way}}`, 401)),
      sends('listConnections', { token: null, headers: asBasic('{basic}') }, 401)),
  ],
  getKeys: [
    inferred('E3', 'The signing keys of the service can be read without a token', getKeys({}, { keys: [{ kty: someText }] })),
    inferred('E3', 'The one key is the RSA key that the header of a token names',
      given({}), getKeys({}, { keys: exactly({ kty: 'RSA', use: 'sig', alg: 'RS256', kid: 'mock-key-1' }) })),
  ],
  getOpenIdConfiguration: [
    inferred('E3', 'The discovery document names the token endpoint and the address of the keys', getOpenIdConfiguration({},
      { issuer: someText, token_endpoint: like(/\/oauth\/token$/), jwks_uri: like(/\/keys$/) })),
  ],
});
