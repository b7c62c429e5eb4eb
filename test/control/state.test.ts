import { expect, test } from '@jest/globals';
import { testServer } from '../support/server.ts';

const server = testServer();

const LIST = '/api/v1/connected_accounts';

test('an exported state can be put into another environment, and its export is the same', async () => {
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

test('behaviour E5: a client of another environment cannot be put into this one, and nothing changes', async () => {
  const { control, api } = await server.isolated();
  const { status, body } = await control('PATCH', '/state', {
    clients: [{ client_id: 'dev-client', client_secret: 'x' }],
    connected_accounts: [{ connector: 'mail', identifier: 'half@acme.test' }],
  });
  expect(status).toBe(409);
  expect(body.error.message).toContain('dev-client');
  expect((await api('GET', LIST)).body.total_size).toBe(12);
});

test('PATCH refuses the id of another environment', async () => {
  const { control } = await server.isolated();
  const { status, body } = await control('PATCH', '/state', { id: 'env_100000000000000001' });
  expect([status, body.error.hint]).toEqual([400, 'Leave it out.']);
  const { id } = (await control('GET', '')).body;
  expect((await control('PATCH', '/state', { id })).status).toBe(200);
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

test('a PATCH with mistakes is 400, names every mistake, and changes nothing', async () => {
  const { control, api } = await server.isolated();
  const { status, body } = await control('PATCH', '/state', {
    connected_accounts: [
      { connector: 'mail', identifier: 'fine@acme.test' },
      { connector: 'mial', identifier: 'lost@acme.test' },
    ],
    users: [{ email: 'no address' }],
  });
  expect(status).toBe(400);
  expect(body.error.message).toContain('users[0].email');
  expect((await api('GET', LIST)).body.total_size).toBe(12);
});

test('an unknown snapshot is 404, and the message suggests the most similar name', async () => {
  const { control } = await server.isolated();
  await control('POST', '/snapshots', { name: 'start' });
  const { status, body } = await control('POST', '/snapshots/strat/restore');
  expect(status).toBe(404);
  expect(body.error.hint).toContain('Did you mean "start"?');
});
