import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createMock } from 'connected-accounts-mock';
import { http } from 'msw';
import { setupServer } from 'msw/node';

const mock = createMock({ log: 'silent' });
const server = setupServer(
  http.all('https://api.example.com/*', ({ request }) => {
    const { pathname, search } = new URL(request.url);
    return mock.fetch(pathname + search, request);
  }),
);
server.listen({ onUnhandledRequest: 'error' });
after(() => server.close());
after(() => mock.close());

const headers = { authorization: 'Bearer dev-token', 'content-type': 'application/json' };
const API = 'https://api.example.com/api/v1';

test('a call of the application is answered by the mock, with its path, query and body', async () => {
  const body = JSON.stringify({ connector: 'mail', identifier: 'msw@acme.test' });
  const made = await fetch(`${API}/connected_accounts`, { method: 'POST', headers, body });
  assert.equal(made.status, 201);
  const found = await fetch(`${API}/connected_accounts?identifier=msw@acme.test`, { headers });
  const { connected_accounts } = await found.json();
  assert.deepEqual(
    connected_accounts.map(({ identifier }) => identifier),
    ['msw@acme.test'],
  );
});
