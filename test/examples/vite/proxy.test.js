// The page's calls reach the mock through the development server, which adds the token.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer } from 'vite';

test('the development server passes calls of the page on to the mock', async () => {
  const server = await createServer({ server: { port: 0 }, logLevel: 'error' });
  await server.listen();
  const [url] = server.resolvedUrls.local;
  assert.match(await (await fetch(url)).text(), /<title>Connections/);
  const { connections } = await (await fetch(new URL('/api/v1/connections', url))).json();
  assert.ok(connections.some(({ key_id }) => key_id === 'mail'));
  await server.close();
});
