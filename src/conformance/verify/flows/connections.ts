/** Cases about the list of connections, and about custom providers. */
import { type Api, textAt } from '../api.ts';
import { reading, test, writing } from '../case.ts';
import type { Query } from '../client.ts';
import { absent, empty, exactly, listOf, someOf, someText, without } from '../matchers.ts';
import { providerBody, UNKNOWN } from '../samples.ts';
import type { Expected, ExpectedAnswer } from '../service.ts';

const list = (api: Api, query: Query, connections: unknown) =>
  api.call('listConnections', { query }, { body: { connections } });

const CONNECTIONS = reading(
  'listConnections',
  test('In the list of connections, each connection has an id and a key_id', (api) =>
    list(api, { include: 'all' }, listOf({ id: someText, key_id: someText }))).promised(),
  test('Without include=all, the list has only enabled and COMPLETED connections', async (api) => {
    await list(api, {}, listOf({ enabled: true, status: 'COMPLETED' }));
    const { id } = api.connection('a disabled connection', { enabled: false });
    await list(api, { include: 'all' }, [{ id }]);
    await list(api, {}, without({ id }));
  }).inferred('C1'),
  test('Filtering connections by domain ignores case, and returns only connections that have this domain', async (api) => {
    const like = { domains: someOf(someText) };
    const { domains: [domain = ''] = [] } = api.connection('a connection with a domain', like);
    await list(api, { domain: domain.toUpperCase(), include: 'all' }, someOf({ domains: [domain] }));
  }).inferred('C1'),
  test('Filtering connections by organization_id returns only connections of this organization', async (api) => {
    const like = { organization_id: someText };
    const { organization_id = '' } = api.connection('a connection of an organization', like);
    await list(api, { organization_id, include: 'all' }, someOf({ organization_id }));
  }).inferred('C1'),
  test('A filter that matches no connection returns an empty list', async (api) => {
    await list(api, { organization_id: 'conformance-nobody', include: 'all' }, exactly());
    await list(api, { domain: 'conformance.invalid' }, exactly());
  }).inferred('C1', 'I2'),
);

const shown = (provider: object): Expected => ({ body: { provider } });

const create = (api: Api, more: object, expected?: ExpectedAnswer) =>
  api.call('createCustomProvider', { body: { ...providerBody(api), ...more } }, expected);

const aProvider = async (api: Api): Promise<string> => {
  const { body } = await create(api, { metadata: { first: 'one', second: 'two' } });
  return textAt(body, 'provider', 'identifier');
};

const update = (api: Api, identifier: string, body: object, expected?: ExpectedAnswer) =>
  api.call('updateCustomProvider', { path: { identifier }, body }, expected);

const WHOLE = {
  description: 'Made by the conformance suite',
  icon_src: 'https://client.test/icon.svg',
  auth_patterns: [{ type: 'API_KEY', display_name: 'Key', fields: ['one'] }],
  proxy_enabled: false,
  proxy_url: 'https://proxy.test',
  metadata: { team: 'core' },
};

const CREATING = writing(
  'createCustomProvider',
  test('Creating a provider returns the members that were sent, and an identifier', (api) => {
    const own = { id: someText, identifier: someText, is_custom: true };
    return create(api, WHOLE, shown({ ...WHOLE, ...own, display_name: `Provider ${api.unique}` }));
  }).promised(),
  test('A new provider has default values for all members that are left out', (api) => {
    const defaults = { proxy_enabled: true, is_custom_mcp: false, coming_soon: false, display_priority: 0 };
    return create(api, {}, shown({ ...defaults, metadata: empty, categories: exactly() }));
  }).inferred('P1', 'P2'),
  test('A provider can be created with an empty icon and an empty description', (api) =>
    create(api, { icon_src: '', description: '' })).inferred('P1', 'T5'),
  test('Creating a provider answers 409 if another provider has the same display name, ignoring case', async (api) => {
    await aProvider(api);
    await create(api, { display_name: `PROVIDER ${api.unique}` }, 409);
  }).inferred('P2'),
);

const WRONG: readonly (readonly [name: string, value: string])[] = [
  ...['http://proxy.test', 'https://', 'https:///path'].map((url) => ['proxy_url', url] as const),
  ...['My-API', 'Café', '!!!', ' '].map((name) => ['display_name', name] as const),
  ['icon_src', 'http://client.test/icon.svg'],
];

const REFUSING = WRONG.flatMap(([name, value]) => [
  ...reading(
    'createCustomProvider',
    test(`Creating a provider with the ${name} "${value}" is refused`, (api) => {
      const body = { ...providerBody(api), [name]: value };
      return api.refuses('createCustomProvider', { body }, name);
    }).inferred('P1'),
  ),
  ...reading(
    'updateCustomProvider',
    test(`Changing the ${name} of a provider to "${value}" is refused`, (api) => {
      const call = { path: { identifier: UNKNOWN.provider }, body: { [name]: value } };
      return api.refuses('updateCustomProvider', call, name);
    }).inferred('P1'),
  ),
]);

const UPDATING = writing(
  'updateCustomProvider',
  test('Updating a provider changes only the members that are sent', async (api) => {
    const identifier = await aProvider(api);
    const kept = { display_name: `Provider ${api.unique}`, auth_patterns: [{ type: 'API_KEY' }] };
    const metadata = { first: 'one', second: 'two' };
    const description = 'Changed';
    await update(api, identifier, { description }, shown({ identifier, description, metadata, ...kept }));
  }).promised('P3'),
  test('Updating the metadata of a provider replaces all of it', async (api) => {
    const identifier = await aProvider(api);
    const metadata = { first: 'other' };
    await update(api, identifier, { metadata }, shown({ metadata: { ...metadata, second: absent } }));
  }).inferred('P3'),
  test('Changing the display name of a provider keeps its identifier', async (api) => {
    const identifier = await aProvider(api);
    const display_name = `Renamed ${api.unique}`;
    await update(api, identifier, { display_name }, shown({ identifier, display_name }));
    const url = `/api/v1/custom-providers/${identifier}`; // the colon in the identifier is not encoded
    await api.call('updateCustomProvider', { url, body: {} }, shown({ identifier }));
  }).promised('P2'),
);

const DELETING = writing(
  'deleteCustomProvider',
  test('Deleting or updating a deleted provider answers 404', async (api) => {
    const identifier = await aProvider(api);
    await api.call('deleteCustomProvider', { path: { identifier } }, { body: empty });
    await api.call('deleteCustomProvider', { path: { identifier } }, 404);
    await update(api, identifier, {}, 404);
  }).inferred('P3'),
);

export const CONNECTION_FLOWS = [CONNECTIONS, CREATING, REFUSING, UPDATING, DELETING].flat();
