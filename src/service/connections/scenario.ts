/** Connections of a scenario (behaviour A3, C1). */
import { getRow } from '../../engine/core/table.ts';
import {
  described,
  extend,
  type FormOf,
  listSchema,
  STRING,
  SWITCH,
  TEXT,
  TOKEN,
} from '../../engine/scenario/member-schemas.ts';
import { findProvider, nearProvider } from '../providers/scenario.ts';
import { ORGANIZATION } from '../references.ts';
import { contract, type NounSection } from '../section.ts';
import { isConnectorType } from './rules.ts';

const FORM = extend(contract('Connection'), {
  id: TOKEN,
  key_id: contract('ConnectorName'),
  organization_id: ORGANIZATION.schema,
  serverless: described(SWITCH, 'true for a TRUSTED_IDP connection whose accounts need no db_user.'),
  scopes: described(listSchema(TEXT), 'Scopes that the consent page asks for.'),
  mcp_server_url: described(
    STRING,
    'Address of its tool server. A path such as /mcp is a path of this mock.',
  ),
});

type ConnectionForm = FormOf<typeof FORM>;

const DEFAULTS = {
  domains: [],
  enabled: true,
  provider: 'CUSTOM',
  status: 'COMPLETED',
  type: 'OAUTH',
  serverless: false,
  scopes: [],
} satisfies ConnectionForm;

export const connectionsSection: NounSection<'connections', ConnectionForm> = {
  name: 'connections',
  noun: 'connection',
  example: '{ key_id: mail, type: OAUTH }',
  keys: ['key_id'],
  references: { organization_id: ORGANIZATION },
  schema: FORM,
  anyName: ['provider_key'],
  decisive: ['key_id', 'type', 'provider', 'provider_key', 'serverless'],
  names: ({ organization_id, provider, provider_key }) => [
    `organizations/${organization_id}`,
    provider === 'CUSTOM' ? `custom_providers/${provider_key}` : '',
  ],
  toRow: (open, written) => {
    const { organization_name: _, ...form } = written.form;
    const { key_id, provider = DEFAULTS.provider, provider_key = key_id } = form;
    if (key_id === undefined || provider_key === undefined)
      return written.problem(
        undefined,
        'a connection needs a key_id, the name that accounts use as their connector',
      );
    const custom = provider === 'CUSTOM' ? findProvider(open.state, provider_key) : undefined;
    const isUnknown = provider === 'CUSTOM' && !custom;
    const meant = isUnknown ? nearProvider(open.state, written.own.provider_key) : undefined;
    if (meant !== undefined)
      written.problem(
        'provider_key',
        `there is no custom provider "${provider_key}". Did you mean "${meant}"?`,
      );
    const type = custom?.auth_patterns?.[0]?.type;
    const row = {
      ...DEFAULTS,
      ...(isConnectorType(type) && { type }),
      ...form,
      id: open.id(form.id, 'conn'),
      key_id,
      provider_key: custom?.identifier ?? provider_key,
    };
    return { ...row, serverless: row.serverless && row.type === 'TRUSTED_IDP' };
  },
  toForm: (state, row) => {
    const organization_name = getRow(state.organizations, row.organization_id ?? '')?.display_name;
    return { ...row, organization_name };
  },
};
