/** Custom providers: their fields, how they are made, changed and deleted. */
import type { Api } from '../api.ts';
import { type Case, group, inferred, promised } from '../case.ts';
import { aProvider, aProviderBody } from '../given.ts';
import { textAt } from '../http.ts';
import { absent, anInteger, aSwitch, aText, empty, listOf, someOf, someText } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';

const PATTERN_TYPES = ['OAUTH', 'BASIC', 'BEARER', 'API_KEY', 'NO_AUTH'] as const;

/** A create with a name of its own. */
const creating = (api: Api, more: object = {}) =>
  api.call('createCustomProvider', { body: { ...aProviderBody(api), ...more } });

const updating = (api: Api, identifier: string, body: object) =>
  api.call('updateCustomProvider', { path: { identifier }, body });

const WHOLE = {
  description: 'Made by the conformance suite',
  icon_src: 'https://client.test/icon.svg',
  auth_patterns: [{ type: 'API_KEY' }],
  proxy_enabled: false,
  proxy_url: 'https://proxy.test',
  metadata: { team: 'core' },
};

const CREATING = group({ about: 'createCustomProvider', needs: ['write'] }, [
  promised('A created provider comes back with what was sent and an identifier', [], (api) =>
    creating(api, WHOLE).shows({
      ...WHOLE,
      id: someText,
      identifier: someText,
      display_name: `Provider ${api.unique}`,
      is_custom: true,
    }),
  ),
  promised('A custom provider has its fields', [], (api) =>
    creating(api, { ...WHOLE, proxy_enabled: true }).shows({
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
    }),
  ),
  inferred(
    'A custom provider has the fields that the service sets, whatever it has to say there',
    ['P2'],
    (api) =>
      creating(api).shows({
        categories: listOf(someText),
        coming_soon: aSwitch,
        display_priority: anInteger,
      }),
  ),
  promised('metadata is empty when it is left out', [], (api) => creating(api).shows({ metadata: empty })),
  inferred(
    'proxy_enabled is true when it is left out, and what only replies hold has its default',
    ['P1', 'P2'],
    (api) =>
      creating(api).shows({
        proxy_enabled: true,
        is_custom_mcp: false,
        coming_soon: false,
        categories: [],
        display_priority: 0,
      }),
  ),
  promised('proxy_enabled is kept as it was sent', [], async (api) => {
    const { body } = await creating(api, { proxy_enabled: true }).shows({ proxy_enabled: true });
    const identifier = textAt(body, 'provider', 'identifier');
    for (const proxy_enabled of [true, false])
      await updating(api, identifier, { proxy_enabled }).shows({ proxy_enabled });
  }),
  ...PATTERN_TYPES.map((type) =>
    inferred(
      `A provider can authenticate by ${type}, and a pattern keeps whatever else it holds`,
      ['P1'],
      (api) => {
        const pattern = { type, display_name: 'Key', fields: ['one'] };
        return creating(api, { auth_patterns: [{ ...pattern, is_mcp: false }] }).shows({
          auth_patterns: [pattern],
        });
      },
    ),
  ),
  inferred('A pattern with is_mcp makes the provider an MCP one', ['P2'], (api) =>
    creating(api, { auth_patterns: [{ type: 'NO_AUTH', is_mcp: true }] }).shows({
      is_custom: true,
      is_custom_mcp: true,
    }),
  ),
  promised('Members that only replies hold are ignored in a request', ['P2'], (api) =>
    creating(api, {
      is_custom: false,
      coming_soon: true,
      identifier: 'MINE',
      categories: ['mine'],
    }).shows({ is_custom: true, coming_soon: false, categories: [] }),
  ),
  inferred('An icon may be empty', ['P1'], (api) => creating(api, { icon_src: '' }).succeeds()),
  inferred('A display name that another provider has, in any case, conflicts', ['P2'], async (api) => {
    const { displayName } = await aProvider(api);
    await creating(api, { display_name: displayName.toUpperCase() }).answers(409);
  }),
]);

const REFUSALS = group({ about: 'createCustomProvider' }, [
  promised('A provider without a display name is refused', ['P1'], (api) =>
    creating(api, { display_name: undefined }).isRefused('display_name'),
  ),
  inferred('A provider without authentication patterns is refused', ['P1'], (api) =>
    creating(api, { auth_patterns: undefined }).isRefused('auth_patterns'),
  ),
  inferred('A provider without a proxy_url is refused', ['P1'], (api) =>
    creating(api, { proxy_url: undefined }).isRefused('proxy_url'),
  ),
  ...['https://', 'https:///path', 'https://:443'].map((proxy_url) =>
    inferred(`A proxy_url without a host is refused: ${proxy_url}`, ['P1'], (api) =>
      creating(api, { proxy_url }).isRefused('proxy_url'),
    ),
  ),
  ...['My-API', 'Café', '!!!', ' '].map((display_name) =>
    inferred(`"${display_name}" is no display name`, ['P1'], (api) =>
      creating(api, { display_name }).isRefused('display_name'),
    ),
  ),
  promised('A proxy_url that does not begin with https:// is refused', ['P1'], (api) =>
    creating(api, { proxy_url: 'http://proxy.test' }).isRefused('proxy_url'),
  ),
  inferred('An icon that is no https address is refused', ['P1'], (api) =>
    creating(api, { icon_src: 'http://client.test/icon.svg' }).isRefused('icon_src'),
  ),
  inferred('A pattern of an unknown type is refused', ['P1'], (api) =>
    creating(api, { auth_patterns: [{ type: 'MAGIC' }] }).isRefused('auth_patterns[0].type'),
  ),
  inferred('A pattern without a type is refused', ['P1'], (api) =>
    creating(api, { auth_patterns: [{}] }).isRefused('auth_patterns[0].type'),
  ),
]);

