import { request } from 'node:http';
import { expect, test } from 'connected-accounts-mock/vitest';
import mock from 'connected-accounts-mock/vitest/plugin';
import { createServer } from 'vite';

/** The status with which a server of pages answers a control call. @param origin of the page; by default, its own page */
const statusOf = async (origin) => {
  const plugins = [mock({ scenario: 'default' })];
  const server = await createServer({ configFile: false, plugins, server: { port: 0 } });
  await server.listen();
  const [url] = server.resolvedUrls.local;
  const headers = { origin: origin ?? new URL(url).origin };
  const status = await new Promise((done, fail) => {
    const call = request(`${url}_mock/environments`, { headers }, (reply) => done(reply.resume().statusCode));
    call.once('error', fail).end();
  });
  await server.close();
  return status;
};

test('the server of the page passes on only the calls of its own pages', async () => {
  expect(await statusOf()).toBe(200);
  expect(await statusOf('https://elsewhere.example')).toBe(403);
});

test('a server of Vite without Vitest passes nothing on', async () => {
  const { VITEST } = process.env;
  process.env.VITEST = '';
  expect(await statusOf()).toBe(404);
  process.env.VITEST = VITEST;
});

test('in Node, the tests of the other project use the same mock', async ({ env }) => {
  expect(env.url).toBe(process.env.CA_MOCK_URL);
});
