/** The contract's operations on custom providers (behaviour P1-P3). */
import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '../../engine/core/errors.ts';
import { defined } from '../../engine/core/object.ts';
import { putRow, removeRow } from '../../engine/core/table.ts';
import { listNames } from '../../engine/core/text.ts';
import type { Schemas } from '../contract.ts';
import type { Operation } from '../operation.ts';
import type { ProviderRow } from './row.ts';
import {
  connectionsOf,
  deriveIdentifier,
  isMcpBased,
  PROVIDER_DEFAULTS,
  requireFreeDisplayName,
  requireProvider,
} from './rules.ts';

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
