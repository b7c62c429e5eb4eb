/** Access tokens: how they are issued, checked and refused. */
import { textAt } from '../call.ts';
import { type Case, define } from '../case.ts';
import { aText, atLeast, including, someText } from '../pattern.ts';
import type { Context, Session } from '../session.ts';

const grant = ({ clientId, clientSecret }: Context) => ({
  grant_type: 'client_credentials',
  client_id: clientId,
  client_secret: clientSecret,
});

const basic = (id: string, secret: string): Readonly<Record<string, string>> => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});

const issued = async (session: Session) =>
  textAt(await session.obtain('issueToken', { form: grant(session) }), 'access_token');

/** A token request that is refused as RFC 6749 says. */
const refused = (
  name: string,
  basis: 'promised' | 'inferred',
  change: Readonly<Record<string, string | undefined>>,
  [status, error]: readonly [400 | 401, string],
): Case =>
  define({
    name,
    operationId: 'issueToken',
    basis,
    cites: ['R3'],
    send: (context) => ({
      form: Object.fromEntries(
        Object.entries({ ...grant(context), ...change }).flatMap(([key, value]) =>
          value === undefined ? [] : [[key, value]],
        ),
      ),
    }),
    status,
    body: { error, error_description: someText },
  });

/** The same JSON with other contents, between the dots of a token. */
const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

const withoutSignature = (token: string): string =>
  `${encode({ alg: 'none', typ: 'JWT' })}.${token.split('.')[1]}.`;

const withOtherClaims = (token: string): string => {
  const [header, , signature] = token.split('.');
  return `${header}.${encode({ sub: 'somebody', client_id: 'somebody', exp: 4_000_000_000 })}.${signature}`;
};

const forged = (name: string, forge: (token: string) => string): Case =>
  define({
    name,
    operationId: 'listConnections',
    basis: 'promised',
    cites: ['authentication.invalid'],
    arrange: issued,
    send: ({ given }) => ({ token: forge(given) }),
    status: 401,
  });

export const TOKEN_CASES = [
  define({
    name: 'A client gets a bearer token for its id and secret',
    operationId: 'issueToken',
    basis: 'promised',
    cites: [
      'token.form',
      'token.access_token',
      'token.token_type',
      'token.expires_in',
      'token.scope',
      'authentication.client_credentials',
      'authentication.bearer',
    ],
    send: (context) => ({ form: grant(context) }),
    status: 200,
    body: { access_token: someText, token_type: 'Bearer', expires_in: atLeast(1), scope: aText(/^/) },
    afterwards: [
      {
        operationId: 'listConnectedAccounts',
        send: ({ last }) => ({ token: textAt(last.body, 'access_token') }),
        status: 200,
      },
    ],
  }),
  define({
    name: 'Id and secret may come by HTTP Basic',
    operationId: 'issueToken',
    basis: 'inferred',
    cites: ['E3'],
    send: ({ clientId, clientSecret }) => ({
      form: { grant_type: 'client_credentials' },
      headers: basic(clientId, clientSecret),
    }),
    status: 200,
  }),
  define({
    name: 'Other fields, such as scope, are ignored',
    operationId: 'issueToken',
    basis: 'inferred',
    cites: ['E3'],
    send: (context) => ({ form: { ...grant(context), scope: 'anything at all', audience: 'anyone' } }),
    status: 200,
    body: { expires_in: 86_400 },
  }),
  refused('A request without grant_type is refused', 'inferred', { grant_type: undefined }, [
    400,
    'invalid_request',
  ]),
  refused('Another grant_type is refused', 'inferred', { grant_type: 'password' }, [
    400,
    'unsupported_grant_type',
  ]),
  refused('A request without client_id is refused', 'inferred', { client_id: undefined }, [
    400,
    'invalid_request',
  ]),
  refused('A request without client_secret is refused', 'inferred', { client_secret: undefined }, [
    400,
    'invalid_request',
  ]),
  refused('A wrong secret is refused', 'inferred', { client_secret: 'not the secret' }, [
    401,
    'invalid_client',
  ]),
  refused('A client that does not exist is refused', 'inferred', { client_id: 'conformance-nobody' }, [
    401,
    'invalid_client',
  ]),
  define({
    name: 'A token request as JSON is refused',
    operationId: 'issueToken',
    basis: 'inferred',
    cites: ['token.form', 'R3'],
    send: () => ({ body: { grant_type: 'client_credentials' } }),
    status: 400,
    body: { error: 'invalid_request' },
  }),
  define({
    name: 'Without a token the error body names UNAUTHENTICATED',
    operationId: 'listConnectedAccounts',
    basis: 'promised',
    cites: ['errors.unauthenticated', 'errors.401', 'authentication.missing'],
    send: () => ({ token: null }),
    status: 401,
    error: 'UNAUTHENTICATED',
    body: { details: including({ error_code: 'UNAUTHENTICATED' }) },
  }),
  define({
    name: 'A 401 tells the scheme that is expected',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['R1'],
    send: () => ({ token: null }),
    status: 401,
    headers: { 'www-authenticate': aText(/^Bearer/) },
  }),
  define({
    name: 'Another scheme than Bearer is no token',
    operationId: 'listConnectedAccounts',
    basis: 'promised',
    cites: ['authentication.invalid'],
    send: ({ clientId }) => ({ token: null, headers: basic(clientId, 'anything') }),
    status: 401,
  }),
  forged('A token without a signature is refused', withoutSignature),
  forged('A token whose claims were changed is refused', withOtherClaims),
  forged('A token that was cut short is refused', (token) => token.slice(0, -4)),
  define({
    name: 'A token ends after a day by the clock of its environment',
    operationId: 'listConnections',
    basis: 'inferred',
    cites: ['E3', 'T9'],
    needs: ['control'],
    arrange: async (session) => {
      const token = await issued(session);
      await session.control.advance('24h');
      return token;
    },
    send: ({ given }) => ({ token: given }),
    status: 401,
  }),
  define({
    name: 'The keys that tokens are signed with need no token',
    operationId: 'getKeys',
    basis: 'inferred',
    cites: ['E3'],
    send: () => ({}),
    status: 200,
    body: { keys: including({ kty: someText }) },
  }),
  define({
    name: 'Discovery names the token endpoint and the keys',
    operationId: 'getOpenIdConfiguration',
    basis: 'inferred',
    cites: ['E3'],
    send: () => ({}),
    status: 200,
    body: { issuer: someText, token_endpoint: aText(/\/oauth\/token$/), jwks_uri: aText(/\/keys$/) },
  }),
];
