import { request } from 'node:http';
import { expect, test } from 'connected-accounts-mock/vitest';
import mock from 'connected-accounts-mock/vitest/plugin';
import { createServer } from 'vite';

test('the server of the page passes on only the calls of its own pages', async () => {
  const server = await createServer({
    configFile: false,
    plugins: [mock({ scenario: 'default' })],
    server: { port: 0 },
  });
  await server.listen();
  const [url] = server.resolvedUrls.local;
  const statusOf = (origin) =>
    new Promise((done, fail) => {
      const call = request(`${url}_mock/environments`, { headers: { origin } }, (reply) => {
        done(reply.statusCode);
        reply.resume();
      });
      call.once('error', fail).end();
    });
  expect(await statusOf(new URL(url).origin)).toBe(200);
  expect(await statusOf('https://elsewhere.example')).toBe(403);
  await server.close();
});

test('in Node, the tests of the other project use the same mock', async ({ env }) => {
  expect(env.url).toBe(process.env.CA_MOCK_URL);
});
