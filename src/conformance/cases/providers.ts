/** Custom providers. */
import { aProvider } from '../arrange.ts';
import { textAt } from '../call.ts';
import { type Case, define } from '../case.ts';
import { absent, empty, someText } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';
import type { Context, Session } from '../session.ts';

const PATTERN_TYPES = ['OAUTH', 'BASIC', 'BEARER', 'API_KEY', 'NO_AUTH'] as const;
const auth_patterns = [{ type: 'API_KEY' }];

/** The body of a create with a name of its own. */
const named = ({ unique }: Context, more: object = {}) => ({
  body: { display_name: `Provider ${unique}`, auth_patterns, ...more },
});

const patternOfType = (type: string): Case =>
  define({
    name: `A provider can authenticate by ${type}, and a pattern keeps whatever else it holds`,
    operationId: 'createCustomProvider',
    basis: 'inferred',
    cites: ['P1'],
    needs: ['write'],
    send: (context) =>
      named(context, { auth_patterns: [{ type, is_mcp: false, display_name: 'Key', fields: ['one'] }] }),
    status: 201,
    body: { provider: { auth_patterns: [{ type, display_name: 'Key', fields: ['one'] }] } },
  });

/** A create that must be refused, and the field that the refusal names. */
const refusal = (name: string, basis: 'promised' | 'inferred', body: object, violates: string): Case =>
  define({
    name,
    operationId: 'createCustomProvider',
    basis,
    cites: ['Custom providers', 'P1'],
    send: ({ unique }) => ({ body: { display_name: unique, auth_patterns, ...body } }),
    status: 400,
    violates,
  });

const twoProviders = async (session: Session) => {
  const first = await aProvider(session);
  const body = { display_name: `Other ${session.unique}`, auth_patterns };
  await session.obtain('createCustomProvider', { body }, 201);
  return { identifier: first.identifier, taken: `OTHER ${session.unique}`.toLowerCase() };
};

export const PROVIDER_CASES = [
  define({
    name: 'A created provider comes back with what was sent and an identifier',
    operationId: 'createCustomProvider',
    basis: 'promised',
    cites: ['Custom providers', 'Resources'],
    needs: ['write'],
    send: (context) =>
      named(context, {
        description: 'Made by the conformance suite',
        icon_src: 'https://client.test/icon.svg',
        proxy_enabled: false,
        proxy_url: 'https://proxy.test',
        metadata: { team: 'core' },
      }),
    status: 201,
    body: ({ unique }) => ({
      provider: {
        id: someText,
        identifier: someText,
        display_name: `Provider ${unique}`,
        description: 'Made by the conformance suite',
        icon_src: 'https://client.test/icon.svg',
        proxy_enabled: false,
        proxy_url: 'https://proxy.test',
        metadata: { team: 'core' },
        is_custom: true,
      },
    }),
  }),
  define({
    name: 'metadata is empty when it is left out',
    operationId: 'createCustomProvider',
    basis: 'promised',
    cites: ['Resources'],
    needs: ['write'],
    send: (context) => named(context),
    status: 201,
    body: { provider: { metadata: empty } },
  }),
  define({
    name: 'proxy_enabled is true when it is left out, and what only replies hold has its default',
    operationId: 'createCustomProvider',
    basis: 'inferred',
    cites: ['P1', 'P2'],
    needs: ['write'],
    send: (context) => named(context),
    status: 201,
    body: {
      provider: {
        proxy_enabled: true,
        is_custom_mcp: false,
        coming_soon: false,
        categories: [],
        display_priority: 0,
      },
    },
  }),
  ...PATTERN_TYPES.map(patternOfType),
  define({
    name: 'proxy_enabled is kept as it was sent',
    operationId: 'createCustomProvider',
    basis: 'promised',
    cites: ['Custom providers'],
    needs: ['write'],
    send: (context) => named(context, { proxy_enabled: true }),
    status: 201,
    body: { provider: { proxy_enabled: true } },
    afterwards: [true, false].map((proxy_enabled) => ({
      operationId: 'updateCustomProvider',
      send: ({ last }) => ({
        path: { identifier: textAt(last.body, 'provider', 'identifier') },
        body: { proxy_enabled },
      }),
      status: 200,
      body: { provider: { proxy_enabled } },
    })),
  }),
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
    name: 'A pattern with is_mcp makes the provider an MCP one',
    operationId: 'createCustomProvider',
    basis: 'inferred',
    cites: ['P2'],
    needs: ['write'],
    send: (context) => named(context, { auth_patterns: [{ type: 'NO_AUTH', is_mcp: true }] }),
    status: 201,
    body: { provider: { is_custom: true, is_custom_mcp: true } },
  }),
  define({
    name: 'Members that only replies hold are ignored in a request',
    operationId: 'createCustomProvider',
    basis: 'promised',
    cites: ['Resources', 'P2'],
    needs: ['write'],
    send: (context) =>
      named(context, { is_custom: false, coming_soon: true, identifier: 'MINE', categories: ['mine'] }),
    status: 201,
    body: { provider: { is_custom: true, coming_soon: false, categories: [] } },
  }),
  refusal(
    'A provider without a display name is refused',
    'promised',
    { display_name: undefined },
    'display_name',
  ),
  refusal(
    'A provider without authentication patterns is refused',
    'inferred',
    { auth_patterns: undefined },
    'auth_patterns',
  ),
  refusal(
    'A proxy_url that does not begin with https:// is refused',
    'promised',
    { proxy_url: 'http://proxy.test' },
    'proxy_url',
  ),
  refusal(
    'An icon that is no https address is refused',
    'inferred',
    { icon_src: 'http://client.test/icon.svg' },
    'icon_src',
  ),
  refusal(
    'A pattern of an unknown type is refused',
    'inferred',
    { auth_patterns: [{ type: 'MAGIC' }] },
    'auth_patterns[0].type',
  ),
  refusal(
    'A pattern without a type is refused',
    'inferred',
    { auth_patterns: [{}] },
    'auth_patterns[0].type',
  ),
  define({
    name: 'A display name that another provider has, in any case, conflicts',
    operationId: 'createCustomProvider',
    basis: 'inferred',
    cites: ['P2'],
    needs: ['write'],
    arrange: aProvider,
    send: ({ given }) => ({ body: { display_name: given.displayName.toUpperCase(), auth_patterns } }),
    status: 409,
  }),
  define({
    name: 'An icon may be empty',
    operationId: 'createCustomProvider',
    basis: 'inferred',
    cites: ['P1'],
    needs: ['write'],
    send: (context) => named(context, { icon_src: '' }),
    status: 201,
  }),
  define({
    name: 'An update changes the members that are sent and no other',
    operationId: 'updateCustomProvider',
    basis: 'promised',
    cites: ['Custom providers', 'P3'],
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
    cites: ['Custom providers', 'P2'],
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
    cites: ['Resources', 'Limits'],
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
    cites: ['P3'],
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
