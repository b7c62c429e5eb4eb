/** How the console shows connections, and what it does to them. */
import { putRow } from '../../engine/core/table.ts';
import type { RowAction, Told } from '../operation.ts';
import type { NounView } from '../section.ts';
import type { ConnectionRow } from './row.ts';
import { requireConnection } from './rules.ts';

export const connectionView: NounView<ConnectionRow> = {
  ...{ label: 'Connections', group: 'Accounts', name: 'key_id', status: 'status', about: ['type'] },
  tones: { COMPLETED: 'good', IN_PROGRESS: 'warn', DRAFT: 'quiet' },
  columns: ['status', 'enabled', 'provider', 'organization_id'],
  fields: [
    { name: 'key_id', required: true },
    { name: 'type' },
    { name: 'provider', pick: ['CUSTOM', 'GOOGLE', 'MICROSOFT', 'SALESFORCE', 'OKTA', 'IDP_SIMULATOR'] },
    { name: 'scopes', many: true },
  ],
  shows: ['connected_accounts'],
};

const toAction = (name: string, set: Partial<ConnectionRow>, told: Told): RowAction => ({
  name,
  ...told,
  step: (state, { id }) => {
    const connection = { ...requireConnection(state, id), ...set };
    return {
      reply: connection,
      state: { ...state, connections: putRow(state.connections, connection) },
    };
  },
});

export const connectionActions: readonly RowAction[] = [
  toAction('disable', { enabled: false }, { label: 'Disable', when: { enabled: ['true'] } }),
  toAction('enable', { enabled: true }, { label: 'Enable', when: { enabled: ['false'] } }),
  ...(['COMPLETED', 'IN_PROGRESS', 'DRAFT'] as const).map((status, _, all) =>
    toAction(
      status.toLowerCase(),
      { status },
      { label: status, when: { status: all.filter((one) => one !== status) } },
    ),
  ),
];
