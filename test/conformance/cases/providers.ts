/** Connections of a world of rows (behaviour C1), and custom providers that they use (behaviour P2, P3). */
import { calls, inferred, promised, refused, table } from '../../../src/conformance/case.ts';
import { create, MADE, update } from '../../../src/conformance/cases/providers.ts';
import { absent, exactly, like, whole } from '../../../src/conformance/matchers.ts';
import { given, only, toEach } from '../steps.ts';

const { listConnections, deleteCustomProvider } = calls;

const WORLD = only({
  organizations: [{ id: 'org_acme', name: 'acme', display_name: 'Acme Corporation' }, { id: 'org_globex', name: 'globex' }],
  connections: [
    { id: 'conn_mail', key_id: 'mail', type: 'OAUTH', scopes: ['read'] },
    { key_id: 'paused', type: 'OAUTH', enabled: false }, { key_id: 'drafty', type: 'OAUTH', status: 'DRAFT' },
    { key_id: 'acme-oidc', type: 'OIDC', organization_id: 'acme', domains: ['acme.test', 'Acme.example'],
      mcp_server_url: 'https://mcp.test' },
    { key_id: 'globex-saml', type: 'SAML', status: 'IN_PROGRESS', organization_id: 'globex' }],
});
/** Queries, and the connections of `WORLD` that they find, in this order. */
const FILTERS = {
  '': 'mail acme-oidc', 'include=all': 'mail paused drafty acme-oidc globex-saml',
  'include=ALL': 'mail paused drafty acme-oidc globex-saml', 'organization_id=org_acme': 'acme-oidc',
  'domain=acme.test': 'acme-oidc', 'domain=acme.EXAMPLE': 'acme-oidc', 'organization_id=org_globex': '',
  'domain=acme.test&organization_id=org_globex&include=all': '', 'organization_id=org_globex&include=all': 'globex-saml',
  'organization_id=org_nobody&include=all': '', 'domain=nobody.test&include=all': '',
};

const creates = (display_name: string, name: string) =>
  create({ display_name }, { identifier: like(new RegExp(`^${name}:\\d{18}$`)) });
const used = (connection: object) =>
  given({ connections: [{ id: 'conn_pages', key_id: 'pages', provider_key: MADE.identifier, ...connection }] });

export const PROVIDERS = table([
  'listConnections',
  inferred('C1 I2', 'Filters join by AND, in any case, and connections are listed in the order of their creation',
    WORLD, toEach('listConnections', FILTERS, (keys) =>
      ({ connections: exactly(...keys.split(' ').filter(Boolean).map((key_id) => ({ key_id }))) }))),
  promised('', 'A connection in the list has exactly the members of the document',
    WORLD, listConnections({}, { connections: [
      whole({ id: 'conn_mail', key_id: 'mail', enabled: true, status: 'COMPLETED', type: 'OAUTH', provider: 'CUSTOM',
        provider_key: 'mail', domains: [], mcp_server_url: '' }),
      { organization_id: 'org_acme', organization_name: 'Acme Corporation', mcp_server_url: 'https://mcp.test',
        scopes: absent }] })),
  'createCustomProvider',
  inferred('P2', 'The identifier is the display name in upper snake case, a colon and the digits of the environment',
    only({}), creates('Internal Pages', 'INTERNAL_PAGES'), creates('  release   notes  ', 'RELEASE_NOTES'),
    creates('GitHub Enterprise 2', 'GITHUB_ENTERPRISE_2'), creates('Pages', 'PAGES'),
    update({ display_name: 'Handbook' }, MADE), creates('Pages', 'PAGES_2')),
  inferred('P2', 'An identifier that is taken gets the first free number, whatever follows the colon',
    only({ custom_providers: ['PAGES:1', 'PAGES_2:2', 'PAGES_4:3'].map((identifier, nth) =>
      ({ identifier, display_name: `Pages ${nth}${nth}`, proxy_url: 'https://a.test' })) }),
    creates('pages', 'PAGES_3'), creates('Pages 5', 'PAGES_5')),
  'deleteCustomProvider',
  promised('P3', 'A provider that a connection uses cannot be deleted, and the error names the connection',
    create({}), used({ type: 'BASIC' }),
    deleteCustomProvider(MADE, refused('PROVIDER_HAS_EXISTING_CONNECTIONS', 'pages (conn_pages)'))),
  inferred('P2', 'A connection whose provider is not CUSTOM does not use the custom provider of its provider_key',
    create({}), used({ type: 'OAUTH', provider: 'GOOGLE' }), deleteCustomProvider(MADE)),
]);
