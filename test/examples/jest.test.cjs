// Jest in a CommonJS project: one mock for the file, reset before each test.
const { startMock } = require('connected-accounts-mock');

let mock;
let env;

beforeAll(async () => {
  mock = await startMock({ port: 0, scenario: 'default', log: 'silent' });
  env = await mock.environment('development');
});
afterAll(() => mock.close());
beforeEach(() => env.reset());

// Stands in for your application, in which the address of the API must be configurable.
const listConnections = () =>
  fetch(`${mock.url}/api/v1/connections`, {
    headers: { authorization: `Bearer ${env.credentials.accessToken}` },
  });

test('the API fails once, and the next call works', async () => {
  await env.faults.add({ operation: 'listConnections', status: 504, times: 1 });
  expect((await listConnections()).status).toBe(504);
  expect((await listConnections()).status).toBe(200);
  expect(await env.requests({ operation: 'listConnections' })).toHaveLength(2);
});

test('an invitation that nobody accepts expires after 15 days', async () => {
  const grace = async () => {
    const { users } = await env.state();
    return users.find((user) => user.email === 'grace@acme.test').memberships[0];
  };
  expect((await grace()).membership_status).toBe('PENDING_INVITE');
  await env.advance('15d');
  expect((await grace()).membership_status).toBe('INVITE_EXPIRED');
});
