/** What tests can expect of an environment, and what a failure shows. */
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { connectMock, createMock, type Mock, type MockEnvironment, startMock } from '../../src/index.ts';
import { createTestEnvironments } from '../../src/runners/environments.ts';
import { matchers } from '../../src/runners/matchers.ts';

const mock = createMock({ log: 'silent' });
let env: MockEnvironment;
beforeEach(async () => {
  env = await mock.createEnvironment();
});
afterAll(() => mock.close());

const call = (method: string, path: string, body?: object, on: Pick<Mock, 'fetch'> = mock) =>
  on.fetch(`/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${env.credentials.accessToken}`,
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });

const received = async (...given: Parameters<typeof matchers.toHaveReceived>) => {
  const { pass, message } = await matchers.toHaveReceived(...given);
  return { pass, message: message() };
};

const ACCOUNT = { connector: 'mail', identifier: 'you@acme.test' };

test('toHaveReceived passes if a call fits all conditions', async () => {
  await call('POST', '/connected_accounts', { ...ACCOUNT, organization_id: 'org_100000000000000001' });
  await call('GET', '/connections?include=all');
  for (const expected of [
    {},
    { status: 201 },
    { times: 1 },
    { body: ACCOUNT },
    { body: { identifier: expect.stringMatching(/@acme/) } },
    { body: expect.objectContaining(ACCOUNT) as object },
    { status: [201], body: { connector: expect.any(String) } },
  ])
    expect(await received(env, 'createConnectedAccount', expected)).toMatchObject({ pass: true });
  for (const expected of [
    { status: 200 },
    { times: 2 },
    { times: 0 },
    { body: { connector: 'calendar' } },
    { body: { identifier: expect.any(Number) } },
    { status: [201, 201] },
    { query: { include: 'all' } },
  ])
    expect(await received(env, 'createConnectedAccount', expected)).toMatchObject({ pass: false });
  expect(await received(env, 'listConnections', { query: { include: 'all' } })).toMatchObject({ pass: true });
  expect(await received(env, 'listConnections', { query: { include: 'none' } })).toMatchObject({
    pass: false,
  });
  expect(await received(env, 'getKeys', { times: 0 })).toMatchObject({ pass: true });
});

test('toHaveReceived compares credentials that the journal masks', async () => {
  const secret = { authorization_details: { oauth_token: { access_token: 'my-own-token' } } };
  await call('POST', '/connected_accounts', { ...ACCOUNT, ...secret });
  expect(JSON.stringify(await env.requests())).not.toContain('my-own-token');
  expect((await received(env, 'createConnectedAccount', { body: secret })).pass).toBe(true);
  const other = { authorization_details: { oauth_token: { access_token: 'another' } } };
  expect((await received(env, 'createConnectedAccount', { body: other })).pass).toBe(false);
});

test('a matcher in a list works next to a credential that the journal masks', async () => {
  const body = (...tags: unknown[]) => ({
    authorization_details: { oauth_token: { access_token: 'my-own-token' } },
    connected_account: { api_config: { tags } },
  });
  await call('POST', '/connected_accounts', { ...ACCOUNT, ...body('read', 'write') });
  const fits = async (wanted: object) =>
    (await received(env, 'createConnectedAccount', { body: wanted })).pass;
  expect(await fits(body('read', expect.stringMatching(/^w/)))).toBe(true);
  expect(await fits(body('read', expect.stringMatching(/^x/)))).toBe(false);
});

test('a list of statuses must match all calls that fit, in order', async () => {
  await env.faults.add({ operation: 'listConnections', status: 503, times: 1 });
  await call('GET', '/connections');
  await call('GET', '/connections');
  expect((await received(env, 'listConnections', { status: [503, 200] })).pass).toBe(true);
  const { pass, message } = await received(env, 'listConnections', { status: [200, 503] });
  expect(pass).toBe(false);
  expect(message).toContain('Calls of listConnections were answered [503,200], expected [200,503].');
});

test('a failure shows the most similar calls first, and how each differs', async () => {
  await call('POST', '/connected_accounts', { connector: 'calendar' });
  await call('POST', '/connected_accounts', { connector: 'calendar', identifier: 'you@acme.test' });
  const expected = { status: 201, body: { ...ACCOUNT, identifier: expect.any(String) } };
  const { pass, message } = await received(env, 'createConnectedAccount', expected);
  expect(pass).toBe(false);
  expect(message.split('\n')).toEqual([
    '0 of 2 calls of createConnectedAccount fit {"status":201,"body":{"connector":"mail","identifier":"Any<String>"}}, expected 1 or more.',
    'Nearest:',
    '  POST /api/v1/connected_accounts 201 createConnectedAccount',
    '    body.connector is "calendar", expected "mail"',
    expect.stringContaining(
      '  POST /api/v1/connected_accounts 400 createConnectedAccount: identifier is missing',
    ),
    '    status is 400, expected 201',
    '    body.connector is "calendar", expected "mail"',
    '    body.identifier is missing, expected "Any<String>"',
  ]);
});

