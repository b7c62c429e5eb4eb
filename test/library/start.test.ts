/** Starting a mock: on which address it listens, what its options do, and how wrong options are refused. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from '@jest/globals';
import { connectMock, createMock, type Mock, startMock } from '#mock';
import { connectMock as connectHere } from '../../src/library/client.ts';
import { requireStartOptions } from '../../src/library/options.ts';
import { start, TLS } from './start.ts';

const { tlsCert, tlsKey } = TLS;

test('a mock tells its address and its scenario, and sends its own control token', async () => {
  const scenario = { description: 'Mine', environments: { a: { access_tokens: ['t'] } } };
  await using made = createMock({ scenario, controlToken: 'sesame', log: 'silent' });
  const served = await start({ scenario: './fixtures/empty.yaml', controlToken: 'sesame' });
  expect([made.url, made.scenario]).toEqual(['http://mock.local', { name: 'object', description: 'Mine' }]);
  const description = expect.stringMatching(/^\S/);
  expect(served.scenario).toEqual({ name: './fixtures/empty.yaml', description });
  for (const mock of [made, served]) expect((await mock.environments()).length).toBeGreaterThan(0);
});

test('the issuer is the address on which the mock listens, or its `baseUrl`', async () => {
  const keys = async ({ url }: Mock) => (await fetch(`${url}/.well-known/openid-configuration`)).json();
  const plain = await start();
  expect(await keys(plain)).toMatchObject({ issuer: plain.url });
  expect(await keys(await start({ baseUrl: 'https://dev.example.test//' }))).toMatchObject({
    issuer: 'https://dev.example.test',
  });
});

test('an address that other machines can reach needs a control token, and another one none', async () => {
  await expect(start({ host: '0.0.0.0' })).rejects.toThrow(
    'Set a control token (controlToken, --control-token), or listen on 127.0.0.1.',
  );
  const mock = await start({ host: '0.0.0.0', controlToken: 'secret' });
  expect(mock.url).toMatch(/^http:\/\/localhost:/);
  for (const host of ['localhost', '127.8.9.10']) await start({ host });
  for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])
    expect(() => requireStartOptions({ host })).not.toThrow();
  for (const host of ':: 192.0.2.1 128.0.0.1 mock.internal 127.0.0.1.evil.test localhost.evil.test my-localhost'.split(
    ' ',
  ))
    expect(() => requireStartOptions({ host })).toThrow('Other machines can reach');
});

test('the error for a port that is in use says what to do', async () => {
  const { port } = new URL((await start()).url);
  await expect(start({ port: Number(port) })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    message: `Port ${port} of 127.0.0.1 is in use. Choose another port, or 0 for any free port.`,
  });
  await expect(start({ host: '192.0.2.1', controlToken: 'secret' })).rejects.toThrow(
    'This machine has no address 192.0.2.1. Choose 127.0.0.1 or 0.0.0.0.',
  );
});

test.each<[object, string]>([
  [{ port: '4720' }, 'port is "4720", but must be a whole number from 0 to 65535.'],
  [{ host: '' }, 'host is "", but must be a string that is not empty.'],
  [{ scenario: 5 }, 'scenario is 5, but must be a string that is not empty, or the scenario itself.'],
  [
    { controlToken: 'open sesame' },
    'controlToken must be one or more letters, digits and symbols, without spaces.',
  ],
  [{ grpcDescriptors: ['a', 5] }, 'grpcDescriptors is [Array], but must be a list in which every value'],
  [{ watch: 1 }, 'watch is 1, but must be true or false.'],
  [{ log: 'loud' }, 'log is "loud", but must be one of pretty, json, silent, or a function.'],
  [{ tlsCert: '/no.pem', tlsKey }, 'The certificate /no.pem cannot be read (ENOENT).'],
  [{ tlsCert, tlsKey: '/no.key' }, 'The private key /no.key cannot be read (ENOENT).'],
  [{ tlsCert: tlsKey, tlsKey: tlsCert }, 'are not a certificate and its private key in PEM'],
  [{ tlsCert: 'cert.pem' }, 'tlsCert needs tlsKey as well.'],
  [{ scenario: 'defualt' }, 'there is no scenario "defualt". Did you mean "default"?'],
])('the options %j are refused with a message', async (options, message) => {
  await expect(start(options)).rejects.toThrow(message);
});

test('createMock refuses options that are not an object, and options that only startMock has', () => {
  const create = (options: unknown) => createMock(options as object); // as a JavaScript caller could write it
  expect(() => create('default')).toThrow('The options must be an object such as { port: 0 }.');
  expect(() => create({ port: 0 })).toThrow('There is no option port. Only startMock has this option');
});

test('strict, hosted and clock, which may be a Date, win over the scenario in all environments, also in later ones', async () => {
  const now = '2030-01-02T03:04:05.000Z';
  const scenario = { environments: { own: { settings: { strict: true } } } };
  const mock = await start({ scenario, strict: false, hosted: 'deny', clock: new Date(now) });
  for (const env of [...(await mock.environments()), await mock.createEnvironment({ scenario: 'empty' })]) {
    expect(await env.settings()).toMatchObject({ strict: false, hosted: 'deny' });
    expect(await env.clock()).toEqual({ mode: 'frozen', now });
  }
  await expect(start({ clock: new Date('x') })).rejects.toThrow('clock is Invalid Date, but must be ');
});

// Closing a mock leaves nothing open.

const opened = async ({ url }: Mock) => {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  await once(socket, 'connect');
  return socket;
};

test('closing a mock ends idle connections at once, and waits for a call under way', async () => {
  const mock = await start();
  const [busy, silent] = [await opened(mock), await opened(mock)];
  busy.write('POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{');
  await fetch(`${mock.url}/keys`); // the mock has read what came before
  const closing = mock.close();
  const first = await Promise.race([once(silent, 'close').then(() => 'silent'), closing.then(() => 'mock')]);
  expect(first).toBe('silent');
  busy.destroy();
  await closing;
});

test('behaviour E8: a mock that closes answers the calls under way without their delays', async () => {
  const mock = await start();
  await (await mock.environment()).faults.add({ operation: 'getKeys', delay_ms: 60_000, status: 503 });
  const underWay = await opened(mock);
  underWay.write('GET /keys HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await fetch(`${mock.url}/api/v1/connections`); // the mock has read what came before
  const closing = mock.close();
  expect(await text(underWay)).toMatch(/^HTTP\/1\.1 503 /);
  await closing;
});

test('a mock can be closed twice, also by `await using`, and refuses later calls with a message', async () => {
  const mock = await start();
  const env = await mock.environment();
  await Promise.all([mock.close(), mock[Symbol.asyncDispose]()]);
  for (const change of [() => mock.createEnvironment(), () => env.reset(), () => env.faults.clear()])
    await expect(change()).rejects.toThrow('was closed. Close it only after the last test');
  await expect(fetch(mock.url)).rejects.toThrow('fetch failed');
});

// `connectMock` finds a mock by its address. Messages explain a wrong address or token.

const CLOSED = 'http://127.0.0.1:1'; // nothing listens on this port
const served = await startMock({ scenario: 'empty', port: 0, log: 'silent', controlToken: 'secret' });
afterAll(() => served.close());

const notAnAddress = (address: string): string =>
  `${JSON.stringify(address)} is not the address of a mock. Include the scheme, as in http://127.0.0.1:4720.`;

test.each<[string, string, string, string?]>([
  ...['nonsense', 'localhost:4720', '', 'ftp://127.0.0.1:4720', 'http://'].map(
    (address): [string, string, string] => [address, 'INVALID_ARGUMENT', notAnAddress(address)],
  ),
  [CLOSED, 'UNREACHABLE', `Nothing is responding at ${CLOSED}. Start the mock first`],
  [served.url, 'UNAUTHENTICATED', ''],
  [served.url, 'UNAUTHENTICATED', 'The control token is wrong.', 'other'],
  ...['', 'open sesame', 'sesame\n', 'sésame€'].map((token): [string, string, string, string] => [
    served.url,
    'INVALID_ARGUMENT',
    '',
    token,
  ]),
])('connectMock refuses the address %j (%s), and the message says what to do, but no token: %j %j', async (address, code, message, controlToken = undefined) => {
  const options = controlToken === undefined ? {} : { controlToken };
  const error: Error = await connectMock(address, options).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: 'MockError', code, message: expect.stringContaining(message) });
  expect(error.message).not.toContain('sesame');
});

test('connectMock refuses an address with a path, and accepts a URL object or a slash at the end', async () => {
  const options = { controlToken: 'secret' };
  await expect(connectMock(`${served.url}/api`, options)).rejects.toThrow('but the reply is not from a mock');
  for (const address of [`${served.url}//`, new URL(served.url)])
    expect((await connectMock(address, options)).url).toBe(served.url);
  const shouted = served.url.replace('http', 'HTTP');
  expect((await connectMock(shouted, options)).url).toBe(shouted);
});

test('address and token come from variables, an empty one counts as not set, and fetch takes a path with options', async () => {
  Object.assign(process.env, { CA_MOCK_URL: served.url, CA_MOCK_CONTROL_TOKEN: 'secret' });
  const remote = await connectHere(); // with the variables of this test file
  expect((await remote.fetch('/keys', { method: 'HEAD' })).status).toBe(200);
  expect(await (await remote.fetch('keys', { method: 'HEAD' })).text()).toBe('');
  const request = new Request(`${served.url}/oauth/token`, { method: 'POST' });
  expect((await remote.fetch(request)).status).toBe(400);
  process.env.CA_MOCK_URL = '';
  const said = await connectHere().then(String, String); // whatever listens at the default address
  expect(said).not.toContain('is not the address of a mock');
  delete process.env.CA_MOCK_URL;
  delete process.env.CA_MOCK_CONTROL_TOKEN;
});

test('behaviour E9: a call with the trace of a remote environment goes to that environment', async () => {
  const remote = await connectMock(served.url, { controlToken: 'secret' });
  const env = await remote.createEnvironment();
  for (const headers of Object.entries(env.traceHeaders))
    await remote.fetch('/api/v1/connections', { headers: [[...headers]] });
  expect(await env.requests({ status: 401 })).toHaveLength(2);
});

test('a connection is closed at the end of its block, and says so afterwards; the mock goes on', async () => {
  const connect = () => connectMock(served.url, { controlToken: 'secret' });
  const remote = await connect();
  {
    await using same = remote;
    await same.environments();
  }
  await expect(remote.environments()).rejects.toThrow(`The mock at ${served.url} was closed.`);
  await (await connect()).close();
});

test('the package exports these values, and nothing else but types', () => {
  const source = readFileSync(new URL('../../src/index.ts', import.meta.url), 'utf8');
  const names = [...source.matchAll(/export (?!type)\{?([^}]*)\}/g)].flatMap(
    ([, list = '']) => list.match(/(type )?\w+/g) ?? [],
  );
  expect(names.sort()).toEqual([
    'MockError',
    'connectMock',
    'createMock',
    'startMock',
    'type ConnectOptions',
  ]);
});
