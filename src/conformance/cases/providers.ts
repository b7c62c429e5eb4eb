/** Connections (behaviour C1) and custom providers (behaviour P1 to P3). */
import { type Came, calls, event, inferred, NOTHING, promised, refused, sends, table } from '../case.ts';
import { empty, exactly, like, listOf, someText, whole } from '../matchers.ts';

const { listConnections, createCustomProvider, updateCustomProvider, deleteCustomProvider } = calls;

const NEW = { display_name: 'Provider {unique}', auth_patterns: [{ type: 'API_KEY' }], proxy_url: 'https://proxy.test' };
const TEXTS = { description: 'Made by a test', icon_src: 'https://client.test/icon.svg', proxy_url: 'https://other.test' };
const ALL = { ...TEXTS, auth_patterns: [{ type: 'API_KEY', display_name: 'Key', fields: ['one'] }],
  proxy_enabled: false, metadata: { team: 'core' } };
/** Made earlier in the case. */
export const MADE = { identifier: '{provider.identifier}' };
/** What only a reply has. */
const READ_ONLY = { identifier: 'MINE', categories: ['x'], coming_soon: true, display_priority: 9, is_custom: false,
  is_custom_mcp: true };
const EMPTIED = { icon_src: '', description: '' };
const DEFAULTS = { categories: [], coming_soon: false, display_priority: 0, is_custom: true, is_custom_mcp: false };
export const create = (values: object, ...came: Came) => createCustomProvider({ ...NEW, ...values }, ...came);
export const update = (values: object, ...came: Came) => updateCustomProvider({ ...MADE, ...values }, ...came);
const _creates = (display_name: string, name: string) =>
  create({ display_name }, { identifier: like(new RegExp(`^${name}:\\d{18}$`)) });
const did = (verb: string, identifier: unknown = MADE.identifier) => [event(`custom_provider.${verb}`, { identifier })];

/** Wrong values that the patterns of the contract do not tell, and the field that a refusal names. */
const WRONG: readonly (readonly [object, ...string[]])[] = [
  [{ proxy_url: 'http://a.test', icon_src: 'icon.svg' }, 'icon_src', 'proxy_url'],
  [{ auth_patterns: {} }, 'auth_patterns'], [{ auth_patterns: ['API_KEY'] }, 'auth_patterns[0]'],
];

export const PROVIDERS = table([
  'listConnections',
  promised('', 'In the list of connections, each connection has an id and a key_id',
    listConnections({ include: 'all' }, { connections: listOf({ id: someText, key_id: someText }) })),
  inferred('C1', 'Without include=all, the list has only enabled and COMPLETED connections',
    listConnections({}, { connections: listOf({ enabled: true, status: 'COMPLETED' }) })),
  'createCustomProvider',
  promised('P1', 'Creating a provider returns the members that were sent, and an identifier',
    create(ALL, { ...NEW, ...ALL, id: someText, identifier: someText, is_custom: true })),
  inferred('P1 P2', 'A new provider has default values for all members that are left out',
    create({}, whole({ ...NEW, ...DEFAULTS, id: like(/^prv_\d{18}$/), identifier: someText, proxy_enabled: true,
      metadata: {} }), did('created', someText))),
  inferred('P1 T5', 'Creating or changing a provider with a wrong address, icon or name is refused; icon and text may be empty',
    create(EMPTIED, EMPTIED), update({ icon_src: '' }, { icon_src: '' }),
    ['My-API', 'Café', '!!!', ' ', ''].map((display_name) => create({ display_name }, ['display_name'])),
    WRONG.map(([values, ...fields]) => [create(values, fields), update(values, fields)])),
  inferred('P1', 'An address of a provider may have anything behind https://, and patterns may hold anything or be none',
    ['https://', 'https://a b', 'https://[tenant].test', `https://${'a'.repeat(2_040)}`].map((address, nth) => {
      const both = { proxy_url: address, icon_src: address };
      return create({ display_name: `Any {unique} ${nth}`, ...both }, both);
    }),
    [[], [{}, { type: null, fields: 1 }]].map((auth_patterns, nth) =>
      create({ display_name: `Any {unique} 9${nth}`, auth_patterns }, { auth_patterns: exactly(...auth_patterns) }))),
  inferred('P2', 'Members that only a reply has are ignored',
    sends('createCustomProvider', { body: { ...NEW, id: 'prv_1', ...READ_ONLY } }, { ...DEFAULTS,
      id: like(/^prv_\d{18}$/), identifier: like(/^PROVIDER_/), categories: exactly() }),
    sends('updateCustomProvider', { path: MADE, body: READ_ONLY },
      { ...MADE, is_custom: true, display_priority: 0 }, NOTHING)),
  inferred('P2', 'A display name that another provider has in any case is refused; its own may change its case',
    create({}), create({ display_name: 'PROVIDER {unique}' },
      refused('RESOURCE_ALREADY_EXISTS', '{1:provider.identifier}')),
    update({ display_name: 'PROVIDER {unique}' }, { display_name: 'PROVIDER {unique}' }),
    create({ display_name: 'Other {unique}' }),
    update({ display_name: 'provider {unique}' }, refused('RESOURCE_ALREADY_EXISTS'))),
  'updateCustomProvider',
  promised('P3', 'Updating a provider changes only the members that are sent',
    create({ metadata: { first: 'one', second: 'two' } }), update({ description: 'Changed' }, { ...MADE, ...NEW,
      description: 'Changed', metadata: { first: 'one', second: 'two' } }, did('updated')),
    update({ ...TEXTS, proxy_enabled: false },
      { ...MADE, display_name: 'Provider {unique}', ...TEXTS, proxy_enabled: false })),
  inferred('P3', 'An update without members, or with the same values, changes nothing; new metadata replaces the old',
    create({ metadata: { team: 'docs', tier: 'one' } }),
    update({}, { ...NEW, metadata: whole({ team: 'docs', tier: 'one' }) }, NOTHING),
    update({ metadata: { tier: 'one', team: 'docs' }, display_name: 'Provider {unique}' }, NEW, NOTHING),
    update({ metadata: { tier: 'two' } }, { metadata: whole({ tier: 'two' }) })),
  promised('P2', 'The identifier of a provider stays when its name changes, and its colon may be sent raw',
    create({}), update({ display_name: 'Renamed {unique}' }, { ...MADE, display_name: 'Renamed {unique}' }),
    sends('updateCustomProvider', { url: '/api/v1/custom-providers/{provider.identifier}', body: {} }, MADE)),
  inferred('P2', 'is_custom_mcp becomes true or false with the patterns that an update sends',
    create({}, { is_custom_mcp: false }),
    update({ auth_patterns: [{ type: 'BASIC' }, { type: 'OAUTH', is_mcp: true }] }, { is_custom_mcp: true }),
    update({ description: 'x' }, { is_custom_mcp: true }),
    update({ auth_patterns: [{ type: 'OAUTH', is_mcp: 'true' }] }, { is_custom_mcp: false })),
  'deleteCustomProvider',
  inferred('P3', 'Deleting or updating a deleted provider answers 404, and a new provider can have its name',
    create({}), deleteCustomProvider(MADE, empty, did('deleted')), deleteCustomProvider(MADE, 404),
    update({}, 404), create({}, { identifier: '{1:provider.identifier}' })),
]);
