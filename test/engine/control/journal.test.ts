/** Reading the journal: limits, single calls, waits and archives. */
import { expect, test } from '@jest/globals';
import { testServer } from '../../support/server.ts';

const server = testServer();

const LIST = '/api/v1/connected_accounts';
const CONNECTIONS = '/api/v1/connections';

test('`limit` sets how many of the last calls are returned; without it, a list has 100 calls and an archive has all', async () => {
  const { control, api } = await server.isolated();
  for (let call = 1; call <= 124; call += 1) await api('GET', CONNECTIONS);
  const ask = async (query: string) => (await control('GET', `/requests?${query}`)).body;
  const found = async (query: string): Promise<number[]> =>
    (await ask(query)).requests.map(({ sequence }: { sequence: number }) => sequence);
  expect(await found('limit=2')).toEqual([123, 124]);
  const all = await found('');
  expect([all.length, all[0], all.at(-1)]).toEqual([100, 25, 124]);
  expect((await ask('format=har')).log.entries).toHaveLength(124);
  expect((await ask('format=har&limit=3')).log.entries).toHaveLength(3);
});

test('a call can be read by its number', async () => {
  const { control, api } = await server.isolated();
  for (const path of [CONNECTIONS, LIST]) await api('GET', path);
  const { requests } = (await control('GET', '/requests')).body;
  expect((await control('GET', '/requests/2')).body).toEqual(requests[1]);
});

test('`text` finds a part of path, query, either body or the client, in any case, before bodies are cut', async () => {
  const { control, api } = await server.isolated();
  const long = `${'x'.repeat(70_000)} Needle`;
  await api('POST', LIST, {
    connector: 'mail',
    identifier: 'Met@acme.test',
    connected_account: { api_config: { long } },
  });
  await api('GET', `${LIST}?identifier=zo%C3%AB%40acme.test`);
  await api('GET', '/api/v1/connections');
  const found = async (text: string): Promise<number[]> => {
    const { requests } = (await control('GET', `/requests?${new URLSearchParams({ text })}`)).body;
    return requests.map(({ sequence }: { sequence: number }) => sequence);
  };
  for (const [text, calls] of [
    ['met@acme', [1]],
    ['NEEDLE', [1]],
    ['zoë@ACME', [2]],
    ['/CONNECTIONS', [3]],
    ['key_id', [3]],
    ['nobody', []],
  ] as const)
    expect([text, await found(text)]).toEqual([text, calls]);
  const { client_id, client_secret } = (await control('GET', '')).body;
  const token = await server.issueToken(client_id, client_secret);
  await server.call('GET', CONNECTIONS, { token });
  expect(await found(client_id.toUpperCase())).toEqual([4, 5]); // the token call, which sends the id, and the call of the client
});

test('a call may wait for five minutes, and not longer', async () => {
  const { control, api } = await server.isolated();
  await api('GET', CONNECTIONS);
  const wait = async (time: string) => (await control('GET', `/requests?wait=${time}`)).status;
  expect([await wait('5m'), await wait('5m1ms')]).toEqual([200, 400]);
});

test('a wait ends when its environment is deleted', async () => {
  const { control, name } = await server.isolated();
  const env = await server.mock.environment(name);
  const waiting = env.waitForRequest({ status: 503, timeout: '5m' });
  await Promise.all([
    control('DELETE', ''),
    expect(waiting).rejects.toThrow(/No matching call|does not exist/),
  ]);
});
