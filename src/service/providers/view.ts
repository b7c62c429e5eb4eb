/** How the console shows custom providers. */
import type { NounView } from '../section.ts';

export const providerView: NounView<object> = {
  ...{ label: 'Providers', one: 'provider', group: 'Accounts', name: 'display_name', about: ['identifier'] },
  columns: ['description', 'proxy_url'],
  fields: [
    { name: 'display_name', required: true },
    { name: 'proxy_url', required: true },
    { name: 'description' },
  ],
  shows: ['connections'],
};
