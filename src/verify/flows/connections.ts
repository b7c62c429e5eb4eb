/** Cases about the list of connections. */
import { type Case, reading, test } from '../case.ts';
import type { Call } from '../client.ts';
import { exactly, listOf, someOf, someText, without } from '../matchers.ts';
import type { Service } from '../service.ts';

const list = (service: Service, query: NonNullable<Call['query']>, connections: unknown) =>
  service.call('listConnections', { query }, { body: { connections } });

export const CONNECTION_FLOWS: readonly Case[] = reading(
  'listConnections',
  test('Listing connections returns one list, with the id and key_id of each connection', (service) =>
    list(service, { include: 'all' }, listOf({ id: someText, key_id: someText }))).promised(),
  test('Without include=all, the list has only enabled and COMPLETED connections', async (service) => {
    await list(service, {}, listOf({ enabled: true, status: 'COMPLETED' }));
    const { id } = service.connection('a disabled connection', { enabled: false });
    await list(service, { include: 'all' }, [{ id }]);
    await list(service, {}, without({ id }));
  }).inferred('C1'),
  test('The filter domain returns the connections with that domain, ignoring case', async (service) => {
    const like = { domains: someOf(someText) };
    const { domains: [domain = ''] = [] } = service.connection('a connection with a domain', like);
    await list(service, { domain: domain.toUpperCase(), include: 'all' }, someOf({ domains: [domain] }));
  }).inferred('C1'),
  test('The filter organization_id returns the connections of that organization', async (service) => {
    const like = { organization_id: someText };
    const { organization_id = '' } = service.connection('a connection of an organization', like);
    await list(service, { organization_id, include: 'all' }, someOf({ organization_id }));
  }).inferred('C1'),
  test('A filter that matches no connection returns an empty list', async (service) => {
    await list(service, { organization_id: 'conformance-nobody', include: 'all' }, exactly());
    await list(service, { domain: 'conformance.invalid' }, exactly());
  }).inferred('C1', 'I2'),
);
