/** Access tokens: how they are issued, checked and refused. */
import type { Api } from '../api.ts';
import { type Case, group, inferred, promised } from '../case.ts';
import { textAt } from '../http.ts';
import { aText, atLeast, including, someText } from '../pattern.ts';

export const grant = ({ clientId, clientSecret }: Api): Readonly<Record<string, string>> => ({
  grant_type: 'client_credentials',
  client_id: clientId,
  client_secret: clientSecret,
});

const basic = (id: string, secret: string): Readonly<Record<string, string>> => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});

const aToken = async (api: Api): Promise<string> =>
  textAt(await api.obtain('issueToken', { form: grant(api) }), 'access_token');

const ISSUING = group({ about: 'issueToken' }, [
  promised('A client gets a bearer token for its id and secret', ['E3'], async (api) => {
    const { body } = await api
      .send({ form: grant(api) })
      .succeeds({ access_token: someText, token_type: 'Bearer', expires_in: atLeast(1), scope: aText(/^/) });
    await api.call('listConnectedAccounts', { token: textAt(body, 'access_token') }).succeeds();
  }),
  inferred('Id and secret may come by HTTP Basic', ['E3'], (api) =>
    api
      .send({
        form: { grant_type: 'client_credentials' },
        headers: basic(api.clientId, api.clientSecret),
      })
      .succeeds(),
  ),
  inferred('Other fields, such as scope, are ignored', ['E3'], (api) =>
    api
      .send({ form: { ...grant(api), scope: 'anything at all', audience: 'anyone' } })
      .succeeds({ expires_in: 86_400 }),
  ),
  inferred('A token request as JSON is refused', ['R3'], (api) =>
    api
      .send({ body: { grant_type: 'client_credentials' } })
      .answers(400, { body: { error: 'invalid_request' } }),
  ),
  ...['grant_type', 'client_id', 'client_secret'].map((field) =>
    inferred(`A request without ${field} is refused`, ['R3'], (api) => {
      const { [field]: _left_out, ...form } = grant(api);
      return isRefusedByRfc6749(api, form, 400, 'invalid_request');
    }),
  ),
  inferred('Another grant_type is refused', ['R3'], (api) =>
    isRefusedByRfc6749(api, { ...grant(api), grant_type: 'password' }, 400, 'unsupported_grant_type'),
  ),
  inferred('A wrong secret is refused', ['R3'], (api) =>
    isRefusedByRfc6749(api, { ...grant(api), client_secret: 'not the secret' }, 401, 'invalid_client'),
  ),
  inferred('A client that does not exist is refused', ['R3'], (api) =>
    isRefusedByRfc6749(api, { ...grant(api), client_id: 'conformance-nobody' }, 401, 'invalid_client'),
  ),
]);

const isRefusedByRfc6749 = (
  api: Api,
  form: Readonly<Record<string, string>>,
  status: 400 | 401,
  error: string,
) => api.send({ form }).answers(status, { body: { error, error_description: someText } });

const REFUSING = group({ about: 'listConnectedAccounts' }, [
  promised('Without a token the error body names UNAUTHENTICATED', [], (api) =>
    api
      .send({ token: null })
      .answers(401, { body: { details: including({ error_code: 'UNAUTHENTICATED' }) } }),
  ),
  inferred('A 401 says which scheme is expected', ['R1'], (api) =>
    api.send({ token: null }).answers(401, { headers: { 'www-authenticate': aText(/^Bearer/) } }),
  ),
  promised('Another scheme than Bearer is no token', [], (api) =>
    api.send({ token: null, headers: basic(api.clientId, 'anything') }).answers(401),
  ),
]);

/** The same JSON with other contents, between the dots of a token. */
const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

const withoutSignature = (token: string): string =>
  `${encode({ alg: 'none', typ: 'JWT' })}.${token.split('.')[1]}.`;

const withOtherClaims = (token: string): string => {
  const [header, , signature] = token.split('.');
  return `${header}.${encode({ sub: 'somebody', client_id: 'somebody', exp: 4_000_000_000 })}.${signature}`;
};

const FORGING = group({ about: 'listConnections' }, [
  promised('A token without a signature is refused', ['E3'], async (api) =>
    api.send({ token: withoutSignature(await aToken(api)) }).answers(401),
  ),
  promised('A token whose claims were changed is refused', ['E3'], async (api) =>
    api.send({ token: withOtherClaims(await aToken(api)) }).answers(401),
  ),
  promised('A token that was cut short is refused', ['E3'], async (api) =>
    api.send({ token: (await aToken(api)).slice(0, -4) }).answers(401),
  ),
]);

const ENDING = group({ about: 'listConnections', needs: ['control'] }, [
  inferred('A token ends after a day by the clock of its environment', ['E3', 'T9'], async (api) => {
    const token = await aToken(api);
    await api.mock.advance('24h');
    await api.send({ token }).answers(401);
  }),
]);

const DISCOVERY = [
  ...group({ about: 'getKeys' }, [
    inferred('The keys that tokens are signed with need no token', ['E3'], (api) =>
      api.send().succeeds({ keys: including({ kty: someText }) }),
    ),
  ]),
  ...group({ about: 'getOpenIdConfiguration' }, [
    inferred('Discovery names the token endpoint and the keys', ['E3'], (api) =>
      api.send().succeeds({
        issuer: someText,
        token_endpoint: aText(/\/oauth\/token$/),
        jwks_uri: aText(/\/keys$/),
      }),
    ),
  ]),
];

export const TOKEN_CASES: readonly Case[] = [...ISSUING, ...REFUSING, ...FORGING, ...ENDING, ...DISCOVERY];
