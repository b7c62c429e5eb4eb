/** Connections of a scenario (behaviour A3, C1). */

import { getRow } from '../../core/table.ts';
import { isConnectorType } from '../../domain/connector.ts';
import { connectionsOf } from '../../domain/provider.ts';
import type { RowControl } from '../row-source.ts';
import { contract, described, extend, listOf, SWITCH, TEXT, TOKEN, type ValueOf } from './members.ts';
import { findProvider } from './providers.ts';
import { ORGANIZATION } from './references.ts';
import { requireAgreement, type Section, withoutDerived } from './section.ts';

const FORM = extend(contract('Connection'), {
  id: TOKEN,
  key_id: contract('ConnectorName'),
  organization_id: ORGANIZATION.schema,
  serverless: described(SWITCH, 'A TRUSTED_IDP connection that needs no db_user.'),
  scopes: described(listOf(TEXT), 'What a consent page asks for.'),
});

type ConnectionForm = RowControl & ValueOf<typeof FORM>;

/** What a connection is of which nothing else is said. */
const DEFAULTS = {
  domains: [],
  enabled: true,
  provider: 'CUSTOM',
  status: 'COMPLETED',
  type: 'OAUTH',
  serverless: false,
  scopes: [],
} satisfies ConnectionForm;

export const connections: Section<'connections', ConnectionForm> = {
  name: 'connections',
  noun: 'connection',
  title: ({ key_id }) => key_id,
  keys: ['key_id'],
  references: { organization_id: ORGANIZATION },
  names: { custom_providers: connectionsOf },
  schema: FORM,
  toRow: (writing, written) => {
    const { organization_name: _, ...form } = written.form;
    const { key_id, provider = DEFAULTS.provider, provider_key = key_id } = form;
    const { organization_id } = form;
    const organization = getRow(writing.state.organizations, organization_id ?? '');
    if (organization || organization_id === undefined)
      requireAgreement(written, 'organization_name', organization?.display_name, 'by organization_id');
    if (key_id === undefined || provider_key === undefined)
      return written.problem(
        undefined,
        'a connection needs a key_id, the name that accounts use as their connector',
      );
    const custom = provider === 'CUSTOM' ? findProvider(writing.state, provider_key) : undefined;
    const type = custom?.auth_patterns?.[0]?.type;
    return {
      ...DEFAULTS,
      ...(isConnectorType(type) && { type }),
      ...form,
      id: writing.id(form.id, 'conn'),
      key_id,
      provider_key: custom?.identifier ?? provider_key,
    };
  },
  toForm: (_, { id, key_id, type, scopes, ...row }) => ({
    id,
    key_id,
    type,
    ...withoutDerived({ ...row, scopes: [...scopes] }, { ...DEFAULTS, provider_key: key_id }),
  }),
};
