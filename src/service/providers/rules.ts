/** Custom providers: their names, identifiers and connections (behaviour P1-P3). */
import { Refusal, requireFound } from '../../engine/core/errors.ts';
import { rowsBy } from '../../engine/core/table.ts';
import type { ConnectionRow } from '../connections/row.ts';
import type { State } from '../state.ts';
import type { ProviderRow } from './row.ts';

/** The default values of a provider's members (behaviour P1, P2). */
export const PROVIDER_DEFAULTS = {
  proxy_enabled: true,
  metadata: {},
  categories: [],
  coming_soon: false,
  display_priority: 0,
} satisfies Partial<ProviderRow>;

export const requireProvider = (state: State, identifier: string): ProviderRow =>
  requireFound(
    rowsBy(state.custom_providers, 'identifier', identifier)[0],
    `custom provider ${identifier}`,
    'Use the identifier that was returned when the provider was created, such as WIKI:100000000000000001.',
    'P3',
  );

/**
 * Refuses a display name that another provider has, ignoring case (behaviour P2). @throws Refusal 409
 * @param identifier the provider that gets the name; absent for a new provider
 */
export const requireFreeDisplayName = (state: State, displayName: string, identifier?: string): void => {
  const holder = rowsBy(state.custom_providers, 'display_name', displayName.toLowerCase()).find(
    (provider) => provider.identifier !== identifier,
  );
  if (!holder) return;
  throw new Refusal(
    'RESOURCE_ALREADY_EXISTS',
    `A custom provider with display_name "${holder.display_name}" already exists (${holder.identifier}).`,
    'Choose another display_name, or update that provider.',
    { rule: 'P2', resource: { resource_name: `custom provider ${holder.identifier}` } },
  );
};

/**
 * The identifier of a new provider (behaviour P2), such as `MY_WIKI:100000000000000001`. Before the colon stands the
 * display name in upper snake case. If another provider has this name, `_2`, `_3`... is added. After the colon stands the environment's id without `env_`.
 */
export const deriveIdentifier = (
  state: Pick<State, 'custom_providers'>,
  displayName: string,
  environmentId: string,
): string => {
  const name = displayName.toUpperCase().trim().replace(/ +/g, '_');
  let slug = name;
  for (let number = 2; rowsBy(state.custom_providers, 'slug', slug).length > 0; number += 1)
    slug = `${name}_${number}`;
  return `${slug}:${environmentId.replace(/^env_/, '')}`;
};

/** Whether any pattern belongs to an MCP server (behaviour P2). */
export const isMcpBased = (patterns: readonly { readonly is_mcp?: unknown }[]): boolean =>
  patterns.some((pattern) => pattern.is_mcp === true);

export const customProviderOf = (
  state: State,
  { provider, provider_key }: ConnectionRow,
): ProviderRow | undefined =>
  provider === 'CUSTOM' ? rowsBy(state.custom_providers, 'identifier', provider_key)[0] : undefined;

export const connectionsOf = (state: State, { identifier }: ProviderRow): ConnectionRow[] =>
  rowsBy(state.connections, 'provider_key', identifier.toUpperCase()).filter(
    ({ provider, provider_key }) => provider === 'CUSTOM' && provider_key === identifier,
  );
