/** Closing: calls under way finish, and nothing is left open. */
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { BEARER, start } from './start.ts';

test('closing a mock lets running calls finish, and refuses new calls', async () => {
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

test('closing a mock does not wait for streams or idle connections', async () => {
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

test('calls to a closed mock fail with a message', async () => {
  const mock = await start();
  const env = await mock.environment();
  await mock.close();
  for (const change of [() => mock.createEnvironment(), () => env.reset(), () => env.faults.clear()])
    await expect(change()).rejects.toThrow('The mock was closed. Start a new mock');
});

test('a mock can be closed twice', async () => {
  const mock = await start();
  await Promise.all([mock.close(), mock.close()]);
});

test('`await using` closes the mock', async () => {
  const mock = await start();
  await mock[Symbol.asyncDispose]();
  await expect(fetch(mock.url)).rejects.toThrow('fetch failed');
});
