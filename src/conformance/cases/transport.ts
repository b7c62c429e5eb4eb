/** What holds for every operation: paths, methods, bodies, queries, headers. */
import { anAccount } from '../arrange.ts';
import { type Case, define } from '../case.ts';
import { absent, aText, someText } from '../pattern.ts';
import { SAMPLES, UNKNOWN } from '../samples.ts';

const LIST = '/api/v1/connected_accounts';

const unknownPath = (name: string, url: string): Case =>
  define({
    name,
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['T4'],
    send: () => ({ url }),
    status: 404,
    error: 'PATH_NOT_FOUND',
  });

/** A body that an operation cannot read. */
const unreadable = (name: string, rule: 'T4' | 'T10', text: string, type = 'application/json'): Case =>
  define({
    name,
    operationId: 'deleteConnectedAccount',
    basis: 'inferred',
    cites: [rule],
    send: () => ({ text, headers: { 'content-type': type } }),
    status: 400,
  });

const rawQuery = (name: string, rule: 'T3' | 'T7' | 'T2', query: string): Case =>
  define({
    name,
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: [rule],
    send: () => ({ url: `${LIST}?${query}` }),
    status: 200,
  });

const strict = { 'x-mock-strict': '1' };

export const TRANSPORT_CASES = [
  unknownPath('An unknown path is not found, in words of its own', '/api/v1/connected_acounts'),
  unknownPath('A path with a slash at its end is another path', `${LIST}/`),
  unknownPath('A path in other letters is another path', LIST.toUpperCase()),
  define({
    name: 'A method that a path does not have is not implemented, and Allow names those it has',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['T4'],
    send: () => ({ method: 'PATCH', body: {} }),
    status: 501,
    headers: { allow: aText(/GET/) },
  }),
  define({
    name: 'An unknown path is said before a missing token',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['T4'],
    send: () => ({ url: '/api/v1/nothing', token: null }),
    status: 404,
    error: 'PATH_NOT_FOUND',
  }),
  define({
    name: 'A missing token is said before a wrong body',
    operationId: 'deleteConnectedAccount',
    basis: 'inferred',
    cites: ['T4'],
    send: () => ({ token: null, text: '{', headers: { 'content-type': 'application/json' } }),
    status: 401,
  }),
  define({
    name: 'The colon of :search may be written %3A',
    operationId: 'searchConnectedAccounts',
    basis: 'inferred',
    cites: ['T4', 'T7'],
    send: () => ({ url: `${LIST}%3Asearch?query=conformance` }),
    status: 200,
  }),
  define({
    name: 'The colon of :delete may be written %3A',
    operationId: 'deleteConnectedAccount',
    basis: 'inferred',
    cites: ['T4', 'T7'],
    send: () => ({ url: `${LIST}%3Adelete`, body: { id: UNKNOWN.account } }),
    status: 404,
    error: 'NOT_FOUND',
  }),
  define({
    name: 'HEAD answers as GET does, without a body',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['T6'],
    send: () => ({ method: 'HEAD' }),
    status: 200,
    headers: { 'x-request-id': someText },
  }),
  define({
    name: 'OPTIONS answers the preflight of a browser',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['T6'],
    send: () => ({
      method: 'OPTIONS',
      token: null,
      headers: {
        origin: 'https://client.test',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization',
      },
    }),
    status: 204,
    headers: {
      'access-control-allow-origin': 'https://client.test',
      'access-control-allow-methods': aText(/PUT/),
      'access-control-allow-headers': aText(/authorization/i),
    },
  }),
  define({
    name: 'An error can be read by a page of another origin too',
    operationId: 'getConnectedAccountDetails',
    basis: 'inferred',
    cites: ['T6'],
    send: () => ({ ...SAMPLES.getConnectedAccountDetails, headers: { origin: 'https://client.test' } }),
    status: 404,
    headers: {
      'access-control-allow-origin': 'https://client.test',
      'access-control-expose-headers': aText(/X-Request-Id/i),
    },
  }),
  define({
    name: 'Every reply names its request, and an error repeats the name',
    operationId: 'getConnectedAccountDetails',
    basis: 'inferred',
    cites: ['T8', 'R1'],
    send: () => SAMPLES.getConnectedAccountDetails,
    status: 404,
    headers: { 'x-request-id': aText(/^req_/) },
    body: { details: [{ request_info: { request_id: aText(/^req_/) } }] },
  }),
  define({
    name: 'An error of the identity area has its members at the top too',
    operationId: 'deleteMembership',
    basis: 'inferred',
    cites: ['Errors', 'R1'],
    send: () => SAMPLES.deleteMembership,
    status: 404,
    body: {
      error_code: 'NOT_FOUND',
      request_info: { request_id: someText },
      resource_info: { resource_name: someText },
    },
  }),
  define({
    name: 'A body of no length is an empty object, and validated as one',
    operationId: 'verifyConnectedAccountUser',
    basis: 'inferred',
    cites: ['T5'],
    send: () => ({ text: '' }),
    status: 400,
    violates: 'auth_request_id',
  }),
  unreadable('A body that is no JSON is refused', 'T4', '{"id": '),
  unreadable('A body of another media type is refused', 'T4', 'id=ca_1', 'text/plain'),
  unreadable('A body that is no object is refused', 'T4', '[]'),
  unreadable(
    'A member named __proto__ is refused anywhere in a body',
    'T10',
    '{"api":{"__proto__":{"a":1}}}',
  ),
  define({
    name: 'Members named like those of a prototype are data like any other',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['T10'],
    needs: ['write'],
    send: ({ connector, unique }) => ({
      body: {
        connector: connector('OAUTH'),
        identifier: unique,
        connected_account: { api_config: { constructor: 'mine', toString: 'mine too' } },
      },
    }),
    status: 201,
    body: { connected_account: { api_config: { constructor: 'mine', toString: 'mine too' } } },
  }),
  rawQuery('Reserved characters in a query value are taken as they are', 'T7', "identifier=a@b:c,d*e'f/g"),
  rawQuery('An empty query value counts as absent', 'T7', 'organization_id=&query=&page_size='),
  rawQuery('A query parameter may be written in lowerCamelCase', 'T3', 'pageSize=1&organizationId=org_1'),
  rawQuery('An unknown query parameter is ignored', 'T2', 'colour=blue'),
  define({
    name: 'A plus in a query value is a space',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['T7'],
    needs: ['write'],
    arrange: async (session) => {
      const identifier = `${session.unique} with spaces`;
      const body = { connector: session.connector('API_KEY'), identifier };
      await session.obtain('createConnectedAccount', { body }, 201);
      return identifier;
    },
    send: ({ given }) => ({ url: `${LIST}?identifier=${given.replaceAll(' ', '+')}` }),
    status: 200,
    body: { total_size: 1 },
  }),
  define({
    name: 'A lowerCamelCase parameter is held to the same limits',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['T3', 'I3'],
    send: () => ({ url: `${LIST}?pageSize=101` }),
    status: 400,
    violates: 'page_size',
  }),
  define({
    name: 'An unknown member of a body is ignored',
    operationId: 'updateConnectedAccount',
    basis: 'inferred',
    cites: ['T2'],
    needs: ['write'],
    arrange: anAccount('OAUTH'),
    send: ({ given }) => ({ body: { id: given.id, colour: 'blue', connected_account: { colour: 'blue' } } }),
    status: 200,
    body: { connected_account: { colour: absent } },
  }),
  define({
    name: 'In strict mode an unknown query parameter is refused by name',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['T2'],
    needs: ['control'],
    send: () => ({ url: `${LIST}?conector=mail`, headers: strict }),
    status: 400,
    violates: 'conector',
  }),
  define({
    name: 'In strict mode an unknown member of a body is refused by name',
    operationId: 'deleteConnectedAccount',
    basis: 'inferred',
    cites: ['T2'],
    needs: ['control'],
    send: () => ({ body: { id: UNKNOWN.account, identifer: 'ada' }, headers: strict }),
    status: 400,
    violates: 'identifer',
  }),
  define({
    name: 'Times are RFC 3339 in UTC with milliseconds',
    operationId: 'getConnectedAccountDetails',
    basis: 'inferred',
    cites: ['T9'],
    needs: ['write'],
    arrange: anAccount('OAUTH'),
    send: ({ given }) => ({ query: { id: given.id } }),
    status: 200,
    body: { connected_account: { updated_at: aText(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) } },
  }),
  define({
    name: 'All that is wrong with a request is said at once',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['T4', 'R1'],
    send: () => ({ query: { organization_id: 'acme', page_size: 101 } }),
    status: 400,
    body: {
      details: [
        {
          validation_error_info: { field_violations: [{ field: 'organization_id' }, { field: 'page_size' }] },
        },
      ],
    },
  }),
  define({
    name: 'A reply that is asked for by Prefer changes nothing',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['T4'],
    needs: ['write', 'control'],
    send: ({ connector, unique }) => ({
      body: { connector: connector('OAUTH'), identifier: unique },
      headers: { prefer: 'code=500' },
    }),
    status: 500,
    headers: { 'preference-applied': someText },
    afterwards: [
      {
        operationId: 'getConnectedAccountDetails',
        send: ({ connector, unique }) => ({ query: { connector: connector('OAUTH'), identifier: unique } }),
        status: 404,
      },
    ],
  }),
  define({
    name: 'A client that calls too often is told how long to wait',
    operationId: 'listConnections',
    basis: 'promised',
    cites: ['Errors', 'X2'],
    needs: ['control'],
    arrange: ({ control }) => control.change({ rate_limit: { requests: 1, per: '1h' } }),
    send: () => ({}),
    status: 200,
    afterwards: [{ send: () => ({}), status: 429, headers: { 'retry-after': aText(/^\d+$/) } }],
  }),
];
