/**
 * Custom providers: what a team adds to the built-in providers, with a proxy address and the ways to authenticate. A
 * connection of the provider CUSTOM names one, which then cannot be deleted. Providers have no states.
 *
 * Rules: P1 members, P2 identifiers and names, P3 updating and deleting.
 */
import { isDeepStrictEqual } from 'node:util';
import { Refusal, requireFound } from '../engine/core/errors.ts';
import { defined } from '../engine/core/object.ts';
import { allRows, getRow, putRow, removeRow, rowsBy } from '../engine/core/table.ts';
import { listNames, nearest } from '../engine/core/text.ts';
import { extend, type FormOf, type MemberSchema, TEXT, TOKEN } from '../engine/scenario/schema.ts';
import type { Schemas } from './contract.ts';
import type { ConnectionRow, ProviderRow, State } from './state.ts';
import { contract, type NounSection, type NounView, type Operation } from './types.ts';

/** Creates a provider. A caller can set some members; the server sets all others (behaviour P1, P2). */
export const createCustomProvider: Operation<'createCustomProvider'> = (state, { body }, env) => {
  requireFreeDisplayName(state, body.display_name);
  const provider: ProviderRow = {
    id: env.id('prv'),
    identifier: deriveIdentifier(state, body.display_name, env.environment.id),
    ...PROVIDER_DEFAULTS,
    is_custom: true,
    is_custom_mcp: isMcpBased(body.auth_patterns),
    ...writableFields(body),
    display_name: body.display_name,
  };
  return {
    status: 201,
    body: { provider },
    state: { ...state, custom_providers: putRow(state.custom_providers, provider) },
    changes: [{ type: 'custom_provider.created', resource: { identifier: provider.identifier } }],
  };
};

/** Changes only the fields that were sent. `metadata` is replaced as a whole (behaviour P3). */
export const updateCustomProvider: Operation<'updateCustomProvider'> = (state, { path, body }) => {
  const current = requireProvider(state, path.identifier);
  if (body.display_name !== undefined) requireFreeDisplayName(state, body.display_name, current.identifier);
  const provider: ProviderRow = {
    ...current,
    ...writableFields(body),
    ...(body.auth_patterns && { is_custom_mcp: isMcpBased(body.auth_patterns) }),
  };
  const answer = { status: 200 as const, body: { provider } };
  if (isDeepStrictEqual(provider, current)) return answer;
  return {
    ...answer,
    state: { ...state, custom_providers: putRow(state.custom_providers, provider) },
    changes: [{ type: 'custom_provider.updated', resource: { identifier: provider.identifier } }],
  };
};

/** Deletes a custom provider that no connection uses (behaviour P3). */
export const deleteCustomProvider: Operation<'deleteCustomProvider'> = (state, { path }) => {
  const provider = requireProvider(state, path.identifier);
  const users = connectionsOf(state, provider).map((connection) => `${connection.key_id} (${connection.id})`);
  if (users.length > 0)
    throw new Refusal(
      'FAILED_PRECONDITION',
      `Custom provider ${provider.identifier} is used by ${listNames(users)}.`,
      'Remove these connections first.',
      { shownCode: 'PROVIDER_HAS_EXISTING_CONNECTIONS', rule: 'P3' },
    );
  return {
    status: 200,
    body: {},
    state: { ...state, custom_providers: removeRow(state.custom_providers, provider.id) },
    changes: [{ type: 'custom_provider.deleted', resource: { identifier: provider.identifier } }],
  };
};

/** The fields of the body that a caller can set (behaviour P2). */
const writableFields = (body: Schemas['UpdateCustomProviderRequest']) => {
  const { auth_patterns, description, display_name, icon_src, metadata, proxy_enabled, proxy_url } = body;
  return defined({ auth_patterns, description, display_name, icon_src, metadata, proxy_enabled, proxy_url });
};

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

/** The identifier of a new provider (behaviour P2), such as `MY_WIKI_2:100000000000000001` for the second "My Wiki". */
export const deriveIdentifier = (state: State, displayName: string, environmentId: string): string => {
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

/** A custom provider in a scenario can have every member that the API accepts or returns. */
const ROW: MemberSchema<Schemas['CustomProvider']> = {
  allOf: [contract('CustomProvider'), contract('UpdateCustomProviderRequest')],
};
const FORM = extend(ROW, { id: TOKEN, identifier: TEXT });

const DEFAULTS = { auth_patterns: [], ...PROVIDER_DEFAULTS };

export const providersSection: NounSection<'custom_providers', FormOf<typeof FORM>> = {
  name: 'custom_providers',
  noun: 'custom provider',
  example: '{ display_name: Wiki, proxy_url: https://wiki.acme.test }',
  keys: ['identifier', 'display_name'],
  schema: FORM,
  decisive: ['identifier'],
  toRow: (open, { form, problem }) => {
    const { display_name, proxy_url, auth_patterns = [] } = form;
    if (display_name === undefined || proxy_url === undefined)
      return problem(undefined, 'a custom provider needs a display_name and a proxy_url');
    return {
      ...DEFAULTS,
      ...form,
      id: open.id(form.id, 'prv'),
      identifier: form.identifier ?? deriveIdentifier(open.state, display_name, open.environmentId),
      display_name,
      proxy_url,
      is_custom: true,
      is_custom_mcp: isMcpBased(auth_patterns),
    };
  },
  toForm: (_, row) => row,
};

/** Finds a provider by id, identifier or display name. Only a display name may differ in case. */
export const findProvider = ({ custom_providers }: State, reference: string): ProviderRow | undefined =>
  getRow(custom_providers, reference) ??
  rowsBy(custom_providers, 'identifier', reference)[0] ??
  rowsBy(custom_providers, 'display_name', reference.toLowerCase())[0];

/** More names are not compared, since every connection would have to be compared with all of them. */
const MOST_COMPARED = 100;

/**
 * The name of a provider that a connection's `provider_key` probably misspells. A key may also name nothing, so only one
 * letter in six may differ.
 */
export const nearProvider = ({ custom_providers }: State, key = ''): string | undefined => {
  if (custom_providers.rows.size > MOST_COMPARED) return undefined;
  const names = Array.from(allRows(custom_providers), ({ display_name }) => display_name);
  return nearest(key, names, Math.floor(key.length / 6));
};

export const providerView: NounView<object> = {
  label: 'Providers',
  one: 'provider',
  group: 'Accounts',
  name: 'display_name',
  about: ['identifier'],
  columns: ['description', 'proxy_url'],
  fields: [
    { name: 'display_name', required: true },
    { name: 'proxy_url', required: true },
    { name: 'description' },
  ],
  shows: ['connections'],
};