test('a failure shows the calls that came instead, or that none came', async () => {
  expect((await received(env, 'listConnections')).message).toContain(
    'Does your application use env.url and env.credentials?',
  );
  await call('GET', '/connected_accounts');
  expect((await received(env, 'listConnections')).message).toBe(
    'calls of listConnections: 0, expected 1 or more.\nOther calls:\n  GET /api/v1/connected_accounts 200 listConnectedAccounts',
  );
});

test('the message of a negated matcher says which call should not have come', async () => {
  await call('GET', '/connections');
  const { pass, message } = await received(env, 'listConnections');
  expect(pass).toBe(true);
  expect(message).toContain('calls of listConnections: 1, expected none.');
});

test('an unknown operation is reported as a mistake of the test', async () => {
  const misspelt = 'listConection' as 'listConnections';
  await expect(received(env, misspelt)).rejects.toThrow(/listConnections/);
});

test('`times` cannot contradict the length of a list of statuses', async () => {
  await call('GET', '/connections');
  expect((await received(env, 'listConnections', { status: [200], times: 1 })).pass).toBe(true);
  const other = received(env, 'listConnections', { status: [200], times: 2 });
  await expect(other).rejects.toThrow('status is a list of 1, but times is 2. Leave times out.');
});

test.each([
  [{ staus: 500 }, 'Unknown name staus. Did you mean "status"?'],
  [{ headers: {} }, 'Unknown name headers. There are status, times, body, query.'],
  [200, '200 must be an object with some of status, times, body, query.'],
])('a wrong expectation such as %j fails with a message', async (expected, message) => {
  await call('GET', '/connections');
  await expect(received(env, 'listConnections', expected as object)).rejects.toThrow(message);
});

test('toHaveSent takes an object', async () => {
  const wrong: object = JSON.parse('"grace@acme.test"');
  await expect(matchers.toHaveSent(env, wrong)).rejects.toThrow('must be an object with some of to, kind');
  await expect(matchers.toHaveSent(env, { kind: 'invitatoin' })).rejects.toThrow(/"invitation"/);
});

test('toHaveSent finds e-mails by their members, and a failure shows the most similar e-mails', async () => {
  await call('PATCH', '/invites/organizations/org_100000000000000001/users/usr_100000000000000002/resend');
  const sent = async (...given: Parameters<typeof matchers.toHaveSent>) => {
    const { pass, message } = await matchers.toHaveSent(...given);
    return pass ? 'sent' : message();
  };
  expect(await sent(env, { to: 'grace@acme.test', times: 1 })).toBe('sent');
  expect(await sent(env, { to: 'Grace@ACME.test' })).toBe('sent'); // behaviour I6
  expect(await sent(env, { subject: expect.stringContaining('Acme'), kind: 'reminder' })).toBe('sent');
  expect(await sent(env, { to: 'ada@acme.test' })).toContain(
    'e-mail.to is "grace@acme.test", expected "ada@acme.test"',
  );
});

test('the matchers work with an environment of a remote mock', async () => {
  const served = await startMock({ port: 0, log: 'silent' });
  const remote = await (await connectMock(served.url)).environment();
  await served.fetch('/api/v1/connections', { headers: { authorization: 'Bearer dev-token' } });
  expect((await received(remote, 'listConnections', { status: 200, times: 1 })).pass).toBe(true);
  await served.close();
});

test('a wait without a timeout ends before the test that has the environment', async () => {
  await using started = await startMock({ port: 0, log: 'silent' });
  const before = process.env.CA_MOCK_URL;
  process.env.CA_MOCK_URL = started.url;
  try {
    const environments = createTestEnvironments({}, 'jest');
    const late = await environments.take(import.meta.filename, 1); // milliseconds
    await expect(late.waitForRequest()).rejects.toThrow('No matching call was made within 0s.');
    await expect(late.waitForEmail()).rejects.toThrow('No matching e-mail was sent within 0s.');
    await expect(late.waitForStatus('mail/ada@acme.test', 'EXPIRED')).rejects.toThrow(
      'The account mail/ada@acme.test is ACTIVE and did not become EXPIRED within 0s.',
    );
    await expect(late.waitForRequest({ timeout: '10ms' })).rejects.toThrow('within 10ms.');
  } finally {
    if (before === undefined) delete process.env.CA_MOCK_URL;
    else process.env.CA_MOCK_URL = before;
  }
});
