/** Connections of a scenario (behaviour A3, C1). */

import { defined } from '../../core/defined.ts';
import { rowsBy } from '../../core/table.ts';
import { connectionsOf } from '../../domain/provider.ts';
import type { OrganizationRow } from '../../domain/rows.ts';
import type { Schemas } from '../../openapi/types.ts';
import type { RowControl, WrittenRow } from '../row-source.ts';
import { ORGANIZATION_NAME, object, type Some, SWITCH, TEXTS, TOKEN } from './members.ts';
import { findProvider } from './providers.ts';
import { ORGANIZATION, refer } from './references.ts';
import { type Section, unless } from './section.ts';

export type ConnectionForm = RowControl &
  Some<Schemas['Connection'] & { serverless: boolean; scopes: string[] }>;

export const connections: Section<'connections', ConnectionForm> = {
  name: 'connections',
  noun: 'connection',
  title: ({ key_id }) => key_id,
  keys: ['key_id'],
  names: {
    organizations: (state, { id }) => rowsBy(state.connections, 'organization_id', id),
    custom_providers: connectionsOf,
  },
  schema: (contract) =>
    object(contract('Connection'), {
      id: TOKEN,
      key_id: contract('ConnectorName'),
      organization_id: ORGANIZATION_NAME,
      serverless: { ...SWITCH, description: 'A TRUSTED_IDP connection that needs no db_user.' },
      scopes: { ...TEXTS, description: 'What a consent page asks for.' },
    }),

  toRow: (writing, written) => {
    const { form, problem } = written;
    const organization = refer(writing, written, 'organization_id', ORGANIZATION, form.organization_id);
    checkOrganizationName(written, organization);
    const { key_id, provider = 'CUSTOM' } = form;
    if (key_id === undefined)
      return problem(undefined, 'a connection needs a key_id, the name that accounts use as their connector');
    const { provider_key = key_id } = form;
    const custom = provider === 'CUSTOM' ? findProvider(writing.state, provider_key) : undefined;
    return {
      id: writing.id(form.id, 'conn'),
      key_id,
      ...defined({ organization_id: organization?.id, mcp_server_url: form.mcp_server_url }),
      domains: form.domains ?? [],
      enabled: form.enabled ?? true,
      provider,
      provider_key: custom?.identifier ?? provider_key,
      status: form.status ?? 'COMPLETED',
      type: form.type ?? custom?.auth_patterns?.[0]?.type ?? 'OAUTH',
      serverless: form.serverless ?? false,
      scopes: form.scopes ?? [],
    };
  },
  toForm: (state, row) => ({
    id: row.id,
    key_id: row.key_id,
    type: row.type,
    ...defined({
      provider: unless(row.provider, 'CUSTOM'),
      provider_key: unless(row.provider_key, row.key_id),
      organization_id: row.organization_id && ORGANIZATION.nameOf(state, row.organization_id),
      domains: unless(row.domains, []),
      enabled: unless(row.enabled, true),
      status: unless(row.status, 'COMPLETED'),
      serverless: unless(row.serverless, false),
      scopes: unless([...row.scopes], []),
      mcp_server_url: row.mcp_server_url,
    }),
  }),
};

const checkOrganizationName = (
  { form, problem }: WrittenRow<ConnectionForm>,
  organization: OrganizationRow | undefined,
): void => {
  const { organization_id, organization_name: said } = form;
  if (said === undefined) return;
  if (organization_id === undefined)
    problem('organization_name', 'goes with organization_id, which alone says whose it is');
  else if (organization && said !== organization.name && said !== organization.display_name)
    problem(
      'organization_name',
      `is ${organization.display_name} by organization_id; write that, or leave it out`,
    );
};
