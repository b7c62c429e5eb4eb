/** Creating custom providers. */
import { aProvider } from '../arrange.ts';
import { textAt } from '../call.ts';
import { type Case, define } from '../case.ts';
import { empty, someText } from '../pattern.ts';
import type { PromiseId } from '../promises.ts';
import type { Context } from '../session.ts';

const PATTERN_TYPES = ['OAUTH', 'BASIC', 'BEARER', 'API_KEY', 'NO_AUTH'] as const;
const auth_patterns = [{ type: 'API_KEY' }];
const proxy_url = 'https://proxy.test';

/** The body of a create with a name of its own. */
const named = ({ unique }: Context, more: object = {}) => ({
  body: { display_name: `Provider ${unique}`, proxy_url, auth_patterns, ...more },
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
const refusal = (name: string, promised: readonly PromiseId[], body: object, violates: string): Case =>
  define({
    name,
    operationId: 'createCustomProvider',
    basis: promised.length > 0 ? 'promised' : 'inferred',
    cites: [...promised, 'P1'],
    send: ({ unique }) => ({ body: { display_name: unique, proxy_url, auth_patterns, ...body } }),
    status: 400,
    violates,
  });

export const PROVIDER_CASES = [
  define({
    name: 'A created provider comes back with what was sent and an identifier',
    operationId: 'createCustomProvider',
    basis: 'promised',
    cites: [
      'custom_providers.201',
      'custom_providers.description',
      'custom_providers.icon_src',
      'custom_providers.proxy_enabled',
      'custom_providers.proxy_url',
      'custom_providers.metadata',
      'custom_providers.display_name',
      'custom_providers.auth_patterns',
    ],
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
        auth_patterns,
        is_custom: true,
      },
    }),
  }),
  define({
    name: 'metadata is empty when it is left out',
    operationId: 'createCustomProvider',
    basis: 'promised',
    cites: ['provider.metadata_default'],
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
    cites: ['custom_providers.proxy_enabled', 'provider.proxy_enabled'],
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
    name: 'A pattern with is_mcp makes the provider an MCP one',
    operationId: 'createCustomProvider',
    basis: 'inferred',
    cites: ['provider.is_custom_mcp', 'P2'],
    needs: ['write'],
    send: (context) => named(context, { auth_patterns: [{ type: 'NO_AUTH', is_mcp: true }] }),
    status: 201,
    body: { provider: { is_custom: true, is_custom_mcp: true } },
  }),
  define({
    name: 'Members that only replies hold are ignored in a request',
    operationId: 'createCustomProvider',
    basis: 'promised',
    cites: ['provider.response_only', 'P2'],
    needs: ['write'],
    send: (context) =>
      named(context, { is_custom: false, coming_soon: true, identifier: 'MINE', categories: ['mine'] }),
    status: 201,
    body: { provider: { is_custom: true, coming_soon: false, categories: [] } },
  }),
  refusal(
    'A provider without a display name is refused',
    ['custom_providers.400'],
    { display_name: undefined },
    'display_name',
  ),
  refusal(
    'A provider without authentication patterns is refused',
    [],
    { auth_patterns: undefined },
    'auth_patterns',
  ),
  refusal('A provider without a proxy_url is refused', [], { proxy_url: undefined }, 'proxy_url'),
  ...['https://', 'https:///path', 'https://:443'].map((url) =>
    refusal(`A proxy_url without a host is refused: ${url}`, [], { proxy_url: url }, 'proxy_url'),
  ),
  ...['My-API', 'Café', '!!!', ' '].map((display_name) =>
    refusal(`"${display_name}" is no display name`, [], { display_name }, 'display_name'),
  ),
  refusal(
    'A proxy_url that does not begin with https:// is refused',
    ['custom_providers.invalid_proxy_url', 'provider.https_only'],
    { proxy_url: 'http://proxy.test' },
    'proxy_url',
  ),
  refusal(
    'An icon that is no https address is refused',
    [],
    { icon_src: 'http://client.test/icon.svg' },
    'icon_src',
  ),
  refusal(
    'A pattern of an unknown type is refused',
    [],
    { auth_patterns: [{ type: 'MAGIC' }] },
    'auth_patterns[0].type',
  ),
  refusal('A pattern without a type is refused', [], { auth_patterns: [{}] }, 'auth_patterns[0].type'),
  define({
    name: 'A display name that another provider has, in any case, conflicts',
    operationId: 'createCustomProvider',
    basis: 'inferred',
    cites: ['P2'],
    needs: ['write'],
    arrange: aProvider,
    send: ({ given }) => ({
      body: { display_name: given.displayName.toUpperCase(), proxy_url, auth_patterns },
    }),
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
];
