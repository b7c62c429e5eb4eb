import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createMock } from 'connected-accounts-mock';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';

const server = setupServer(http.get('https://weather.example.com/today', () => HttpResponse.json('sunny')));
afterEach(() => server.close());

for (const onUnhandledRequest of ['error', 'warn', 'bypass'])
  test(`mock.fetch works beside MSW with onUnhandledRequest: ${onUnhandledRequest}`, async () => {
    server.listen({ onUnhandledRequest });
    const mock = createMock({ log: 'silent' });
    const env = await mock.createEnvironment();
    const headers = { authorization: `Bearer ${env.credentials.accessToken}` };
    const listed = await mock.fetch('/api/v1/connections?include=all', { headers });
    assert.equal(listed.status, 200);
    assert.equal((await env.requests({ operation: 'listConnections' })).length, 1);
    assert.equal(await (await fetch('https://weather.example.com/today')).json(), 'sunny');
    await mock.close();
  });
