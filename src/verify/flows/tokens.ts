/** Access tokens: how they are issued and refused. */
import { type Case, reading, test } from '../case.ts';
import { textAt, tokenPart } from '../client.ts';
import { aCount, aText, someText } from '../matchers.ts';
import type { Service } from '../service.ts';

const grant = ({ clientId, clientSecret }: Service): Readonly<Record<string, string>> => ({
  grant_type: 'client_credentials',
  client_id: clientId,
  client_secret: clientSecret,
});

const basic = (id: string, secret: string): Readonly<Record<string, string>> => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});

/** Expects that a token request is refused with an error of RFC 6749. */
const refuses = (service: Service, more: Readonly<Record<string, string>>, status: number, error: string) =>
  service.call(
    'issueToken',
    { form: { ...grant(service), ...more } },
    { status, body: { error, error_description: someText } },
  );

const ISSUING = reading(
  'issueToken',
  test('A client gets a bearer token for its id and secret, and can call the API with it', async (service) => {
    const token = { access_token: someText, token_type: 'Bearer', expires_in: aCount, scope: aText(/^/) };
    const { body } = await service.call('issueToken', { form: grant(service) }, { body: token });
    await service.call('listConnectedAccounts', { token: textAt(body, 'access_token') });
  }).promised('E3'),
  test('A client may send its id and secret by HTTP Basic', (service) =>
    service.call('issueToken', {
      form: { grant_type: 'client_credentials' },
      headers: basic(service.clientId, service.clientSecret),
    })).inferred('E3'),
  ...['grant_type', 'client_id', 'client_secret'].map((field) =>
    test(`A token request without ${field} is refused`, (service) =>
      refuses(service, { [field]: '' }, 400, 'invalid_request')).inferred('R3'),
  ),
  test('A token request with a grant_type other than client_credentials is refused', (service) =>
    refuses(service, { grant_type: 'password' }, 400, 'unsupported_grant_type')).inferred('R3'),
  test('A token request with a wrong secret or an unknown client is refused', async (service) => {
    await refuses(service, { client_secret: 'not the secret' }, 401, 'invalid_client');
    await refuses(service, { client_id: 'conformance-nobody' }, 401, 'invalid_client');
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
    test(`A call with a token ${how} answers 401`, async (service) => {
      const { body } = await service.call('issueToken', { form: grant(service) });
      const token = alter(textAt(body, 'access_token').split('.'));
      await service.call('listConnections', { token }, 401);
    }).promised('E3'),
  ),
  test('A call with an authorization scheme other than Bearer answers 401', (service) =>
    service.call(
      'listConnections',
      { token: null, headers: basic(service.clientId, 'anything') },
      401,
    )).promised(),
);

const DISCOVERY = [
  ...reading(
    'getKeys',
    test('The signing keys of the service can be read without a token', (service) =>
      service.call('getKeys', {}, { body: { keys: [{ kty: someText }] } })).inferred('E3'),
  ),
  ...reading(
    'getOpenIdConfiguration',
    test('The discovery document names the token endpoint and the address of the keys', (service) => {
      const body = {
        issuer: someText,
        token_endpoint: aText(/\/oauth\/token$/),
        jwks_uri: aText(/\/keys$/),
      };
      return service.call('getOpenIdConfiguration', {}, { body });
    }).inferred('E3'),
  ),
];

export const TOKEN_FLOWS: readonly Case[] = [...ISSUING, ...REFUSING, ...DISCOVERY];
