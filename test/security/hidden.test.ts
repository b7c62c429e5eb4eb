/** A credential in any place of a call is hidden in every place that shows calls (behaviour R2). */
import { expect, test } from '@jest/globals';
import type { LogEntry } from '../../src/index.ts';
import { startGrpc } from '../grpc/support.ts';

const logged: LogEntry[] = [];
const server = await startGrpc({ log: (entry) => logged.push(entry) });

const CANARY = /canary-[\w-]*/g;
const JSON_TYPE = { 'content-type': 'application/json' };
const ACCOUNTS = '/api/v1/connected_accounts';

const ask = async (path: string, init: RequestInit = {}): Promise<string> => {
  const headers = { authorization: 'Bearer dev-token', ...(init.headers as object) };
  return (await fetch(server.mock.url + path, { ...init, headers })).text();
};
const post = (path: string, body: unknown, headers = {}): Promise<string> =>
  ask(path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) });

/** Names that are credentials by convention. */
const NAMES = ['passphrase', 'jwt', 'private_key_pem', 'secret_key', 'code_verifier', 'X-Jwt', 'DPoP'];
const NAMED = Object.fromEntries(NAMES.map((name) => [name, `canary-${name}`]));
const PAIRS = [['client_secret', 'canary-pair']];
const CONNECT = '/example.accounts.v1.ConnectedAccounts/CreateConnectedAccount';
const DETAILS = { authorization_details: { oauth_token: 'canary-of-connect' } };

test.each<[string, () => Promise<string>]>([
  ['a parameter of a path', () => ask(`${ACCOUNTS};client_secret=canary-in-path`)],
  ['a parameter of a segment', () => ask(`/api;client_secret=canary-in-segment/v1/connections`)],
  ['an encoded parameter of a path', () => ask(`${ACCOUNTS}%3Bclient_secret%3Dcanary-encoded`)],
  ['a query', () => ask(`${ACCOUNTS}?${new URLSearchParams(NAMED)}&page_size=x`)],
  ['a list of pairs', () => post(ACCOUNTS, { metadata: PAIRS })],
  ['members with names of convention', () => post(ACCOUNTS, { connector: 'mail', api_config: NAMED })],
  ['a pair of name and value', () => post(ACCOUNTS, { a: { name: 'client_secret', value: 'canary-value' } })],
  ['headers', () => ask('/api/v1/connections?page_size=x', { headers: NAMED })],
  [
    'binary metadata of gRPC',
    async () => {
      const headers = { 'trace-bin': 'canary-bin', 'x-api-key': 'canary-metadata' };
      return String(await server.fail('ConnectedAccounts/CreateConnectedAccount', {}, { headers }));
    },
  ],
  ['a value of the wrong type in JSON of Connect', () => post(CONNECT, { connected_account: DETAILS })],
  [
    'JSON of Connect that is cut off',
    () => ask(CONNECT, { method: 'POST', headers: JSON_TYPE, body: '{"client_secret": "canary-cut' }),
  ],
])('an error does not show a credential from %s', async (_where, call) => {
  const refusal = await call();
  expect(refusal.length).toBeGreaterThan(2);
  expect(refusal.match(CANARY)).toBeNull();
});

test('no list of the control plane, archive, stream or log shows one of these credentials', async () => {
  const env = await server.mock.environment();
  const requests = await env.requests();
  expect(requests.length).toBeGreaterThan(8);
  const within = `/_mock/environments/${env.name}`;
  const calls = requests.map(({ sequence }) => `requests/${sequence}`);
  const shown: [place: string, text: string][] = [
    ['journal', JSON.stringify(requests)],
    ['stream', await readStream(`/_mock/live?environments=${env.name}`)],
    ['log', JSON.stringify(logged)],
  ];
  for (const path of [...calls, 'requests?format=har', 'used', 'coverage', 'events', 'visits', 'faults'])
    shown.push([path, await ask(`${within}/${path}`)]);
  for (const [place, text] of shown) expect([place, text.match(CANARY)]).toEqual([place, null]);
});

/** What a stream sends at once: the calls that are kept. */
const readStream = async (path: string): Promise<string> => {
  const stop = new AbortController();
  const reply = await fetch(server.mock.url + path, { signal: stop.signal });
  const chunk = await reply.body?.getReader().read();
  stop.abort();
  return Buffer.from(chunk?.value ?? []).toString();
};
