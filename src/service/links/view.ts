/** How the console shows authorization links and verification requests. */
import type { Instant } from '../../engine/core/moment.ts';
import { getRow } from '../../engine/core/table.ts';
import type { NounView } from '../section.ts';
import type { State } from '../state.ts';
import { type LinkRequest, openLink } from './actions.ts';
import type { LinkRow, VerificationRequestRow } from './row.ts';

/** These rows store no status: they are open until they are used or end. */
const statusOf = ({ expires_at, used_at }: Partial<LinkRow>, at: Instant) => ({
  status: used_at !== undefined ? 'USED' : at.hasEnded(expires_at) ? 'EXPIRED' : 'OPEN',
});

const shared = { name: 'account', status: 'status' } as const;
const TONES = { OPEN: 'info', EXPIRED: 'bad', USED: 'quiet' } as const;

const nameOf = ({ connected_accounts }: State, id: string): string =>
  getRow(connected_accounts, id)?.identifier ?? id;

export const linkView: NounView<LinkRow> = {
  ...{ ...shared, label: 'Links and requests', group: 'Accounts', also: 'verification_requests' },
  ...{ tones: TONES, columns: ['status', 'expires_at', 'user_verify_url'] },
  fields: [
    { name: 'account', pick: 'connected_accounts', required: true },
    { name: 'user_verify_url' },
    { name: 'state' },
  ],
  more: (_, row, at) => statusOf(row, at),
  page: ({ token }) => `/magicLink/${token}`,
  end: (state, { expires_at: at, used_at, account_id }) =>
    at === undefined || used_at !== undefined
      ? undefined
      : { what: 'link', of: nameOf(state, account_id), at },
  create: (state, { account, ...given }, env) => {
    const { reply, ...effects } = openLink(state, { ...given, id: account } as LinkRequest, env);
    const token = reply.link.split('/').at(-1) ?? '';
    return { reply: { id: env.withoutEnvironmentKey(token) }, ...effects };
  },
};

export const requestView: NounView<VerificationRequestRow> = {
  ...{ ...shared, label: 'Verification requests', one: 'request' },
  ...{ tones: TONES, columns: ['status', 'expires_at', 'state'] },
  more: (_, row, at) => statusOf(row, at),
  end: (state, { expires_at: at, account_id }) =>
    at && { what: 'request', of: nameOf(state, account_id), at },
};
