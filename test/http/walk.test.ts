/** The document's two flows from end to end, as a client library sees them. */
import { expect, test } from '@jest/globals';
import request from 'supertest';
import { testServer } from '../support/server.ts';

const { mock } = testServer();

const issueToken = async (): Promise<string> => {
  const credentials = {
    grant_type: 'client_credentials',
    client_id: 'dev-client',
    client_secret: 'dev-secret',
  };
  const { body } = await request(mock.app).post('/oauth/token').type('form').send(credentials).expect(200);
  return body.access_token;
};

test('a new account becomes ACTIVE: token, link, consent, verify, credentials', async () => {
  const client = request.agent(mock.app).auth(await issueToken(), { type: 'bearer' });
  const pair = { connector: 'mail', identifier: 'walker@acme.test' };
  const link = await client
    .post('/api/v1/connected_accounts/magic_link')
    .send({ ...pair, user_verify_url: 'http://localhost:3000/verify?tab=1', state: 'abc' })
    .expect(200);
  const { pathname } = new URL(link.body.link);
  const consent = await request(mock.app).get(`${pathname}?decision=approve`).expect(302);
  const back = new URL(consent.headers.location ?? '');
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ tab: '1', state: 'abc' });
  const pending = await client.get('/api/v1/connected_accounts/details').query(pair).expect(200);
  expect(pending.body.connected_account.status).toBe('PENDING_VERIFICATION');
  const auth_request_id = back.searchParams.get('auth_request_id');
  await client
    .post('/api/v1/connected_accounts/user/verify')
    .send({ auth_request_id, identifier: 'somebody@else.test' })
    .expect(403);
  await client
    .post('/api/v1/connected_accounts/user/verify')
    .send({ auth_request_id, identifier: pair.identifier })
    .expect(200);
  await client
    .post('/api/v1/connected_accounts/user/verify')
    .send({ auth_request_id, identifier: pair.identifier })
    .expect(404);
  const auth = await client.get('/api/v1/connected_accounts/auth').query(pair).expect(200);
  expect(auth.body.connected_account).toMatchObject({
    status: 'ACTIVE',
    authorization_details: { oauth_token: { scopes: ['mail.read', 'mail.send'] } },
  });
});

test('a user is invited, accepts on the page of the e-mail, and leaves', async () => {
  const client = request.agent(mock.app).auth(await issueToken(), { type: 'bearer' });
  const member = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000005';
  const invited = await client.post(member).send({ inviter_email: 'ada@acme.test' }).expect(201);
  expect(invited.body.user.memberships[0].membership_status).toBe('PENDING_INVITE');
  const [email] = await (await mock.environment('development')).outbox({ to: 'barbara@free.test' });
  await request(mock.app)
    .post(new URL(email?.link ?? '').pathname)
    .type('form')
    .send({})
    .expect(200);
  const logs = await client
    .get('/api/v1/logs/authentication/requests')
    .query({ email: 'barbara@free.test' })
    .expect(200);
  expect(logs.body.authRequests[0].status).toBe('SUCCESS');
  expect((await client.delete(member).expect(200)).body).toEqual({});
  await client.delete(member).expect(404);
});
