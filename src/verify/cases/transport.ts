/** What is the same for every operation: paths, methods, headers. */
import { type Case, group, inferred, promised } from '../case.ts';
import { anAccount } from '../given.ts';
import { aText, not, someText } from '../pattern.ts';
import { SAMPLES, UNKNOWN } from '../samples.ts';

const LIST = '/api/v1/connected_accounts';

const PATHS = group({ about: 'listConnectedAccounts' }, [
  ...Object.entries({
    'An unknown path is not found, in words of its own': '/api/v1/connected_acounts',
    'A path with a slash at its end is another path': `${LIST}/`,
    'A path in other letters is another path': LIST.toUpperCase(),
  }).map(([name, url]) =>
    inferred(name, ['T4'], (api) => api.send({ url }).answers(404, { error: 'PATH_NOT_FOUND' })),
  ),
  inferred('An unknown path is said before a missing token', ['T4'], (api) =>
    api.send({ url: '/api/v1/nothing', token: null }).answers(404, { error: 'PATH_NOT_FOUND' }),
  ),
  inferred('An unknown path names the operation that was meant, also beside an id', ['T4'], async (api) => {
    const error = 'PATH_NOT_FOUND';
    await api
      .send({ url: '/connected_accounts' })
      .answers(404, { error, body: { message: aText(/GET \/api\/v1\/connected_accounts/) } });
    await api
      .send({ method: 'PUT', url: '/custom-provider/WIKI:1', body: {} })
      .answers(404, { error, body: { message: aText(/PUT \/api\/v1\/custom-providers\/\{identifier\}/) } });
  }),
  promised('Paths begin with /api/v1, and their replies are JSON', [], (api) =>
    api.send({ url: LIST }).answers(200, { headers: { 'content-type': aText(/^application\/json\b/) } }),
  ),
  promised('A request without a body may say that it is JSON all the same', [], (api) =>
    api.send({ headers: { 'content-type': 'application/json' } }).succeeds(),
  ),
]);

const COLONS = [
  ...group({ about: 'searchConnectedAccounts' }, [
    inferred('The colon of :search may be written %3A', ['T4', 'T7'], (api) =>
      api.send({ url: `${LIST}%3Asearch?query=conformance` }).succeeds(),
    ),
  ]),
  ...group({ about: 'deleteConnectedAccount' }, [
    inferred('The colon of :delete may be written %3A', ['T4', 'T7'], (api) =>
      api.send({ url: `${LIST}%3Adelete`, body: { id: UNKNOWN.account } }).isMissing(),
    ),
  ]),
];

const ORIGIN = { origin: 'https://client.test' };

const METHODS = group({ about: 'listConnectedAccounts' }, [
  inferred(
    'A method that a path does not have is not implemented, and Allow names those it has',
    ['T4'],
    (api) => api.send({ method: 'PATCH', body: {} }).answers(501, { headers: { allow: aText(/GET/) } }),
  ),
  inferred('HEAD answers as GET does, without a body', ['T6'], (api) =>
    api.send({ method: 'HEAD' }).answers(200, { headers: { 'x-request-id': someText } }),
  ),
  inferred('OPTIONS answers the preflight of a browser', ['T6'], (api) =>
    api
      .send({
        method: 'OPTIONS',
        token: null,
        headers: {
          ...ORIGIN,
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'authorization',
        },
      })
      .answers(204, {
        headers: {
          'access-control-allow-origin': ORIGIN.origin,
          'access-control-allow-methods': aText(/PUT/),
          'access-control-allow-headers': aText(/authorization/i),
        },
      }),
  ),
]);

const HEADERS = group({ about: 'getConnectedAccountDetails' }, [
  inferred('An error can be read by a page of another origin too', ['T6'], (api) =>
    api.send({ ...SAMPLES.getConnectedAccountDetails, headers: ORIGIN }).answers(404, {
      headers: {
        'access-control-allow-origin': ORIGIN.origin,
        'access-control-expose-headers': aText(/X-Request-Id/i),
      },
    }),
  ),
  inferred('Every reply names its request, and an error repeats the name', ['T8', 'R1'], async (api) => {
    const missing = api.send(SAMPLES.getConnectedAccountDetails);
    const { headers } = await missing.answers(404, {
      headers: { 'x-request-id': aText(/^req_/) },
      body: { details: [{ request_info: { request_id: aText(/^req_/) } }] },
    });
    const another = not(String(headers['x-request-id']));
    await missing.answers(404, { body: { details: [{ request_info: { request_id: another } }] } });
  }),
]);

const TIMES = group({ about: 'getConnectedAccountDetails', needs: ['write'] }, [
  inferred('Times are RFC 3339 in UTC with milliseconds', ['T9'], async (api) =>
    api
      .details(await anAccount(api, 'OAUTH'))
      .shows({ updated_at: aText(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) }),
  ),
]);

const INJECTED = [
  ...group({ about: 'createConnectedAccount', needs: ['write', 'control'] }, [
    inferred('A reply that is asked for by Prefer changes nothing', ['T4'], async (api) => {
      const pair = api.pair('OAUTH');
      await api
        .send({ body: pair, headers: { prefer: 'code=500' } })
        .answers(500, { headers: { 'preference-applied': someText } });
      await api.details(pair).isMissing();
    }),
  ]),
  ...group({ about: 'listConnections', needs: ['control'] }, [
    inferred('Any error from 400 to 599 can be asked for by Prefer', ['T4', 'R1'], async (api) => {
      await api.send({ headers: { prefer: 'code=503' } }).answers(503, { error: 'INTERNAL_ERROR' });
      await api.send({ headers: { prefer: 'code=999' } }).succeeds();
    }),
    promised('A client that calls too often learns how long to wait', ['X2'], async (api) => {
      await api.mock.patchSettings({ rate_limit: { requests: 1, per: '1h' } });
      await api.send().succeeds();
      await api.send().answers(429, { headers: { 'retry-after': aText(/^\d+$/) } });
    }),
  ]),
];

export const TRANSPORT_CASES: readonly Case[] = [PATHS, COLONS, METHODS, HEADERS, TIMES, INJECTED].flat();
