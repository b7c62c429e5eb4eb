/** What only a mock has: strict mode, names of environments, and tokens by its clock and settings. */
import { answer, calls, inferred, later, NOTHING, refused, sends, table,
  type Wanted } from '../../../src/conformance/case.ts';
import { callsWith, GRANT, lists } from '../../../src/conformance/cases/requests.ts';
import { exactly, like, not, someText, whole } from '../../../src/conformance/matchers.ts';
import { camelCase } from '../../../src/engine/core/text.ts';
import { given, jwt, STRICT, sets, setsClock } from '../steps.ts';

const { issueToken } = calls;
const strictly = (query: string, wanted: Wanted) => lists({ query, headers: STRICT }, wanted);
const [NOON, LATE, DAY] = [Date.UTC(2026, 2, 1, 12) / 1000, Date.UTC(2999) / 1000, 86_400] as const;
/** A client of the case, beside the one of the scenario. */
const CLIENT = { client_id: 'own-{environment}', client_secret: 'secret' };

export const REQUESTS = table([
  'listConnectedAccounts',
  inferred('T2 T3', 'In strict mode a misspelt parameter is refused, with the nearest, and so is a name in both spellings',
    lists({ query: 'connectr=mail' }), strictly('connectr=mail', refused('INVALID_ARGUMENT', 'connector')),
    strictly('pageSize=1', refused('INVALID_ARGUMENT', 'page_size')), strictly('pageSize=1&page_size=1', ['pageSize']),
    Object.entries(GRANT).map(([name, value]) => sends('issueToken', { headers: STRICT,
      body: { ...GRANT, [name]: '', [camelCase(name)]: value } }, answer(400, { error: 'invalid_request' })))),
  inferred('E2', 'A call that names another environment than its token, or an empty name, answers 401',
    lists({ headers: { 'x-mock-environment': '{environment}' } }),
    ['production', '', ' '].map((name) => lists({ headers: { 'x-mock-environment': name } }, refused('UNAUTHENTICATED'))),
    lists({ headers: { baggage: 'mock-environment=production' } }, refused('UNAUTHENTICATED'))),
  'issueToken',
  inferred('E3', 'A token has the claims of its client and environment, for a day',
    issueToken(GRANT, { token_type: 'Bearer', expires_in: DAY, scope: '', access_token: jwt(whole({
      iss: like(/^https?:/), sub: '{clientId}', client_id: '{clientId}', aud: ['{clientId}'], env: '{environment}',
      scope: '', scopes: [], iat: NOON, exp: NOON + DAY, jti: someText })) }, NOTHING)),
  inferred('E3', 'A token has the scope of its client, lasts as access_token_ttl says, and ends with its client',
    given({ clients: [{ ...CLIENT, scope: 'read write' }], settings: { access_token_ttl: '1h' } }),
    issueToken({ ...GRANT, ...CLIENT }, { expires_in: 3600, scope: 'read write', access_token: jwt(
      { scope: 'read write', scopes: exactly('read', 'write'), exp: NOON + 3600 }) }),
    given({ clients: [{ client_id: CLIENT.client_id, remove: true }] }),
    callsWith('{access_token}', refused('UNAUTHENTICATED', CLIENT.client_id))),
  inferred('E3', 'A token lasts a whole number of seconds, at least one, and is not ahead of any clock',
    setsClock('2026-03-01T12:00:00.999Z'), issueToken(GRANT, { access_token: jwt({ iat: NOON, exp: NOON + DAY }) }),
    setsClock('2999-01-01T00:00:00Z'), issueToken(GRANT, { access_token: jwt({ iat: not(LATE), exp: LATE + DAY }) }),
    callsWith('{access_token}'), setsClock('1970-01-01T00:00:00Z'), sets({ access_token_ttl: '1500ms' }),
    issueToken(GRANT, { expires_in: 1, access_token: jwt({ iat: 0, exp: 1 }) })),
  inferred('E3 T9', 'A token ends when the clock reaches its end, and is valid again when the clock is set back',
    issueToken(GRANT), setsClock('2026-03-02T11:59:59.999Z'), callsWith('{access_token}'), later('1ms'),
    callsWith('{access_token}', refused('UNAUTHENTICATED', 'expired at 2026-03-02T12:00:00.000Z')),
    setsClock('{now}'), callsWith('{access_token}')),
  'getKeys',
  inferred('E3', 'The one key, which is read without a token, is the RSA key that the header of a token names',
    calls.getKeys({}, { keys: exactly({ kty: 'RSA', use: 'sig', alg: 'RS256', kid: 'mock-key-1' }) })),
]);
