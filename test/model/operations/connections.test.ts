import { expect, test } from '@jest/globals';
import type { InputFor } from '../../../src/contract/types.ts';
import { call, stateOf } from '../../support/core.ts';
import { ACME, directory, GLOBEX } from '../../support/people.ts';
import { connectionRow } from '../../support/rows.ts';

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
        mcp_server_url: 'https://mcp.acme.test',
      }),
      connectionRow({ key_id: 'globex-saml', type: 'SAML', status: 'IN_PROGRESS', organization_id: GLOBEX }),
    ],
  },
  directory(),
);

test.each<[InputFor<'listConnections'>['query'], string[]]>([
  [{}, ['mail', 'acme-oidc']],
  [{ include: 'all' }, ['mail', 'paused', 'drafty', 'acme-oidc', 'globex-saml']],
  [{ organization_id: ACME }, ['acme-oidc']],
  [{ domain: 'acme.test' }, ['acme-oidc']],
  [{ domain: 'acme.EXAMPLE' }, ['acme-oidc']],
  [{ domain: 'acme.test', organization_id: GLOBEX, include: 'all' }, []],
  [{ organization_id: GLOBEX }, []],
  [{ organization_id: GLOBEX, include: 'all' }, ['globex-saml']],
])('behaviour C1: the query %j lists %j, in the order of creation', (query, keys) => {
  const { connections } = call(state, 'listConnections', { query }).body;
  expect(connections.map(({ key_id }) => key_id)).toEqual(keys);
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
  const organization = { organization_id: ACME, organization_name: 'Acme Corporation' };
  expect(connections[1]).toMatchObject({ ...organization, mcp_server_url: 'https://mcp.acme.test' });
});
