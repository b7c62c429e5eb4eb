/** Custom providers and connections of a scenario. */
import { defined } from '../../core/defined.ts';
import { createTable, type Table } from '../../core/table.ts';
import { putRow } from '../../core/table-writer.ts';
import { deriveIdentifier, isMcpBased } from '../../domain/provider.ts';
import { type ConnectionRow, type OrganizationRow, PROVIDERS, type ProviderRow } from '../../domain/rows.ts';
import { type Draft, isKnown } from '../draft.ts';
import type { ConnectionForm, ProviderForm } from '../written.ts';
import { type Build, fault, idOr, lacking, requireAgreement } from './build.ts';
import { createRegister, type Register } from './register.ts';

type Providers = Table<ProviderRow, 'identifier' | 'display_name'>;

/** The table of custom providers, and finding one by id, identifier or display name (behaviour P1, P2). */
export const buildProviders = (
  build: Build,
  drafts: readonly Draft<ProviderForm>[],
): { readonly table: Providers; readonly find: (reference: string) => ProviderRow | undefined } => {
  const byIdentifier = createRegister<ProviderRow>(build, {
    noun: 'custom provider',
    section: 'custom_providers',
    id: (row) => row.id,
    member: 'identifier',
    natural: (row) => row.identifier,
  });
  const byName = createRegister<ProviderRow>(build, {
    noun: 'custom provider',
    section: 'custom_providers',
    id: (row) => row.id,
    member: 'display_name',
    natural: (row) => row.display_name.toLowerCase(),
    fold: (reference) => reference.toLowerCase(),
  });
  let table: Providers = createTable(PROVIDERS);
  for (const draft of drafts) {
    const { display_name } = draft.form;
    if (display_name === undefined)
      lacking(build, draft, ['display_name'], 'a custom provider needs a display_name');
    else {
      const row = providerRow(build, draft.form, display_name, table);
      byIdentifier.add(draft, row);
      byName.add(draft, row);
      table = putRow(table, row);
    }
  }
  return { table, find: (reference) => byIdentifier.find(reference) ?? byName.find(reference) };
};

const providerRow = (
  build: Build,
  form: ProviderForm,
  display_name: string,
  custom_providers: Providers,
): ProviderRow => {
  const { repeat: _repeat, remove: _remove, auth_patterns = [], ...written } = form;
  return {
    proxy_enabled: true,
    metadata: {},
    categories: [],
    coming_soon: false,
    display_priority: 0,
    is_custom: true,
    is_custom_mcp: isMcpBased(auth_patterns),
    ...written,
    auth_patterns,
    id: idOr(build, form.id, 'prv'),
    identifier: form.identifier ?? deriveIdentifier({ custom_providers }, display_name, build.environmentId),
    display_name,
  };
};

export const buildConnections = (
  build: Build,
  drafts: readonly Draft<ConnectionForm>[],
  organizations: Register<OrganizationRow>,
  findProvider: (reference: string) => ProviderRow | undefined,
): { readonly rows: readonly ConnectionRow[]; readonly register: Register<ConnectionRow> } => {
  const register = createRegister<ConnectionRow>(build, {
    noun: 'connection',
    section: 'connections',
    id: (row) => row.id,
    member: 'key_id',
    natural: (row) => row.key_id.toLowerCase(),
    fold: (reference) => reference.toLowerCase(),
  });
  const rows = drafts.map((draft) => {
    const { form } = draft;
    const { key_id = '' } = form;
    if (key_id === '') lacking(build, draft, ['key_id'], NAMELESS);
    const organization = organizations.refer(draft, 'organization_id', form.organization_id);
    checkOrganizationName(build, draft, organization, organizations);
    const row = connectionRow(build, form, key_id, organization, findProvider);
    register.add(draft, row);
    return row;
  });
  return { rows, register };
};

const NAMELESS = 'a connection needs a key_id, the name that accounts use as their connector';

const checkOrganizationName = (
  build: Build,
  draft: Draft<ConnectionForm>,
  organization: OrganizationRow | undefined,
  organizations: Register<OrganizationRow>,
): void => {
  if (organization && organizations.isKnown(organization, 'name'))
    requireAgreement(build, draft, 'organization_name', organization.name, 'by organization_id');
  const { organization_id, organization_name } = draft.form;
  if (organization_name !== undefined && organization_id === undefined && isKnown(draft, 'organization_id'))
    fault(build, draft, 'organization_name', 'goes with organization_id, which alone says whose it is');
};

const connectionRow = (
  build: Build,
  form: ConnectionForm,
  key_id: string,
  organization: OrganizationRow | undefined,
  findProvider: (reference: string) => ProviderRow | undefined,
): ConnectionRow => {
  const { provider = 'CUSTOM', provider_key = key_id } = form;
  const custom = provider === 'CUSTOM' ? findProvider(provider_key) : undefined;
  return {
    id: idOr(build, form.id, 'conn'),
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
};
