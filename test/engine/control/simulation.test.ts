import { expect, test } from '@jest/globals';
import { loadControlContract } from '../../../src/engine/control/control-document.ts';
import { AccountsCalls, LinksCalls, MembershipsCalls } from '../../../src/library/group-calls.ts';
import { service } from '../../../src/service/index.ts';
import { type Isolated, testServer } from '../../support/server.ts';

const server = testServer();

test('links and sign-ins name accounts and connections by their natural keys', async () => {
  const { control } = await server.isolated();
  const link = await control('POST', '/rows/authorization_links', {
    fields: { account: 'calendar/ada@acme.test' },
  });
  expect([link.status, link.body.id]).toEqual([201, expect.stringMatching(/^[\w-]{43}$/)]);
  const attempt = { email: 'ada@acme.test', connection_id: 'acme-oidc', outcome: 'success' };
  expect((await control('POST', '/sign-ins', attempt)).body.authentication_request).toMatchObject({
    connection_id: 'conn_100000000000000015',
  });
});

test('actions of members name organization and user by their natural keys', async () => {
  const { control } = await server.isolated();
  const { status, body } = await control('POST', '/memberships/acme/grace@acme.test/accept');
  expect([status, body.membership?.membership_status]).toEqual([200, 'ACTIVE']);
});

const makeLink = async ({ control }: Isolated): Promise<string> => {
  const fields = { account: 'mail/ada@acme.test', user_verify_url: 'https://app.test/verify?a=1' };
  const { id } = (await control('POST', '/rows/authorization_links', { fields })).body;
  const { row } = (await control('GET', `/rows/authorization_links/${id}`)).body;
  return row.link.split('/').at(-1);
};

test('a link can be approved or denied without a browser only once, in its own environment, and before it expires', async () => {
  const isolated = await server.isolated();
  const [token, late] = [await makeLink(isolated), await makeLink(isolated)];
  const other = await server.isolated();
  expect((await other.control('POST', `/links/${token}/approve`)).status).toBe(404);
  const { body } = await isolated.control('POST', `/links/${token}/deny`);
  expect(body.redirect_url).toContain('error=access_denied');
  expect(body).not.toHaveProperty('auth_request_id');
  await isolated.control('POST', '/clock/advance', { by: '15m' });
  for (const ended of [token, late]) {
    const { status, body: answer } = await isolated.control('POST', `/links/${ended}/approve`);
    expect([status, answer.error.code]).toEqual([410, 'GONE']);
  }
});

test.each([
  ['actOnAccount', 'connected_accounts', AccountsCalls],
  ['decideLink', 'authorization_links', LinksCalls],
  ['actOnMembership', 'memberships', MembershipsCalls],
] as const)('the control plane, the console and the library know the actions of %s from one list', (id, kind, group) => {
  const { document } = loadControlContract();
  const { path } = loadControlContract().operation(id);
  const parameters = Object(document.paths[path]).parameters as { schema?: { enum?: readonly string[] } }[];
  const documented = parameters.flatMap(({ schema }) => schema?.enum ?? []);
  const actions = (service.actions[kind] ?? []).map(({ name }) => name);
  expect(documented.length).toBeGreaterThan(1);
  expect(documented.filter((name) => !actions.includes(name))).toEqual([]);
  const methods = Object.getOwnPropertyNames(group.prototype).filter((name) => name !== 'constructor');
  expect(methods.filter((name) => !documented.includes(name))).toEqual([]);
});
