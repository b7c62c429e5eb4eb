/** What holds for every operation: paths, methods, headers, errors. */
import { anAccount } from '../arrange.ts';
import { type Case, define } from '../case.ts';
import { aText, not, someText } from '../pattern.ts';
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
    name: 'Paths begin with /api/v1, and their replies are JSON',
    operationId: 'listConnectedAccounts',
    basis: 'promised',
    cites: ['service.prefix', 'service.json', 'errors.200'],
    send: () => ({ url: LIST }),
    status: 200,
    headers: { 'content-type': aText(/^application\/json\b/) },
  }),
  define({
    name: 'A request without a body may say that it is JSON all the same',
    operationId: 'listConnectedAccounts',
    basis: 'promised',
    cites: ['authentication.content_type'],
    send: () => ({ headers: { 'content-type': 'application/json' } }),
    status: 200,
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
    afterwards: [
      {
        send: () => SAMPLES.getConnectedAccountDetails,
        status: 404,
        body: ({ last }) => ({
          details: [{ request_info: { request_id: not(String(last.headers['x-request-id'])) } }],
        }),
      },
    ],
  }),
  define({
    name: 'An error of the identity area has its members at the top too',
    operationId: 'deleteMembership',
    basis: 'inferred',
    cites: ['R1'],
    send: () => SAMPLES.deleteMembership,
    status: 404,
    body: {
      error_code: 'NOT_FOUND',
      request_info: { request_id: someText },
      resource_info: { resource_name: someText },
    },
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
    send: () => ({ query: { organization_id: 'acme.test', page_size: 101 } }),
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
    cites: ['errors.429', 'X2'],
    needs: ['control'],
    arrange: ({ control }) => control.change({ rate_limit: { requests: 1, per: '1h' } }),
    send: () => ({}),
    status: 200,
    afterwards: [{ send: () => ({}), status: 429, headers: { 'retry-after': aText(/^\d+$/) } }],
  }),
];
