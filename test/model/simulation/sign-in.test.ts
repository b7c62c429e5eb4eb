import { expect, test } from '@jest/globals';
import { fromStart } from '../../../src/core/moment.ts';
import { getRow } from '../../../src/core/table.ts';
import { type SignInInput, signIn } from '../../../src/model/simulation/sign-in.ts';
import { call, codeOf, DAY, START, simulate, stateOf } from '../../support/core.ts';
import { ACME, directory, entryRow, GLOBEX } from '../../support/people.ts';
import { connectionRow } from '../../support/rows.ts';

const WEB = {
  client_id: 'web',
  client_name: 'Web',
  client_type: 'SPA',
  resource_id: 'wiki',
  resource_name: 'Wiki',
  resource_type: 'WEB',
};

const state = stateOf(
  {
    clients: [{ client_id: 'dev-client', client_secret: 'dev-secret', name: 'Development' }],
    connections: [
      connectionRow({ key_id: 'globex-saml', type: 'SAML', provider: 'OKTA', organization_id: GLOBEX }),
      connectionRow({ key_id: 'password', type: 'PASSWORD' }),
      connectionRow({ key_id: 'mail', type: 'OAUTH' }),
    ],
    authentication_requests: [
      entryRow('old', {
        ...WEB,
        timestamp: fromStart(-2 * DAY),
        client_name: 'Old name',
        resource_id: 'old',
      }),
      entryRow('new', { ...WEB, timestamp: fromStart(-DAY) }),
    ],
  },
  directory(),
);
const sign = (given: Partial<SignInInput>) =>
  simulate(state, signIn, { email: 'ada@acme.test', outcome: 'success', ...given });

test.each([
  ['success', 'SUCCESS'],
  ['failed', 'FAILED'],
  ['pending', 'PENDING'],
  ['initiated', 'INITIATED'],
] as const)('behaviour L1: a sign-in with outcome %s is logged as %s, as the newest entry', (outcome, status) => {
  const { reply, state: next, changes } = sign({ outcome });
  expect(reply).toEqual({
    auth_request_id: expect.any(String),
    environment_id: 'env_100000000000000001',
    organization_id: ACME,
    status,
    email: 'ada@acme.test',
    timestamp: '2026-03-01T12:00:00.000Z',
    workflow: 'SIGN_IN',
  });
  expect(call(next, 'listAuthenticationRequests').body.authRequests[0]).toEqual(reply);
  const resource = { auth_request_id: reply.auth_request_id };
  expect(changes).toEqual([{ type: 'authentication_request.created', resource, to: status }]);
});

test('behaviour L1: only a successful sign-in sets the last_login_time of the user, and the letter case of the address does not matter', () => {
  const lastLogin = (given: Partial<SignInInput>) =>
    getRow(sign(given).state.users, 'usr_ada')?.last_login_time;
  expect(lastLogin({ email: 'ADA@acme.test' })).toBe(START);
  for (const outcome of ['failed', 'pending', 'initiated'] as const)
    expect(lastLogin({ outcome })).toBeUndefined();
});

test('a sign-in through a connection is logged with the connection and the organization that owns the connection', () => {
  const detail = {
    connection_id: 'conn_globex-saml',
    connection_provider: 'OKTA',
    connection_type: 'SAML',
    organization_id: GLOBEX,
  };
  const { reply } = sign({ connection_id: 'conn_globex-saml' });
  expect(reply).toMatchObject(detail);
  expect(reply.connection_details).toEqual([detail]);
});

test('if the connection has no organization, the sign-in is logged with an organization in which the user is ACTIVE, if any', () => {
  const { reply } = sign({ connection_id: 'conn_password' });
  expect(reply).toMatchObject({ organization_id: ACME, connection_type: 'PASSWORD' });
  expect(reply.connection_details?.[0]).not.toHaveProperty('organization_id');
  expect(sign({ email: 'grace@acme.test' }).reply).not.toHaveProperty('organization_id');
});

test('the organization of a sign-in is the first in which the user is ACTIVE, also if another membership is older', () => {
  const [member] = directory().memberships.rows.values();
  const memberships = member ? [{ ...member, organization_id: GLOBEX, user_id: 'usr_margaret' }] : [];
  const twice = stateOf({ memberships }, state); // margaret is INACTIVE in ACME
  const given = { email: 'MARGARET@acme.test', outcome: 'failed' } as const;
  const { reply } = simulate(twice, signIn, given);
  expect(reply).toMatchObject({ email: 'margaret@acme.test', organization_id: GLOBEX });
});

test('a sign-in through a connector or an unknown connection is refused', () => {
  expect(codeOf(() => sign({ connection_id: 'conn_mail' }))).toBe('INVALID_ARGUMENT');
  expect(codeOf(() => sign({ connection_id: 'conn_none' }))).toBe('NOT_FOUND');
});

test('a sign-in of a client is logged with the name and resource of the newest entry of that client', () => {
  expect(sign({ client_id: 'web' }).reply).toMatchObject(WEB);
  expect(sign({ client_id: 'dev-client' }).reply.client_name).toBe('Development'); // of the client, without an entry
  expect(sign({ client_id: 'other' }).reply).toEqual({ ...sign({}).reply, client_id: 'other' });
});

test('a sign-in with an unknown address is logged with the address as entered, and creates no user', () => {
  const { reply, state: next } = sign({ email: 'Nobody@free.test' });
  expect(reply).toMatchObject({ email: 'Nobody@free.test', status: 'SUCCESS' });
  expect(next.users).toBe(state.users);
});