const UPDATING = group({ about: 'updateCustomProvider', needs: ['write'] }, [
  promised('An update changes the members that are sent and no other', ['P3'], async (api) => {
    const { identifier, displayName } = await aProvider(api);
    await updating(api, identifier, { description: 'Changed' }).shows({
      identifier,
      display_name: displayName,
      description: 'Changed',
      metadata: { first: 'one', second: 'two' },
      auth_patterns: [{ type: 'API_KEY' }],
    });
  }),
  inferred('metadata is replaced as a whole', ['P3'], async (api) => {
    const { identifier } = await aProvider(api);
    await updating(api, identifier, { metadata: { first: 'other' } }).shows({
      metadata: { first: 'other', second: absent },
    });
  }),
  promised('The identifier stays when the display name changes', ['P2'], async (api) => {
    const { identifier } = await aProvider(api);
    const display_name = `Renamed ${api.unique}`;
    await updating(api, identifier, { display_name }).shows({ identifier, display_name });
  }),
  inferred('The colon of an identifier may be sent as it is', ['P2'], async (api) => {
    const { identifier } = await aProvider(api);
    await api.send({ url: `/api/v1/custom-providers/${identifier}`, body: {} }).shows({ identifier });
  }),
  inferred('A rename to the name of another provider conflicts', ['P2'], async (api) => {
    const { identifier } = await aProvider(api);
    await aProvider(api, { display_name: `Other ${api.unique}` });
    await updating(api, identifier, { display_name: `other ${api.unique}` }).answers(409);
  }),
  inferred('The patterns decide whether the provider is an MCP one', ['P2', 'P3'], async (api) => {
    const { identifier } = await aProvider(api);
    for (const is_mcp of [true, false])
      await updating(api, identifier, { auth_patterns: [{ type: 'NO_AUTH', is_mcp }] }).shows({
        is_custom_mcp: is_mcp,
      });
  }),
  ...PATTERN_TYPES.map((type) =>
    inferred(`A provider can be changed to authenticate by ${type}`, ['P1', 'P3'], async (api) => {
      const { identifier } = await aProvider(api);
      await updating(api, identifier, { auth_patterns: [{ type }] }).shows({ auth_patterns: [{ type }] });
    }),
  ),
]);

const UPDATE_REFUSALS = group({ about: 'updateCustomProvider' }, [
  promised('An update to a proxy_url that does not begin with https:// is refused', [], (api) =>
    updating(api, UNKNOWN.provider, { proxy_url: 'http://proxy.test' }).isRefused('proxy_url'),
  ),
  inferred('A change to a pattern of an unknown type is refused', ['P1'], (api) =>
    updating(api, UNKNOWN.provider, { auth_patterns: [{ type: 'MAGIC' }] }).isRefused(
      'auth_patterns[0].type',
    ),
  ),
  inferred('An update of an unknown identifier is not found', ['P3'], (api) =>
    updating(api, UNKNOWN.provider, {}).isMissing(),
  ),
]);

const DELETING = [
  ...group({ about: 'deleteCustomProvider', needs: ['write'] }, [
    inferred('A deleted provider is gone', ['P3'], async (api) => {
      const { identifier } = await aProvider(api);
      await api.send({ path: { identifier } }).succeeds(empty);
      await api.send({ path: { identifier } }).isMissing();
      await updating(api, identifier, {}).isMissing();
    }),
  ]),
  ...group({ about: 'deleteCustomProvider', needs: ['write', 'control'] }, [
    inferred('A provider that a connection uses cannot be deleted', ['P3'], async (api) => {
      const { provider_key: identifier = '' } = api.connection('the connection helpdesk', {
        key_id: 'helpdesk',
      });
      await api.send({ path: { identifier } }).answers(400, { error: 'PROVIDER_HAS_EXISTING_CONNECTIONS' });
    }),
  ]),
];

export const PROVIDER_CASES: readonly Case[] = [
  CREATING,
  REFUSALS,
  UPDATING,
  UPDATE_REFUSALS,
  DELETING,
].flat();
