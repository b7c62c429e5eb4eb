import { expect, test } from '@jest/globals';
import { testServer } from '../../support/server.ts';

const server = testServer();

test('an exported state can be put into another environment, which then exports the same state', async () => {
  const source = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  const target = await server.isolated({ scenario: 'empty', clock: '2026-03-01T12:00:00Z' });
  const { body: exported } = await source.control('GET', '/state');
  expect(exported.connected_accounts).toHaveLength(12);
  const { clients: _clients, access_tokens: _tokens, ...rows } = exported;
  const own = (await target.control('GET', '/state')).body;
  const put = { ...rows, id: own.id, clients: own.clients, access_tokens: own.access_tokens };
  expect((await target.control('PUT', '/state', put)).body).toEqual({});
  expect((await target.control('GET', '/state')).body).toEqual(put);
});

test('PATCH and PUT of the state cause an event with the number of rows', async () => {
  const { control } = await server.isolated();
  const accounts = [{ connector: 'mail', identifier: 'told@acme.test' }];
  await control('PATCH', '/state', { connected_accounts: accounts });
  await control('PUT', '/state', { access_tokens: [] });
  expect((await control('GET', '/events')).body.events).toMatchObject([
    { type: 'state.changed', resource: { connected_accounts: '1' } },
    { type: 'state.replaced', resource: { access_tokens: '0' } },
  ]);
});
