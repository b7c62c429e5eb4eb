/** How the console shows connected accounts. */
import { instantAt, resolve } from '../../engine/core/moment.ts';
import type { NounView } from '../section.ts';
import type { AccountRow } from './row.ts';
import { accountStatus, presentDetails, settledStatus } from './rules.ts';

export const accountView: NounView<AccountRow> = {
  ...{ label: 'Accounts', group: 'Accounts', name: 'identifier', status: 'status' },
  about: ['connector', 'authorization_type'],
  tones: {
    ...{ ACTIVE: 'good', PENDING_AUTH: 'warn', PENDING_VERIFICATION: 'warn' },
    ...{ EXPIRED: 'bad', DISCONNECTED: 'bad' },
  },
  columns: ['status', 'user_id', 'organization_id', 'token_expires_at', 'last_used_at'],
  fields: [
    { name: 'connector', pick: 'connections', required: true },
    { name: 'identifier', pick: 'users', required: true },
    { name: 'organization_id', label: 'Organization', pick: 'organizations' },
    { name: 'user_id', label: 'User', pick: 'users' },
  ],
  shows: ['authorization_links', 'verification_requests'],
  more: (state, row, at) => ({ status: accountStatus(state, row, at) }),
  end: (_, row, { start }) => {
    const { token_expires_at: at, identifier: of } = row;
    if (at === undefined || row.stored_status !== 'ACTIVE') return undefined;
    const isRefreshed = settledStatus(row, instantAt(resolve(at, start), start)) !== 'EXPIRED';
    return { what: 'token', of, at, isRefreshed };
  },
  present: presentDetails,
};
