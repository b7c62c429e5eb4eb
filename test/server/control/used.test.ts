/** What calls relied on, as listed in `used.json`. */
import { expect, test } from '@jest/globals';
import { testServer } from '../../support/server.ts';

const server = testServer();

const LIST = '/api/v1/connected_accounts';

const isolated = async () => {
  const { api, control, name } = await server.isolated();
  return { api, control, name, used: async () => (await control('GET', '/used')).body.operations };
};

test('used.json has the sorted names that a call used, with values only if the contract lists them', async () => {
  const { api, used } = await isolated();
  await api('GET', '/api/v1/connections?include=all&organizationId=org_100000000000000001');
  const connected_account = { api_config: { secret_key: 'x' } };
  await api('POST', LIST, { connector: 'mail', identifier: 'used@acme.test', connected_account });
  const { listConnections, createConnectedAccount } = await used();
  expect(listConnections.sends).toEqual(['include=all', 'organization_id']);
  const sends = ['connected_account.api_config', 'connector', 'identifier'];
  expect(createConnectedAccount.sends).toEqual(sends);
  expect(createConnectedAccount.gets['201']).toContain('connected_account.status');
  expect(JSON.stringify(await used())).not.toMatch(/acme|mail|secret_key|ACTIVE/);
});

test('used.json names a list only if it is empty, and otherwise the members of its items', async () => {
  const { api, used } = await isolated();
  await api('GET', '/api/v1/connections?domain=none.test');
  expect((await used()).listConnections.gets['200']).toEqual(['connections']);
  await api('GET', '/api/v1/connections');
  const { 200: members } = (await used()).listConnections.gets;
  expect(members).toEqual(expect.arrayContaining(['connections[].key_id', 'connections[].type']));
  expect(members).not.toContain('connections');
});

test('used.json ignores calls that broke the contract, and includes other refused calls', async () => {
  const { api, used } = await isolated();
  await api('GET', `${LIST}?page_size=1000&query=x`);
  expect((await used()).listConnectedAccounts.sends).toEqual([]);
  await api('GET', `${LIST}/details?id=ca_1`);
  const { getConnectedAccountDetails } = await used();
  expect(getConnectedAccountDetails.sends).toEqual(['id']);
  expect(getConnectedAccountDetails.gets['404']).toContain('message');
});

test('used.json has the members of an injected error or reply that the contract names', async () => {
  const { api, control, used } = await isolated();
  await api('GET', LIST, undefined, { prefer: 'code=503' });
  const members = (await used()).listConnectedAccounts.gets['503'];
  expect(members).toEqual(expect.arrayContaining(['code', 'message']));
  const fault = { operation: 'listConnections', body: { connections: [{ id: 'conn_1' }] } };
  await control('POST', '/faults', fault);
  await api('GET', '/api/v1/connections');
  expect((await used()).listConnections.gets['200']).toEqual(['connections[].id']);
});

test('used.json lists no reply of a call whose connection was cut', async () => {
  const { api, control } = await server.isolated();
  await control('POST', '/faults', { operation: 'listConnections', abort: true });
  await expect(api('GET', '/api/v1/connections')).rejects.toThrow();
  expect((await control('GET', '/used')).body.operations).toEqual({
    listConnections: { sends: [], gets: {} },
  });
});

test('the total includes deleted environments and survives resets', async () => {
  const one = await isolated();
  const other = await isolated();
  await one.api('GET', '/api/v1/connections?include=all');
  await other.api('GET', '/api/v1/connections?domain=a.test');
  await server.control('POST', `/environments/${one.name}/reset`, { journal: true });
  expect((await one.used()).listConnections.sends).toEqual(['include=all']);
  await server.control('DELETE', `/environments/${other.name}`);
  const { body } = await server.control('GET', '/used');
  expect(body).toMatchObject({ format: 1, api: '1.0.0' });
  expect(body.operations.listConnections.sends).toEqual(expect.arrayContaining(['domain', 'include=all']));
  expect(body.operations.listConnections.gets['200']).toContain('connections[].key_id');
  const names: string[] = Object.keys(body.operations);
  expect(names).toEqual(names.toSorted());
});
