/** Starting a mock: on which address it listens, what its options do, and how wrong options are refused. */
import { readFileSync } from 'node:fs';
import { get as getHttps } from 'node:https';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { createMock, type Mock, startMock } from '#mock';
import { requireStartOptions } from '../../src/library/options.ts';
import { BEARER, start } from './start.ts';

const certificateFile = (name: string): string =>
  fileURLToPath(new URL(`../support/tls/${name}.pem`, import.meta.url));
const TLS_CERT = certificateFile('cert');
const TLS_KEY = certificateFile('key');

test('two mocks in one process do not affect each other', async () => {
  const [strict, lenient] = [
    await start({ strict: true, validateResponses: 'on' }),
    await start({ validateResponses: 'off' }),
  ];
  const created = { method: 'POST', headers: { ...BEARER.headers, 'content-type': 'application/json' } };
  const body = JSON.stringify({ connector: 'mail', identifier: 'new@acme.test', unknown: 1 });
  const statuses = [strict, lenient].map(
    async ({ url }) => (await fetch(`${url}/api/v1/connected_accounts`, { ...created, body })).status,
  );
  expect(await Promise.all(statuses)).toEqual([400, 201]);
  expect(await (await strict.environment()).events()).toEqual([]);
  expect(await (await lenient.environment()).events()).toHaveLength(1);
});

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

test('behaviour T11: with a certificate and its key the mock serves HTTPS', async () => {
  const mock = await start({ tlsCert: TLS_CERT, tlsKey: TLS_KEY });
  expect(mock.url).toMatch(/^https:/);
  const status = await new Promise((resolve, reject) => {
    const ca = readFileSync(TLS_CERT);
    getHttps(`${mock.url}/keys`, { ca, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
  expect(status).toBe(200);
});

test('an address that other machines can reach needs a control token', async () => {
  await expect(start({ host: '0.0.0.0' })).rejects.toThrow(
    'Set a control token (controlToken, --control-token), or listen on 127.0.0.1.',
  );
  const mock = await start({ host: '0.0.0.0', controlToken: 'secret' });
  expect(mock.url).toMatch(/^http:\/\/localhost:/);
  for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])
    expect(() => requireStartOptions({ host })).not.toThrow();
  for (const host of ['::', '128.0.0.1', '127.0.0.1.test', 'my-localhost'])
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
  [{ tlsCert: '/no.pem', tlsKey: TLS_KEY }, 'The certificate /no.pem cannot be read (ENOENT).'],
  [{ tlsCert: TLS_CERT, tlsKey: '/no.key' }, 'The private key /no.key cannot be read (ENOENT).'],
  [{ tlsCert: TLS_KEY, tlsKey: TLS_CERT }, 'are not a certificate and its private key in PEM'],
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

test('strict and hosted apply to all environments, also to those created later', async () => {
  const mock = await start({ strict: true, hosted: 'deny' });
  const all = [...(await mock.environments()), await mock.createEnvironment({ scenario: 'empty' })];
  for (const env of all) expect(await env.settings()).toMatchObject({ strict: true, hosted: 'deny' });
});

test('the clock is frozen at a Date, as at a text', async () => {
  const now = '2030-01-02T03:04:05.000Z';
  await using mock = await startMock({ port: 0, log: 'silent', clock: new Date(now) });
  expect(await (await mock.environment()).clock()).toEqual({ mode: 'frozen', now });
  await expect(startMock({ clock: new Date('x') })).rejects.toThrow('clock is Invalid Date, but must be ');
});
