/** Closing a mock leaves nothing open. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
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

test('closing a mock answers the calls that were sent before, and tells their clients not to use the connection again', async () => {
  const mock = await start();
  const { port, hostname } = new URL(mock.url);
  await (await mock.environment()).faults.add({ operation: 'getKeys', delay_ms: 60_000, status: 503 });
  const ask = (path: string) => {
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return socket;
  };
  const underWay = ask('/keys');
  await fetch(`${mock.url}/api/v1/connections`); // the mock has read what came before
  const connecting = ask('/.well-known/openid-configuration');
  await once(connecting, 'connect'); // by the system, not by the mock
  const closing = mock.close();
  const [delayed, late] = await Promise.all([text(underWay), text(connecting)]);
  expect(delayed).toMatch(/^HTTP\/1\.1 503 [\s\S]*Connection: close/);
  expect(late).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: close/);
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
