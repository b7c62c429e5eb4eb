/** The matchers `toHaveReceived` and `toHaveSent`, and the messages of their failures. */
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { createMock, type MockEnvironment } from '#mock';
import { matchers } from '../../../src/library/runners/matchers.ts';
import { callsOf } from '../../support/server.ts';

const mock = createMock({ log: 'silent' });
let env: MockEnvironment;
beforeEach(async () => {
  env = await mock.createEnvironment();
});
afterAll(() => mock.close());

const call = (method: string, path: string, body?: object) =>
  callsOf(mock).call(method, `/api/v1${path}`, { body, token: env.credentials.accessToken });

const received = async (...given: Parameters<typeof matchers.toHaveReceived>) => {
  const { pass, message } = await matchers.toHaveReceived(...given);
  return { pass, message: message() };
};

const ACCOUNT = { connector: 'mail', identifier: 'you@acme.test' };

test('toHaveReceived passes only if a call matches all conditions', async () => {
  await call('POST', '/connected_accounts', { ...ACCOUNT, organization_id: 'org_100000000000000001' });
  await call('GET', '/connections?include=all');
  const passes = async (...given: Parameters<typeof received>) => (await received(...given)).pass;
  for (const expected of [
    ...[{}, { status: 201 }, { times: 1 }, { body: ACCOUNT }],
    { body: { identifier: expect.stringMatching(/@acme/) } },
    { body: expect.objectContaining(ACCOUNT) as object },
    { status: [201], body: { connector: expect.any(String) } },
  ])
    expect([expected, await passes(env, 'createConnectedAccount', expected)]).toEqual([expected, true]);
  for (const expected of [
    ...[{ status: 200 }, { times: 2 }, { times: 0 }, { status: [201, 201] }, { query: { include: 'all' } }],
    ...[{ connector: 'calendar' }, { identifier: expect.any(Number) }].map((body) => ({ body })),
  ])
    expect([expected, await passes(env, 'createConnectedAccount', expected)]).toEqual([expected, false]);
  for (const include of ['all', 'none'])
    expect(await passes(env, 'listConnections', { query: { include } })).toBe(include === 'all');
  expect(await passes(env, 'getKeys', { times: 0 })).toBe(true);
  expect((await received(env, 'listConnections', { times: 2 })).message).toContain(
    'expected 2.\nCalls:\n  GET',
  );
  await call('GET', '/connected_accounts?page_size=5&query=a%3Fb&status=ACTIVE&status=EXPIRED');
  await call('GET', '/connected_accounts?page_size=6');
  for (const query of [{ page_size: 5 }, { query: 'a?b' }, { status: 'EXPIRED' }])
    expect(await passes(env, 'listConnectedAccounts', { query, times: 1, status: [200] })).toBe(true);
  const { message } = await received(env, 'listConnectedAccounts', {
    query: { page_size: 7, status: 'EXPIRED', identifier: true },
  });
  expect(message).toContain(
    '    call.query.page_size is "5", expected 7\n    call.query.identifier is missing, expected true',
  );
});

test('toHaveReceived compares credentials that the journal masks, even if the expected body has a matcher in a list', async () => {
  const body = (access_token: string, ...tags: unknown[]) => ({
    authorization_details: { oauth_token: { access_token } },
    connected_account: { api_config: { tags } },
  });
  await call('POST', '/connected_accounts', { ...ACCOUNT, ...body('my-own-token', 'read', 'write') });
  expect(JSON.stringify(await env.requests())).not.toContain('my-own-token');
  const fits = async (wanted: object) =>
    (await received(env, 'createConnectedAccount', { body: wanted })).pass;
  expect(await fits(body('my-own-token', 'read', 'write'))).toBe(true);
  expect(await fits(body('another', 'read', 'write'))).toBe(false);
  expect(await fits(body('my-own-token', 'read', expect.stringMatching(/^w/)))).toBe(true);
  expect(await fits(body('my-own-token', 'read', expect.stringMatching(/^x/)))).toBe(false);
});

test('a list of statuses must equal the statuses of all matching calls, in order', async () => {
  await env.faults.add({ operation: 'listConnections', status: 503, times: 1 });
  await call('GET', '/connections');
  await call('GET', '/connections');
  expect((await received(env, 'listConnections', { status: [503, 200] })).pass).toBe(true);
  const negated = (await received(env, 'listConnections')).message;
  // `.not`, or a number, lists the calls, which are not only near.
  expect(negated).toMatch(/^calls to listConnections: 2, expected none\.\nCalls:\n {2}GET/);
  for (const status of [[503], [503, 200, 200]])
    expect((await received(env, 'listConnections', { status })).pass).toBe(false);
  const { pass, message } = await received(env, 'listConnections', { status: [200, 503] });
  expect(pass).toBe(false);
  expect(message).toContain('Calls to listConnections were answered with [503,200], expected [200,503].');
});

