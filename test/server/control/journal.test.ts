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

test('a call can be read by its number, and has the ids of the rows that it named, changed or returned', async () => {
  const { control, api } = await server.isolated();
  const body = { connector: 'mail', identifier: 'met@acme.test', user_id: 'usr_1' };
  const { id } = (await api('POST', LIST, body)).body.connected_account;
  await api('GET', LIST);
  await api('GET', `${LIST}/details?connector=mail&identifier=met@acme.test`);
  await api('POST', `${LIST}:delete`, { connector: 'mail', identifier: 'met@acme.test' });
  await api('GET', `${LIST}/details?id=${id}`);
  const { requests } = (await control('GET', '/requests')).body;
  expect(requests.map(({ rows }: { rows: string[] }) => rows)).toEqual([['usr_1', id], [], [id], [id], [id]]);
  expect((await control('GET', '/requests/2')).body).toEqual(requests[1]);
});

test('a wait ends when its environment is deleted', async () => {
  const { control, name } = await server.isolated();
  const env = await server.mock.environment(name);
  const waiting = env.waitForRequest({ status: 503, timeout: '60s' });
  await Promise.all([
    control('DELETE', ''),
    expect(waiting).rejects.toThrow(/No matching call|does not exist/),
  ]);
});

test('other calls are answered while a long journal is written', async () => {
  const { control, api } = await server.isolated();
  const metadata = { text: 'x'.repeat(60_000) };
  for (let call = 0; call < 60; call += 1)
    await api('POST', LIST, { connector: 'mail', identifier: '', metadata });
  let isRead = false;
  const reading = control('GET', '/requests?format=har').then((answer) => {
    isRead = true;
    return answer;
  });
  let answered = 0;
  while (!isRead) {
    await server.control('GET', '/health');
    answered += 1;
  }
  expect((await reading).body.log.entries).toHaveLength(60);
  expect(answered).toBeGreaterThan(3);
});
