/** Closing a mock leaves nothing open. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { start } from './start.ts';

test('closing a mock ends idle connections at once, and waits for a call under way', async () => {
  const mock = await start();
  const { port, hostname } = new URL(mock.url);
  const opened = async () => {
    const socket = connect(Number(port), hostname).on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  const [busy, silent] = [await opened(), await opened()];
  busy.write('POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{');
  await fetch(`${mock.url}/keys`); // the mock has read what came before
  const closing = mock.close();
  const first = await Promise.race([once(silent, 'close').then(() => 'silent'), closing.then(() => 'mock')]);
  expect(first).toBe('silent');
  busy.destroy();
  await closing;
});

test('a mock can be closed twice, also by `await using`, and refuses later calls with a message', async () => {
  const mock = await start();
  const env = await mock.environment();
  await Promise.all([mock.close(), mock[Symbol.asyncDispose]()]);
  for (const change of [() => mock.createEnvironment(), () => env.reset(), () => env.faults.clear()])
    await expect(change()).rejects.toThrow('The mock was closed. Start a new mock');
  await expect(fetch(mock.url)).rejects.toThrow('fetch failed');
});