test('a failure shows the most similar calls first, and how each differs', async () => {
  await call('POST', '/connected_accounts', { connector: 'calendar' });
  await call('POST', '/connected_accounts', { connector: 'calendar', identifier: 'you@acme.test' });
  const expected = { status: 201, body: { ...ACCOUNT, identifier: expect.any(String) } };
  const { pass, message } = await received(env, 'createConnectedAccount', expected);
  expect(pass).toBe(false);
  expect(message.split('\n')).toEqual([
    '0 of 2 calls to createConnectedAccount match {"status":201,"body":{"connector":"mail","identifier":"Any<String>"}}, expected 1 or more.',
    'Nearest:',
    '  POST /api/v1/connected_accounts 201 createConnectedAccount',
    '    call.body.connector is "calendar", expected "mail"',
    expect.stringContaining(
      '  POST /api/v1/connected_accounts 400 createConnectedAccount: identifier is missing',
    ),
    '    call.status is 400, expected 201',
    '    call.body.connector is "calendar", expected "mail"',
    '    call.body.identifier is missing, expected "Any<String>"',
  ]);
});

test('a failure shows the other calls that came, or a hint if no call came', async () => {
  for (const expected of [{}, { status: [503, 200] }])
    expect((await received(env, 'listConnections', expected)).message).toContain(
      'Does your application use env.url and env.credentials?',
    );
  await call('GET', '/connected_accounts');
  expect((await received(env, 'listConnections')).message).toBe(
    'calls to listConnections: 0, expected 1 or more.\nOther calls:\n  GET /api/v1/connected_accounts 200 listConnectedAccounts',
  );
});

test.each([
  [{ query: new URLSearchParams('include=never-sent') }, 'query is URLSearchParams'],
  [{ query: { include: expect.any(String) } }, 'include is '],
  [{ times: '1' }, "times is '1', but must be a whole number such as 2."],
  [{ status: [] }, 'status is [], but must be a status such as 404, or a list of one or more'],
  [{ status: '200' }, "status is '200'"],
  [{ status: [200, '503'] }, "status is [ 200, '503' ]"],
  [{ body: new Map([['a', 1]]) }, 'body is Map'],
  [{ body: { a: { b: () => 1 } } }, 'body.a.b is [Function'],
  [{ body: expect.anything() as object }, 'Calls of listConnections have no body'],
])('behaviour N6: an expectation such as %j is refused, also after .not', async (expected, message) => {
  await call('GET', '/connections');
  await expect(received(env, 'listConnections', expected as object)).rejects.toThrow(message);
  await expect(matchers.toHaveSent(env, { to: /a/ })).rejects.toThrow(
    'to is /a/, but must be a string, or a matcher',
  );
});

test('toHaveSent finds e-mails by recipient, subject and kind, and a failure shows the most similar e-mails', async () => {
  await call('PATCH', '/invites/organizations/org_100000000000000001/users/usr_100000000000000002/resend');
  const sent = async (...given: Parameters<typeof matchers.toHaveSent>) => {
    const { pass, message } = await matchers.toHaveSent(...given);
    return pass ? 'sent' : message();
  };
  expect(await sent(env, { to: 'grace@acme.test', times: 1 })).toBe('sent');
  expect(await sent(env, { to: 'Grace@ACME.test' })).toBe('sent'); // behaviour I6
  expect(await sent(env, { subject: expect.stringContaining('Acme'), kind: 'reminder' })).toBe('sent');
  expect(await sent(env, { to: expect.stringMatching(/^grace/), link: expect.any(String) })).toBe('sent');
  expect(await sent(env, { to: 'ada@acme.test', times: 0 })).toBe('sent');
  expect((await matchers.toHaveSent(env, { times: 1 })).message()).toContain('e-mails: 1, expected not 1.');
  expect(await sent(env, { times: 2 })).toContain('expected 2.\nE-mails:\n  reminder to grace@acme.test');
  expect(await sent(env, { to: 'ada@acme.test' })).toContain(
    'e-mail.to is "grace@acme.test", expected "ada@acme.test"',
  );
  const memberships = [{ organization_id: 'acme', membership_status: 'PENDING_INVITE' as const }];
  await env.patchState({ users: [{ id: 'usr_900000000000000001', email: 'Ann@ACME.test', memberships }] });
  await call('PATCH', '/invites/organizations/org_100000000000000001/users/usr_900000000000000001/resend');
  expect(await sent(env, { to: 'ann@acme.test' })).toBe('sent');
});

test('only an environment can have received calls or sent e-mails, and the message says so', async () => {
  for (const [other, shown] of [
    [mock, 'a mock'],
    [{}, '{}'],
    [undefined, 'nothing'],
  ] as const)
    for (const name of ['toHaveReceived', 'toHaveSent'] as const)
      await expect(Reflect.apply(matchers[name], undefined, [other, 'getKeys'])).rejects.toThrow(
        `${name} needs an environment, but got ${shown}.`,
      );
});
