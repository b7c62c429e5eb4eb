import { expect, test } from '@jest/globals';
import { call, stateOf } from '../support/core.ts';
import { ACME, directory, GLOBEX } from '../support/people.ts';
import { connectionRow } from '../support/rows.ts';

const state = stateOf(
  {
    connections: [
      connectionRow({ key_id: 'mail', type: 'OAUTH', scopes: ['read'], serverless: true }),
      connectionRow({ key_id: 'paused', type: 'OAUTH', enabled: false }),
      connectionRow({ key_id: 'drafty', type: 'OAUTH', status: 'DRAFT' }),
      connectionRow({
        key_id: 'acme-oidc',
        type: 'OIDC',
        organization_id: ACME,
        domains: ['acme.test', 'Acme.example'],
      }),
      connectionRow({ key_id: 'globex-saml', type: 'SAML', status: 'IN_PROGRESS', organization_id: GLOBEX }),
    ],
  },
  directory(),
);
const listed = (query: Parameters<typeof call<'listConnections'>>[2] & object) =>
  call(state, 'listConnections', query).body.connections.map(({ key_id }) => key_id);

test('behaviour C1: by default only connections that are enabled and COMPLETED are listed', () => {
  expect(listed({})).toEqual(['mail', 'acme-oidc']);
});

test('behaviour C1: include=all lists all connections in the order in which they were made', () => {
  expect(listed({ query: { include: 'all' } })).toEqual([
    'mail',
    'paused',
    'drafty',
    'acme-oidc',
    'globex-saml',
  ]);
});

test('behaviour C1: organization_id and domain filter the list, and both must match', () => {
  expect(listed({ query: { organization_id: ACME } })).toEqual(['acme-oidc']);
  expect(listed({ query: { domain: 'acme.test' } })).toEqual(['acme-oidc']);
  expect(listed({ query: { domain: 'acme.test', organization_id: GLOBEX, include: 'all' } })).toEqual([]);
});

test('behaviour C1: a filtered list has only COMPLETED connections, unless include=all', () => {
  expect(listed({ query: { organization_id: GLOBEX } })).toEqual([]);
  expect(listed({ query: { organization_id: GLOBEX, include: 'all' } })).toEqual(['globex-saml']);
});

test('a connection in the list has exactly the members of the document', () => {
  const { connections } = call(state, 'listConnections', {}).body;
  expect(connections[0]).toEqual({
    id: 'conn_mail',
    key_id: 'mail',
    enabled: true,
    status: 'COMPLETED',
    type: 'OAUTH',
    provider: 'CUSTOM',
    provider_key: 'mail',
    domains: [],
    mcp_server_url: '',
  });
  expect(connections[1]).toMatchObject({ organization_id: ACME, organization_name: 'Acme Corporation' });
});
