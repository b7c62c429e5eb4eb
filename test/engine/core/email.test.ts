/** Behaviour X3: every place that takes an e-mail address accepts the addresses of RFC 5322 and nothing else. */
import { afterEach, expect, test } from '@jest/globals';
import { isEmail } from '../../../src/engine/core/addresses.ts';
import { testServer } from '../../support/server.ts';

const server = testServer();
afterEach(async () => (await server.mock.environment('development')).reset());

const USER = 'usr_100000000000000005';
const MEMBER = `/api/v1/memberships/organizations/org_100000000000000001/users/${USER}`;
const CONTROL = '/environments/development';

const ADDRESSES = ['root@localhost', '"a b"@acme.test', 'ada@[127.0.0.1]', "o'hara+x@acme.test"];

test.each(ADDRESSES)('behaviour X3: %s is accepted as an e-mail address everywhere', async (email) => {
  const changed = await server.control('PATCH', `${CONTROL}/state`, { users: [{ id: USER, email }] });
  const invited = await server.call('POST', MEMBER, { body: { inviter_email: email } });
  expect([changed.status, invited.status, invited.body.user?.email]).toEqual([200, 201, email]);
  expect(invited.body.user.memberships[0].inviter_email).toBe(email);
  const signedIn = await server.control('POST', `${CONTROL}/sign-ins`, { email, outcome: 'success' });
  expect(signedIn.status).toBe(201);

  // Encodes only what a request with curl must encode.
  const raw = email.replaceAll('"', '%22').replaceAll(' ', '%20').replaceAll('+', '%2B');
  const logs = await server.call('GET', `/api/v1/logs/authentication/requests?email=${raw}`);
  expect(logs.body.authRequests).toHaveLength(1);
  const outbox = await server.control('GET', `${CONTROL}/outbox?to=${raw}`);
  expect(outbox.body.emails).toHaveLength(1);
  const page = await server.call('GET', new URL(outbox.body.emails[0].link).pathname, { token: null });
  expect(page.status).toBe(200);
});

const WRONG = ['nobody', 'a b@acme.test', 'ada@acme.test ', 'ada@@acme.test', '@acme.test', 'ada@[127.0.0.1'];

test.each(WRONG)('behaviour X3: "%s" is refused as an e-mail address', async (email) => {
  const invited = await server.call('POST', MEMBER, { body: { inviter_email: email } });
  const signedIn = await server.control('POST', `${CONTROL}/sign-ins`, { email, outcome: 'success' });
  expect([invited.status, signedIn.status]).toEqual([400, 400]);
  expect(invited.body.message).toContain('must be an e-mail address');
  expect(signedIn.body.error.message).toContain('must be an e-mail address');
});

test('behaviour I5: an e-mail address has at most 254 characters', () => {
  const withLength = (length: number) => `${'a'.repeat(length - 10)}@acme.test`;
  expect([254, 255].map((length) => isEmail(withLength(length)))).toEqual([true, false]);
});
