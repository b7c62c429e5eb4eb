const { connectMock, startMock } = require('connected-accounts-mock');

let mock;
beforeAll(async () => {
  mock = await startMock({ port: 0, log: 'silent' });
});
afterAll(() => mock.close());

test('a mock starts in a test environment with a DOM, and answers in process', async () => {
  expect(typeof document).toBe('object');
  const { accessToken, clientId, clientSecret } = (await mock.environment()).credentials;
  const headers = { authorization: `Bearer ${accessToken}` };
  expect((await mock.fetch('/api/v1/connections', { headers })).status).toBe(200);
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const token = await mock.fetch('/oauth/token', { method: 'POST', body: new URLSearchParams(form) });
  expect(token.status).toBe(200);
});

test('an AbortSignal of the DOM ends a call in process', async () => {
  const env = await mock.createEnvironment();
  await env.faults.add({ operation: 'listConnections', delay_ms: 60_000 });
  const gone = new AbortController();
  const headers = { authorization: `Bearer ${env.credentials.accessToken}` };
  const call = mock.fetch('/api/v1/connections', { headers, signal: gone.signal });
  gone.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
});

test('a test environment with a DOM can control a mock of another process', async () => {
  const remote = await connectMock(mock.url);
  const env = await remote.createEnvironment();
  expect(await env.requests()).toEqual([]);
});
