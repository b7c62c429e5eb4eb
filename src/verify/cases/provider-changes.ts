/** Changing and deleting custom providers. */
import { aProvider } from '../arrange.ts';
import { define } from '../case.ts';
import { absent, empty } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';
import type { Session } from '../session.ts';

const PATTERN_TYPES = ['OAUTH', 'BASIC', 'BEARER', 'API_KEY', 'NO_AUTH'] as const;
const auth_patterns = [{ type: 'API_KEY' }];

const twoProviders = async (session: Session) => {
  const first = await aProvider(session);
  const body = { display_name: `Other ${session.unique}`, proxy_url: 'https://proxy.test', auth_patterns };
  await session.obtain('createCustomProvider', { body }, 201);
  return { identifier: first.identifier, taken: `OTHER ${session.unique}`.toLowerCase() };
};

export const PROVIDER_CHANGE_CASES = [
  define({
    name: 'A change of the patterns changes whether the provider is an MCP one',
    operationId: 'updateCustomProvider',
    basis: 'inferred',
    cites: ['P2', 'P3'],
    needs: ['write'],
    arrange: aProvider,
    send: ({ given }) => ({
      path: { identifier: given.identifier },
      body: { auth_patterns: [{ type: 'NO_AUTH', is_mcp: true }] },
    }),
    status: 200,
    body: { provider: { is_custom_mcp: true } },
    afterwards: [
      {
        send: ({ given }) => ({
          path: { identifier: given.identifier },
          body: { auth_patterns: [{ type: 'NO_AUTH', is_mcp: false }] },
        }),
        status: 200,
        body: { provider: { is_custom_mcp: false } },
      },
    ],
  }),
  define({
    name: 'An update changes the members that are sent and no other',
    operationId: 'updateCustomProvider',
    basis: 'promised',
    cites: ['custom_providers.partial', 'custom_providers.200', 'P3'],
    needs: ['write'],
    arrange: aProvider,
    send: ({ given }) => ({ path: { identifier: given.identifier }, body: { description: 'Changed' } }),
    status: 200,
    body: ({ given }) => ({
      provider: {
        identifier: given.identifier,
        display_name: given.displayName,
        description: 'Changed',
        metadata: { first: 'one', second: 'two' },
        auth_patterns,
      },
    }),
  }),
  define({
    name: 'metadata is replaced as a whole',
    operationId: 'updateCustomProvider',
    basis: 'inferred',
    cites: ['P3'],
    needs: ['write'],
    arrange: aProvider,
    send: ({ given }) => ({ path: { identifier: given.identifier }, body: { metadata: { first: 'other' } } }),
    status: 200,
    body: { provider: { metadata: { first: 'other', second: absent } } },
  }),
  define({
    name: 'The identifier stays when the display name changes',
    operationId: 'updateCustomProvider',
    basis: 'promised',
    cites: ['custom_providers.by_identifier', 'P2'],
    needs: ['write'],
    arrange: aProvider,
    send: ({ given, unique }) => ({
      path: { identifier: given.identifier },
      body: { display_name: `Renamed ${unique}` },
    }),
    status: 200,
    body: ({ given, unique }) => ({
      provider: { identifier: given.identifier, display_name: `Renamed ${unique}` },
    }),
  }),
  define({
    name: 'The colon of an identifier may be sent as it is',
    operationId: 'updateCustomProvider',
    basis: 'inferred',
    cites: ['P2'],
    needs: ['write'],
    arrange: aProvider,
    send: ({ given }) => ({ url: `/api/v1/custom-providers/${given.identifier}`, body: {} }),
    status: 200,
    body: ({ given }) => ({ provider: { identifier: given.identifier } }),
  }),
  define({
    name: 'A rename to the name of another provider conflicts',
    operationId: 'updateCustomProvider',
    basis: 'inferred',
    cites: ['P2'],
    needs: ['write'],
    arrange: twoProviders,
    send: ({ given }) => ({ path: { identifier: given.identifier }, body: { display_name: given.taken } }),
    status: 409,
  }),
  define({
    name: 'An update to a proxy_url that does not begin with https:// is refused',
    operationId: 'updateCustomProvider',
    basis: 'promised',
    cites: ['provider.https_only'],
    send: () => ({ path: { identifier: UNKNOWN.provider }, body: { proxy_url: 'http://proxy.test' } }),
    status: 400,
    violates: 'proxy_url',
  }),
  ...PATTERN_TYPES.map((type) =>
    define({
      name: `A provider can be changed to authenticate by ${type}`,
      operationId: 'updateCustomProvider',
      basis: 'inferred',
      cites: ['P1', 'P3'],
      needs: ['write'],
      arrange: aProvider,
      send: ({ given }) => ({ path: { identifier: given.identifier }, body: { auth_patterns: [{ type }] } }),
      status: 200,
      body: { provider: { auth_patterns: [{ type }] } },
    }),
  ),
  define({
    name: 'A change to a pattern of an unknown type is refused',
    operationId: 'updateCustomProvider',
    basis: 'inferred',
    cites: ['P1'],
    send: () => ({ path: { identifier: UNKNOWN.provider }, body: { auth_patterns: [{ type: 'MAGIC' }] } }),
    status: 400,
    violates: 'auth_patterns[0].type',
  }),
  define({
    name: 'An update of an unknown identifier is not found',
    operationId: 'updateCustomProvider',
    basis: 'inferred',
    cites: ['P3'],
    send: () => ({ path: { identifier: UNKNOWN.provider }, body: {} }),
    status: 404,
  }),
  define({
    name: 'A deleted provider is gone',
    operationId: 'deleteCustomProvider',
    basis: 'inferred',
    cites: ['custom_providers.by_identifier', 'P3'],
    needs: ['write'],
    arrange: aProvider,
    send: ({ given }) => ({ path: { identifier: given.identifier } }),
    status: 200,
    body: empty,
    afterwards: [
      { send: ({ given }) => ({ path: { identifier: given.identifier } }), status: 404 },
      {
        operationId: 'updateCustomProvider',
        send: ({ given }) => ({ path: { identifier: given.identifier }, body: {} }),
        status: 404,
      },
    ],
  }),
  define({
    name: 'A provider that a connection uses cannot be deleted',
    operationId: 'deleteCustomProvider',
    basis: 'inferred',
    cites: ['P3'],
    needs: ['write', 'control'],
    send: ({ connection }) => ({
      path: {
        identifier:
          connection(({ key_id }) => key_id === 'helpdesk', 'the connection helpdesk').provider_key ?? '',
      },
    }),
    status: 400,
    error: 'PROVIDER_HAS_EXISTING_CONNECTIONS',
  }),
];
