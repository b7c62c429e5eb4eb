/** Access tokens: how they are issued and refused. */
import { type Api, textAt } from '../api.ts';
import { reading, test } from '../case.ts';
import { aText, someText } from '../matchers.ts';
import { tokenPart } from '../samples.ts';

const grant = ({ target: { clientId, clientSecret } }: Api) => ({
  grant_type: 'client_credentials',
  client_id: clientId,
  client_secret: clientSecret,
});

const basic = (id: string, secret: string): Readonly<Record<string, string>> => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});

/** Expects that a token request is refused with an error of RFC 6749. */
const refuses = (api: Api, more: Readonly<Record<string, string>>, status: number, error: string) =>
  api.call(
    'issueToken',
    { body: new URLSearchParams({ ...grant(api), ...more }) },
    { status, body: { error, error_description: someText } },
  );

const ISSUING = reading(
  'issueToken',
  test('A client gets a bearer token for its id and secret, and can call the API with it', async (api) => {
    const token = { access_token: someText, token_type: 'Bearer', scope: aText(/^/) };
    const { body } = await api.call('issueToken', { body: new URLSearchParams(grant(api)) }, { body: token });
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

/** Ways to alter a token so that the service must refuse it. */
const ALTERED: Readonly<Record<string, (parts: readonly string[]) => string>> = {
  'without a signature': ([, claims]) => `${tokenPart({ alg: 'none', typ: 'JWT' })}.${claims}.`,
  'with changed claims': ([header, , signature]) =>
    `${header}.${tokenPart({ sub: 'somebody', client_id: 'somebody', exp: 4_000_000_000 })}.${signature}`,
  'that was cut short': (parts) => parts.join('.').slice(0, -4),
};

const REFUSING = reading(
  'listConnections',
  ...Object.entries(ALTERED).map(([how, alter]) =>
    test(`A call with a token ${how} answers 401`, async (api) => {
      const { body } = await api.call('issueToken', { body: new URLSearchParams(grant(api)) });
      const token = alter(textAt(body, 'access_token').split('.'));
      await api.call('listConnections', { token }, 401);
    }).promised('E3'),
  ),
  test('A call with an authorization scheme other than Bearer answers 401', (api) =>
    api.call(
      'listConnections',
      { token: null, headers: basic(api.target.clientId, 'anything') },
      401,
    )).promised(),
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
      const body = {
        issuer: someText,
        token_endpoint: aText(/\/oauth\/token$/),
        jwks_uri: aText(/\/keys$/),
      };
      return api.call('getOpenIdConfiguration', {}, { body });
    }).inferred('E3'),
  ),
];

export const TOKEN_FLOWS = [ISSUING, REFUSING, DISCOVERY].flat();
