/** Cases about custom providers: creation, change, deletion. */
import { type Case, inferred, promised, reading, writing } from '../case.ts';
import { absent, empty, exactly, someText } from '../matchers.ts';
import { providerBody, UNKNOWN } from '../samples.ts';
import type { Expected, Service } from '../service.ts';
import { aProvider } from './setup.ts';

/** Expects a success whose provider has these members. */
const shown = (provider: object): Expected => ({ body: { provider } });

const create = (service: Service, more: object, expected?: number | Expected) =>
  service.call('createCustomProvider', { body: { ...providerBody(service), ...more } }, expected);

const update = (service: Service, identifier: string, body: object, expected?: number | Expected) =>
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
  promised('Creating a provider returns the members that were sent, and an identifier', [], (service) => {
    const own = { id: someText, identifier: someText, is_custom: true };
    return create(service, WHOLE, shown({ ...WHOLE, ...own, display_name: `Provider ${service.unique}` }));
  }),
  inferred('A new provider has default values for all members that are left out', ['P1', 'P2'], (service) => {
    const defaults = { proxy_enabled: true, is_custom_mcp: false, coming_soon: false, display_priority: 0 };
    return create(service, {}, shown({ ...defaults, metadata: empty, categories: exactly() }));
  }),
  inferred('A provider can be created with an empty icon and an empty description', ['P1', 'T5'], (service) =>
    create(service, { icon_src: '', description: '' }),
  ),
  inferred(
    'Creating a provider with the display name of another provider answers 409, ignoring case',
    ['P2'],
    async (service) => {
      await aProvider(service);
      await create(service, { display_name: `PROVIDER ${service.unique}` }, 409);
    },
  ),
);

const WRONG: readonly (readonly [name: string, value: string])[] = [
  ...['http://proxy.test', 'https://', 'https:///path'].map((url) => ['proxy_url', url] as const),
  ...['My-API', 'Café', '!!!', ' '].map((name) => ['display_name', name] as const),
  ['icon_src', 'http://client.test/icon.svg'],
];

const REFUSING = WRONG.flatMap(([name, value]) => [
  ...reading(
    'createCustomProvider',
    inferred(`Creating a provider with the ${name} "${value}" is refused`, ['P1'], (service) =>
      service.refuses('createCustomProvider', { body: { ...providerBody(service), [name]: value } }, name),
    ),
  ),
  ...reading(
    'updateCustomProvider',
    inferred(`Changing the ${name} of a provider to "${value}" is refused`, ['P1'], (service) => {
      const call = { path: { identifier: UNKNOWN.provider }, body: { [name]: value } };
      return service.refuses('updateCustomProvider', call, name);
    }),
  ),
]);

const UPDATING = writing(
  'updateCustomProvider',
  promised('Updating a provider changes only the members that are sent', ['P3'], async (service) => {
    const identifier = await aProvider(service);
    const kept = { display_name: `Provider ${service.unique}`, auth_patterns: [{ type: 'API_KEY' }] };
    const metadata = { first: 'one', second: 'two' };
    const description = 'Changed';
    await update(service, identifier, { description }, shown({ identifier, description, metadata, ...kept }));
  }),
  inferred('Updating the metadata of a provider replaces all of it', ['P3'], async (service) => {
    const identifier = await aProvider(service);
    const metadata = { first: 'other' };
    await update(service, identifier, { metadata }, shown({ metadata: { ...metadata, second: absent } }));
  }),
  promised('Changing the display name of a provider keeps its identifier', ['P2'], async (service) => {
    const identifier = await aProvider(service);
    const display_name = `Renamed ${service.unique}`;
    await update(service, identifier, { display_name }, shown({ identifier, display_name }));
    const url = `/api/v1/custom-providers/${identifier}`; // the colon is not percent-encoded
    await service.call('updateCustomProvider', { url, body: {} }, shown({ identifier }));
  }),
);

const DELETING = writing(
  'deleteCustomProvider',
  inferred('A deleted provider answers 404', ['P3'], async (service) => {
    const identifier = await aProvider(service);
    await service.call('deleteCustomProvider', { path: { identifier } }, { body: empty });
    await service.misses('deleteCustomProvider', { path: { identifier } });
    await update(service, identifier, {}, 404);
  }),
);

export const PROVIDER_FLOWS: readonly Case[] = [...CREATING, ...REFUSING, ...UPDATING, ...DELETING];
