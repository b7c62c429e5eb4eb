/** What the description says of the fields of connections and custom providers. */
import { type Case, define } from '../case.ts';
import { ACME } from '../default-rows.ts';
import { fieldsOf, valueCites } from '../fields.ts';
import { anInteger, aSwitch, aText, including, listOf, type Pattern, someOf, someText } from '../pattern.ts';
import type { ConnectionType, Session } from '../session.ts';

const TYPES: readonly ConnectionType[] = [
  ...(['OIDC', 'SAML', 'PASSWORD', 'OAUTH', 'PASSWORDLESS', 'BASIC', 'BEARER', 'API_KEY'] as const),
  ...(['WEBAUTHN', 'OAUTH_M2M', 'VENDORA_OAUTH1', 'VENDORB_DWD', 'TRUSTED_IDP', 'SMART_FHIR'] as const),
  'NO_AUTH',
];

/** A connection whose domain finds it alone. */
const aConnection = (row: object) => async (session: Session) => {
  const domain = `${session.unique}.test`;
  await session.control.add({
    connections: [{ key_id: session.unique, type: 'OIDC', domains: [domain], ...row }],
  });
  return domain;
};

const connectionCase = (name: string, cites: Case['cites'], row: object, pattern: Pattern): Case =>
  define({
    name,
    operationId: 'listConnections',
    basis: 'promised',
    cites,
    needs: ['control'],
    arrange: aConnection(row),
    send: ({ given }) => ({ query: { domain: given, include: 'all' } }),
    status: 200,
    body: { connections: [pattern] },
  });

const withValue = (field: 'type' | 'status' | 'provider') => (value: string) =>
  connectionCase(
    `The ${field} of a connection can be ${value}`,
    valueCites('connection', field, [value]),
    { [field]: value },
    { [field]: value },
  );

const CONNECTION = fieldsOf('connection', {
  id: someText,
  key_id: someText,
  organization_id: ACME,
  organization_name: someText,
  domains: someOf(someText),
  enabled: true,
  provider_key: someText,
  mcp_server_url: 'https://tools.conformance.test',
});

const PROVIDER = fieldsOf('provider', {
  id: someText,
  identifier: someText,
  display_name: someText,
  description: someText,
  icon_src: aText(/^https:/),
  auth_patterns: someOf({}),
  proxy_enabled: aSwitch,
  proxy_url: aText(/^https:\/\//),
  metadata: { team: 'core' },
  is_custom: true,
});

const SET_BY_THE_SERVICE = fieldsOf('provider', {
  categories: listOf(someText),
  coming_soon: aSwitch,
  display_priority: anInteger,
});

export const CONNECTION_FIELD_CASES = [
  connectionCase(
    'A connection has its fields',
    CONNECTION.cites,
    { organization_id: 'acme', mcp_server_url: 'https://tools.conformance.test' },
    CONNECTION.pattern,
  ),
  connectionCase(
    'A connection that is switched off says so',
    ['connection.enabled'],
    { enabled: false },
    { enabled: false },
  ),
  define({
    name: 'mcp_server_url is empty where there is no virtual tool server',
    operationId: 'listConnections',
    basis: 'promised',
    cites: ['connection.no_mcp_server'],
    needs: ['control'],
    send: () => ({}),
    status: 200,
    body: { connections: including({ key_id: 'mail', mcp_server_url: '' }) },
  }),
  ...TYPES.map(withValue('type')),
  ...['DRAFT', 'IN_PROGRESS', 'COMPLETED'].map(withValue('status')),
  ...['CUSTOM', 'IDP_SIMULATOR'].map(withValue('provider')),
  define({
    name: 'A custom provider has its fields',
    operationId: 'createCustomProvider',
    basis: 'promised',
    cites: PROVIDER.cites,
    needs: ['write'],
    send: ({ unique }) => ({
      body: {
        display_name: `Provider ${unique}`,
        description: 'Made by the conformance suite',
        icon_src: 'https://client.test/icon.svg',
        auth_patterns: [{ type: 'API_KEY' }],
        proxy_enabled: true,
        proxy_url: 'https://proxy.test',
        metadata: { team: 'core' },
      },
    }),
    status: 201,
    body: { provider: PROVIDER.pattern },
  }),
  define({
    name: 'A custom provider has the fields that the service sets, whatever it has to say there',
    operationId: 'createCustomProvider',
    basis: 'inferred',
    cites: [...SET_BY_THE_SERVICE.cites, 'P2'],
    needs: ['write'],
    send: ({ unique }) => ({
      body: {
        display_name: `Provider ${unique}`,
        proxy_url: 'https://proxy.test',
        auth_patterns: [{ type: 'API_KEY' }],
      },
    }),
    status: 201,
    body: { provider: SET_BY_THE_SERVICE.pattern },
  }),
];
