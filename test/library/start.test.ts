/** Starting, listening, reloading and closing. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get as getHttps } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { createMock, type LogEntry, type Mock, type StartOptions, startMock } from '../../src/index.ts';

const open: Mock[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((mock) => mock.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const start = async (options: StartOptions = {}): Promise<Mock> => {
  const mock = await startMock({ scenario: 'default', port: 0, log: 'silent', ...options });
  open.push(mock);
  return mock;
};

const certificateFile = (name: string): string =>
  fileURLToPath(new URL(`../support/tls/${name}.pem`, import.meta.url));
const TLS_CERT = certificateFile('cert');
const TLS_KEY = certificateFile('key');

const BEARER = { headers: { authorization: 'Bearer dev-token' } };

test('port 0 never collides', async () => {
  const mocks = await Promise.all(Array.from({ length: 10 }, () => start()));
  expect(new Set(mocks.map(({ url }) => url)).size).toBe(10);
});

test('two mocks of one process do not influence each other', async () => {
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
  expect(strict.environment().events()).toEqual([]);
  expect(lenient.environment().events()).toHaveLength(1);
});

test('the call that makes a mock ready leaves no trace', async () => {
  const mock = await start();
  expect(mock.coverage().operations.seen).toBe(0);
  expect(mock.environments().map(({ name }) => name)).toEqual(['development', 'production']);
  const response = await fetch(`${mock.url}/api/v1/connections`, BEARER);
  expect(response.headers.get('x-request-id')).toBe('req_1');
  expect(mock.environment().requests()).toHaveLength(1);
  expect(mock.createEnvironment().name).toBe(createMock({ scenario: 'default' }).createEnvironment().name);
});

test('links lead to the address it listens on, or to the one it is told', async () => {
  const keys = async ({ url }: Mock) => (await fetch(`${url}/.well-known/openid-configuration`)).json();
  const plain = await start();
  expect(await keys(plain)).toMatchObject({ issuer: plain.url });
  expect(await keys(await start({ baseUrl: 'https://dev.example.test/' }))).toMatchObject({
    issuer: 'https://dev.example.test',
  });
});

test('behaviour T11: with a certificate and its key it serves HTTPS', async () => {
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
});

test('a port in use is refused with a way out, and nothing is left open', async () => {
  const { port } = new URL((await start()).url);
  await expect(start({ port: Number(port) })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    message: `Port ${port} of 127.0.0.1 is in use. Choose another one, or 0 for any that is free.`,
  });
});

test.each<[string, object, string]>([
  [
    'an option that does not exist',
    { scenaro: 'empty' },
    'There is no option scenaro. Did you mean "scenario"?',
  ],
  ['a port', { port: '4720' }, 'port is "4720", but must be a whole number from 0 to 65535.'],
  ['a seed', { seed: -1 }, "seed is -1, but must be a whole number from 0 to 4294967295, or 'random'."],
  [
    'a clock',
    { clock: 'noon' },
    'clock is "noon", but must be an ISO 8601 time such as 2026-01-15T09:30:00Z.',
  ],
  ['a base URL', { baseUrl: 'dev' }, 'baseUrl is "dev", but must be an http:// or https:// URL.'],
  ['a hosted mode', { hosted: 'yes' }, 'hosted is "yes", but must be interactive, approve, deny.'],
  ['a switch', { strict: 'yes' }, 'strict is "yes", but must be true or false.'],
  ['another switch', { watch: 1 }, 'watch is 1, but must be true or false.'],
  ['a log', { log: 'loud' }, 'log is "loud", but must be pretty, json, silent, or a function.'],
  [
    'a certificate that is not there',
    { tlsCert: '/no/such.pem', tlsKey: TLS_KEY },
    'The certificate /no/such.pem cannot be read (ENOENT).',
  ],
  [
    'a key that is not there',
    { tlsCert: TLS_CERT, tlsKey: '/no/such.key' },
    'The private key /no/such.key cannot be read (ENOENT).',
  ],
  [
    'a certificate and key in the wrong order',
    { tlsCert: TLS_KEY, tlsKey: TLS_CERT },
    'are no certificate and its private key in PEM',
  ],
  ['half of a certificate', { tlsCert: 'cert.pem' }, 'HTTPS needs a certificate and its private key.'],
  ['an empty control token', { controlToken: '' }, 'controlToken is empty.'],
  ['a scenario', { scenario: 'defualt' }, 'there is no scenario "defualt". Did you mean "default"?'],
])('refused in words: %s', async (_what, options, message) => {
  await expect(start(options)).rejects.toThrow(message);
});

test('a scenario can be an object', async () => {
  const mock = await start({
    scenario: {
      extends: 'empty',
      environments: { development: { connections: [{ key_id: 'wiki', type: 'OAUTH' }] } },
    },
  });
  expect(mock.environment('development').state().connections).toHaveLength(1);
  expect(mock.createEnvironment({ seed: 7 }).state().connections?.[0]?.key_id).toBe('wiki');
});

test('strict and hosted apply to every environment, also to those made later', async () => {
  const mock = await start({ strict: true, hosted: 'deny' });
  const all = [...mock.environments(), mock.createEnvironment({ scenario: 'empty' })];
  expect(all.map((env) => [env.settings().strict, env.settings().hosted])).toEqual(
    all.map(() => [true, 'deny']),
  );
});

test('closing lets a call under way finish, and nobody else in', async () => {
  const mock = await start();
  mock.environment().faults.add({ operation: 'listConnections', delay_ms: 60 });
  const call = fetch(`${mock.url}/api/v1/connections`, BEARER);
  const arrived = new Promise<void>((resolve) => {
    const look = (): void => {
      if (mock.environment().faults.list()[0]?.strikes === 1) resolve();
      else setImmediate(look);
    };
    look();
  });
  await arrived;
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

test('closing twice is closing once', async () => {
  const mock = await start();
  await Promise.all([mock.close(), mock.close()]);
});

test('watch: a scenario that an environment made at runtime stands in the way of is not loaded', async () => {
  const { mock, file, next } = await startWatching(own('one@acme.test'));
  mock.createEnvironment({ name: 'staging' });
  writeFileSync(file, `${own('two@acme.test')}  staging: {}\n`);
  expect(await next()).toMatchObject({
    event: 'reload_failed',
    message: expect.stringContaining('The environment staging, made at runtime'),
  });
  expect(identifiers(mock.environment('development'))).toContain('one@acme.test');
});

test('`await using` closes', async () => {
  const mock = await start();
  await mock[Symbol.asyncDispose]();
  await expect(fetch(mock.url)).rejects.toThrow('fetch failed');
});

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'ca-mock-'));
  folders.push(folder);
  return folder;
};

/** A mock that watches a file of its own, and its log entries one after the other. */
const startWatching = async (text: string, folder = newFolder(), name = 'own.yaml') => {
  const file = join(folder, name);
  writeFileSync(file, text);
  const entries: LogEntry[] = [];
  let wake = (): void => {};
  const log = (entry: LogEntry): void => {
    entries.push(entry);
    wake();
  };
  const mock = await start({ scenario: file, watch: true, log });
  const next = async (): Promise<LogEntry> => {
    for (;;) {
      const entry = entries.shift();
      if (entry) return entry;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { mock, folder, file, entries, next };
};

const own = (identifier: string): string => `extends: default
environments:
  development:
    connected_accounts:
      - { connector: mail, identifier: ${identifier} }
`;

const identifiers = (env: {
  state(): { readonly connected_accounts?: readonly { identifier?: string }[] };
}) => env.state().connected_accounts?.map(({ identifier }) => identifier);

test('watch: a changed scenario is loaded again, and environments made at runtime stay', async () => {
  const { mock, file, next } = await startWatching(own('one@acme.test'));
  const made = mock.createEnvironment();
  writeFileSync(file, own('two@acme.test'));
  expect(await next()).toMatchObject({ event: 'reloaded' });
  expect(identifiers(mock.environment('development'))).toContain('two@acme.test');
  expect(identifiers(made)).toContain('one@acme.test');
  expect(identifiers(mock.createEnvironment())).toContain('two@acme.test');
});

test('watch: a broken edit is reported and the old state kept, until it is mended', async () => {
  const { mock, file, next } = await startWatching(own('one@acme.test'));
  writeFileSync(file, own('two@acme.test').replace('connector', 'conector'));
  expect(await next()).toMatchObject({
    event: 'reload_failed',
    message: expect.stringContaining('own.yaml:5:'),
  });
  expect(identifiers(mock.environment('development'))).toContain('one@acme.test');
  writeFileSync(file, own('three@acme.test'));
  expect(await next()).toMatchObject({ event: 'reloaded' });
  expect(identifiers(mock.environment('development'))).toContain('three@acme.test');
});

test('watch: a broken edit is reported once, whatever else is written to its folder', async () => {
  const { folder, file, entries, next } = await startWatching(own('one@acme.test'));
  writeFileSync(file, own('two@acme.test').replace('connector', 'conector'));
  expect(await next()).toMatchObject({ event: 'reload_failed' });
  const other = await startWatching(own('three@acme.test'), folder, 'other.yaml');
  writeFileSync(other.file, own('four@acme.test'));
  expect(await other.next()).toMatchObject({ event: 'reloaded' });
  expect(entries).toEqual([]);
});

test('watch: environments come and go, and clients may move between them', async () => {
  const written = (first: string, second: string): string => `environments:
  ${first}: { clients: [{ client_id: one, client_secret: s }] }
  ${second}: { clients: [{ client_id: two, client_secret: s }] }
`;
  const { mock, file, next } = await startWatching(written('a', 'b'));
  writeFileSync(file, written('b', 'c'));
  expect(await next()).toMatchObject({ event: 'reloaded' });
  expect(mock.environments().map(({ name, credentials }) => [name, credentials.clientId])).toEqual([
    ['b', 'one'],
    ['c', 'two'],
  ]);
});
