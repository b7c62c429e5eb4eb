/** The list of connections (behaviour C1). */
import { calls, inferred, only, promised, table } from '../case.ts';
import { absent, exactly, listOf, someOf, someText, whole, without } from '../matchers.ts';

const { listConnections } = calls;
const ALL = { include: 'all' };
/** Just the connections with these key_ids, in this order. */
const keys = (...names: string[]) => ({ connections: exactly(...names.map((key_id) => ({ key_id }))) });

const WORLD = only({
  organizations: [{ id: 'org_acme', name: 'acme', display_name: 'Acme Corporation' }, { id: 'org_globex', name: 'globex' }],
  connections: [
    { id: 'conn_mail', key_id: 'mail', type: 'OAUTH', scopes: ['read'] },
    { key_id: 'paused', type: 'OAUTH', enabled: false }, { key_id: 'drafty', type: 'OAUTH', status: 'DRAFT' },
    { key_id: 'acme-oidc', type: 'OIDC', organization_id: 'acme', domains: ['acme.test', 'Acme.example'],
      mcp_server_url: 'https://mcp.test' },
    { key_id: 'globex-saml', type: 'SAML', status: 'IN_PROGRESS', organization_id: 'globex' }],
});
const FILTERED: readonly (readonly [object, ...string[]])[] = [
  [{}, 'mail', 'acme-oidc'], [ALL, 'mail', 'paused', 'drafty', 'acme-oidc', 'globex-saml'],
  [{ organization_id: 'org_acme' }, 'acme-oidc'], [{ domain: 'acme.test' }, 'acme-oidc'],
  [{ domain: 'acme.EXAMPLE' }, 'acme-oidc'], [{ domain: 'acme.test', organization_id: 'org_globex', ...ALL }],
  [{ organization_id: 'org_globex' }], [{ organization_id: 'org_globex', ...ALL }, 'globex-saml'],
];

export const CONNECTIONS = table({
  listConnections: [
    promised('', 'In the list of connections, each connection has an id and a key_id',
      listConnections(ALL, { connections: listOf({ id: someText, key_id: someText }) })),
    inferred('C1', 'Without include=all, in any case, the list has only enabled and COMPLETED connections',
      listConnections({}, { connections: listOf({ enabled: true, status: 'COMPLETED' }) }),
      ...[ALL, { include: 'ALL' }].map((all) => listConnections(all, { connections: [{ id: '{disabled.id}' }] })),
      listConnections({}, { connections: without({ id: '{disabled.id}' }) }),
      listConnections({ include: 'some' }, ['include'])),
    inferred('C1', 'Filtering connections by domain ignores case, and returns only connections that have this domain',
      listConnections({ domain: '{hosted.domains.0|upper}', ...ALL },
        { connections: someOf({ domains: ['{hosted.domains.0}'] }) }),
      listConnections({ domain: 'conformance.invalid' }, keys())),
    inferred('C1 I2', 'Filtering connections by organization_id returns only connections of this organization',
      listConnections({ organization_id: '{owned.organization_id}', ...ALL },
        { connections: someOf({ organization_id: '{owned.organization_id}' }) }),
      listConnections({ organization_id: 'conformance-nobody', ...ALL }, keys())),
    inferred('C1', 'Filters join by AND, and connections are listed in the order of their creation',
      WORLD, FILTERED.map(([query, ...names]) => listConnections(query, keys(...names)))),
    promised('', 'A connection in the list has exactly the members of the document',
      WORLD, listConnections({}, { connections: [
        whole({ id: 'conn_mail', key_id: 'mail', enabled: true, status: 'COMPLETED', type: 'OAUTH', provider: 'CUSTOM',
          provider_key: 'mail', domains: [], mcp_server_url: '' }),
        { organization_id: 'org_acme', organization_name: 'Acme Corporation', mcp_server_url: 'https://mcp.test',
          scopes: absent }] })),
  ],
});
