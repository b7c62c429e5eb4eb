/** Cases about custom providers: creation, change, deletion. */
import { type Case, reading, test, writing } from '../case.ts';
import { textAt } from '../client.ts';
import { absent, empty, exactly, someText } from '../matchers.ts';
import { providerBody, UNKNOWN } from '../samples.ts';
import type { Answer, Expected, Service } from '../service.ts';

/** Expects a success whose provider has these members. */
const shown = (provider: object): Expected => ({ body: { provider } });

const create = (service: Service, more: object, expected?: Answer) =>
  service.call('createCustomProvider', { body: { ...providerBody(service), ...more } }, expected);

/** Creates a provider. @returns its identifier */
const aProvider = async (service: Service): Promise<string> => {
  const { body } = await create(service, { metadata: { first: 'one', second: 'two' } });
  return textAt(body, 'provider', 'identifier');
};

const update = (service: Service, identifier: string, body: object, expected?: Answer) =>
  service.call('updateCustomProvider', { path: { identifier }, body }, expected);

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
  test('Creating a provider returns the members that were sent, and an identifier', (service) => {
    const own = { id: someText, identifier: someText, is_custom: true };
    return create(service, WHOLE, shown({ ...WHOLE, ...own, display_name: `Provider ${service.unique}` }));
  }).promised(),
  test('A new provider has default values for all members that are left out', (service) => {
    const defaults = { proxy_enabled: true, is_custom_mcp: false, coming_soon: false, display_priority: 0 };
    return create(service, {}, shown({ ...defaults, metadata: empty, categories: exactly() }));
  }).inferred('P1', 'P2'),
  test('A provider can be created with an empty icon and an empty description', (service) =>
    create(service, { icon_src: '', description: '' })).inferred('P1', 'T5'),
  test('Creating a provider answers 409 if another provider has its display name, ignoring case', async (service) => {
    await aProvider(service);
    await create(service, { display_name: `PROVIDER ${service.unique}` }, 409);
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
    test(`Creating a provider with the ${name} "${value}" is refused`, (service) =>
      service.refuses(
        'createCustomProvider',
        { body: { ...providerBody(service), [name]: value } },
        name,
      )).inferred('P1'),
  ),
  ...reading(
    'updateCustomProvider',
    test(`Changing the ${name} of a provider to "${value}" is refused`, (service) => {
      const call = { path: { identifier: UNKNOWN.provider }, body: { [name]: value } };
      return service.refuses('updateCustomProvider', call, name);
    }).inferred('P1'),
  ),
]);

const UPDATING = writing(
  'updateCustomProvider',
  test('Updating a provider changes only the members that are sent', async (service) => {
    const identifier = await aProvider(service);
    const kept = { display_name: `Provider ${service.unique}`, auth_patterns: [{ type: 'API_KEY' }] };
    const metadata = { first: 'one', second: 'two' };
    const description = 'Changed';
    await update(service, identifier, { description }, shown({ identifier, description, metadata, ...kept }));
  }).promised('P3'),
  test('Updating the metadata of a provider replaces all of it', async (service) => {
    const identifier = await aProvider(service);
    const metadata = { first: 'other' };
    await update(service, identifier, { metadata }, shown({ metadata: { ...metadata, second: absent } }));
  }).inferred('P3'),
  test('Changing the display name of a provider keeps its identifier', async (service) => {
    const identifier = await aProvider(service);
    const display_name = `Renamed ${service.unique}`;
    await update(service, identifier, { display_name }, shown({ identifier, display_name }));
    const url = `/api/v1/custom-providers/${identifier}`; // the colon is not percent-encoded
    await service.call('updateCustomProvider', { url, body: {} }, shown({ identifier }));
  }).promised('P2'),
);

const DELETING = writing(
  'deleteCustomProvider',
  test('A deleted provider answers 404', async (service) => {
    const identifier = await aProvider(service);
    await service.call('deleteCustomProvider', { path: { identifier } }, { body: empty });
    await service.misses('deleteCustomProvider', { path: { identifier } });
    await update(service, identifier, {}, 404);
  }).inferred('P3'),
);

export const PROVIDER_FLOWS: readonly Case[] = [...CREATING, ...REFUSING, ...UPDATING, ...DELETING];
