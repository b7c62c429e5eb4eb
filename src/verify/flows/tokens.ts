/** Access tokens: how they are issued and refused. */
import { type Case, inferred, promised, reading } from '../case.ts';
import { textAt } from '../client.ts';
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
  promised(
    'A client gets a bearer token for its id and secret, and can call the API with it',
    ['E3'],
    async (service) => {
      const token = { access_token: someText, token_type: 'Bearer', expires_in: aCount, scope: aText(/^/) };
      const { body } = await service.call('issueToken', { form: grant(service) }, { body: token });
      await service.call('listConnectedAccounts', { token: textAt(body, 'access_token') });
    },
  ),
  inferred('A client may send its id and secret by HTTP Basic', ['E3'], (service) =>
    service.call('issueToken', {
      form: { grant_type: 'client_credentials' },
      headers: basic(service.clientId, service.clientSecret),
    }),
  ),
  ...['grant_type', 'client_id', 'client_secret'].map((field) =>
    inferred(`A token request without ${field} is refused`, ['R3'], (service) =>
      refuses(service, { [field]: '' }, 400, 'invalid_request'),
    ),
  ),
  inferred('A token request with a grant_type other than client_credentials is refused', ['R3'], (service) =>
    refuses(service, { grant_type: 'password' }, 400, 'unsupported_grant_type'),
  ),
  inferred('A token request with a wrong secret or an unknown client is refused', ['R3'], async (service) => {
    await refuses(service, { client_secret: 'not the secret' }, 401, 'invalid_client');
    await refuses(service, { client_id: 'conformance-nobody' }, 401, 'invalid_client');
  }),
);

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Ways to alter a token so that the service must refuse it. */
const ALTERED: Readonly<Record<string, (parts: readonly string[]) => string>> = {
  'without a signature': ([, claims]) => `${encode({ alg: 'none', typ: 'JWT' })}.${claims}.`,
  'with changed claims': ([header, , signature]) =>
    `${header}.${encode({ sub: 'somebody', client_id: 'somebody', exp: 4_000_000_000 })}.${signature}`,
  'that was cut short': (parts) => parts.join('.').slice(0, -4),
};

const REFUSING = reading(
  'listConnections',
  ...Object.entries(ALTERED).map(([how, alter]) =>
    promised(`A call with a token ${how} answers 401`, ['E3'], async (service) => {
      const { body } = await service.call('issueToken', { form: grant(service) });
      const token = alter(textAt(body, 'access_token').split('.'));
      await service.call('listConnections', { token }, 401);
    }),
  ),
  promised('A call with an authorization scheme other than Bearer answers 401', [], (service) =>
    service.call('listConnections', { token: null, headers: basic(service.clientId, 'anything') }, 401),
  ),
);

const DISCOVERY = [
  ...reading(
    'getKeys',
    inferred('The signing keys of the service can be read without a token', ['E3'], (service) =>
      service.call('getKeys', {}, { body: { keys: [{ kty: someText }] } }),
    ),
  ),
  ...reading(
    'getOpenIdConfiguration',
    inferred(
      'The discovery document names the token endpoint and the address of the keys',
      ['E3'],
      (service) => {
        const body = {
          issuer: someText,
          token_endpoint: aText(/\/oauth\/token$/),
          jwks_uri: aText(/\/keys$/),
        };
        return service.call('getOpenIdConfiguration', {}, { body });
      },
    ),
  ),
];

export const TOKEN_FLOWS: readonly Case[] = [...ISSUING, ...REFUSING, ...DISCOVERY];
