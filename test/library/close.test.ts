/** Closing a mock leaves nothing open. */
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { start } from './start.ts';

test('closing a mock does not wait for idle connections', async () => {
  const mock = await start();
  const { port, hostname } = new URL(mock.url);
  const silent = connect(Number(port), hostname);
  const closed = new Promise((resolve) => silent.on('close', resolve).on('error', () => {}));
  await new Promise((resolve) => silent.on('connect', resolve));
  await fetch(`${mock.url}/keys`);
  const before = performance.now();
  await Promise.all([mock.close(), closed]);
  expect(performance.now() - before).toBeLessThan(2_000);
});

test('a mock can be closed twice, also by `await using`, and refuses later calls with a message', async () => {
  const mock = await start();
  const env = await mock.environment();
  await Promise.all([mock.close(), mock[Symbol.asyncDispose]()]);
  for (const change of [() => mock.createEnvironment(), () => env.reset(), () => env.faults.clear()])
    await expect(change()).rejects.toThrow('The mock was closed. Start a new mock');
  await expect(fetch(mock.url)).rejects.toThrow('fetch failed');
});
