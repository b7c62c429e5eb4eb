/** Closing: calls under way finish, and nothing is left open. */
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { BEARER, start } from './start.ts';

test('closing lets a call under way finish, and nobody else in', async () => {
  const mock = await start();
  const env = await mock.environment();
  await env.faults.add({ operation: 'listConnections', delay_ms: 60 });
  const call = fetch(`${mock.url}/api/v1/connections`, BEARER);
  const isApplied = async () => (await env.faults.list())[0]?.applied === 1;
  while (!(await isApplied()));
  await mock.close();
  expect((await call).status).toBe(200);
  await expect(fetch(`${mock.url}/keys`)).rejects.toThrow('fetch failed');
});

test('closing does not wait for streams, kept connections, or those that never sent anything', async () => {
  const mock = await start();
  const { port, hostname } = new URL(mock.url);
  const silent = connect(Number(port), hostname);
  const closed = new Promise((resolve) => silent.on('close', resolve).on('error', () => {}));
  await new Promise((resolve) => silent.on('connect', resolve));
  await fetch(`${mock.url}/keys`);
  const headers = { accept: 'text/event-stream' };
  const stream = await fetch(`${mock.url}/_mock/environments/current/events`, { headers });
  const before = performance.now();
  await Promise.all([mock.close(), closed, stream.text()]);
  expect(performance.now() - before).toBeLessThan(2_000);
});

test('a closed mock says so', async () => {
  const mock = await start();
  const env = await mock.environment();
  await mock.close();
  for (const change of [() => mock.createEnvironment(), () => env.reset(), () => env.faults.clear()])
    await expect(change()).rejects.toThrow('The mock was closed. Start a new mock');
});

test('closing twice is closing once', async () => {
  const mock = await start();
  await Promise.all([mock.close(), mock.close()]);
});

test('`await using` closes', async () => {
  const mock = await start();
  await mock[Symbol.asyncDispose]();
  await expect(fetch(mock.url)).rejects.toThrow('fetch failed');
});
