/**
 * What users decide on links, and applications on users, without a browser (behaviour V2-V6); and how the console shows
 * links and verification requests.
 */
import { notFound } from '../../engine/core/errors.ts';
import type { Instant } from '../../engine/core/moment.ts';
import { getRow } from '../../engine/core/table.ts';
import { WITH_PAGE } from '../connections.ts';
import type { LinkRow, State, VerificationRequestRow } from '../state.ts';
import { asReply, type Env, type NounView, type RowAction } from '../types.ts';
import { approve, createMagicLink, deny, verifyConnectedAccountUser } from './operations.ts';

export const linkActions: readonly RowAction[] = [
  {
    name: 'open',
    label: 'Open its page',
    when: { status: ['OPEN'] },
    opens: true,
    step: (_, { id }, env) => ({ reply: { link: `${env.baseUrl}/magicLink/${env.withEnvironmentKey(id)}` } }),
  },
  {
    name: 'approve',
    when: { status: ['OPEN'] },
    input: ['scopes'],
    step: (state, { id, scopes }: { readonly id: string; readonly scopes?: readonly string[] }, env) =>
      approve(state, id, scopes, env),
  },
  {
    name: 'deny',
    when: { status: ['OPEN'] },
    input: ['error', 'error_description'],
    step: (state, { id, ...error }, env) => deny(state, id, error, env),
  },
];

/** A new link for an account. Where links need a page to return to (behaviour V4), it is a page of this server. */
export const openLink = (state: State, { id, ...given }: LinkRequest, env: Env) => {
  const user_verify_url = `${env.baseUrl}/connect/success`;
  const back = env.settings.user_verification === 'strict' && { user_verify_url };
  const body = { ...back, ...given, id };
  const { reply, ...effects } = asReply(createMagicLink(state, { path: {}, query: {}, body }, env));
  return { reply: { link: String(Object(reply).link) }, ...effects };
};

export interface LinkRequest {
  readonly id: string;
  readonly user_verify_url?: string;
  readonly state?: string;
}

/** Verifies the user of the newest open request of those that are meant, as the application would (behaviour V6). */
const verify = (state: State, isMeant: (row: VerificationRequestRow) => boolean, env: Env) => {
  const request = [...state.verification_requests.rows.values()].findLast(isMeant);
  const account = getRow(state.connected_accounts, request?.account_id ?? '');
  if (!request || !account) throw notFound('open verification request', 'The user must approve first.');
  const { identifier } = account;
  const body = { auth_request_id: env.withEnvironmentKey(request.auth_request_id), identifier };
  return asReply(verifyConnectedAccountUser(state, { path: {}, query: {}, body }, env));
};

export const requestActions: readonly RowAction[] = [
  {
    name: 'verify',
    hint: 'As the application does',
    when: { status: ['OPEN'] },
    step: (state, { id }, env) => verify(state, ({ auth_request_id }) => auth_request_id === id, env),
  },
];

/** What links make possible for an account. */
export const accountLinkActions: readonly RowAction[] = [
  {
    name: 'open',
    label: 'Open its page',
    when: { authorization_type: WITH_PAGE },
    opens: true,
    step: openLink,
  },
  {
    name: 'approve',
    hint: 'As if the user had approved on the page',
    when: { authorization_type: WITH_PAGE },
    step: (state, { id }, env) => {
      const made = openLink(state, { id }, env);
      const token = made.reply.link.split('/').at(-1) ?? '';
      const { reply, state: next, changes = [] } = approve(made.state ?? state, token, undefined, env);
      return { reply, ...(next && { state: next }), changes: [...(made.changes ?? []), ...changes] };
    },
  },
  {
    name: 'verify',
    when: { status: ['PENDING_VERIFICATION'] },
    step: (state, { id }, env) => verify(state, ({ account_id }) => account_id === id, env),
  },
];

/** These rows store no status: they are open until they are used or end. */
const statusOf = ({ expires_at, used_at }: Partial<LinkRow>, at: Instant) => ({
  status: used_at !== undefined ? 'USED' : at.hasEnded(expires_at) ? 'EXPIRED' : 'OPEN',
});

const shared = { name: 'account', status: 'status' } as const;
const TONES = { OPEN: 'info', EXPIRED: 'bad', USED: 'quiet' } as const;

const identifierOf = ({ connected_accounts }: State, id: string): string =>
  getRow(connected_accounts, id)?.identifier ?? id;

export const linkView: NounView<LinkRow> = {
  ...shared,
  label: 'Links',
  group: 'Accounts',
  tones: TONES,
  columns: ['status', 'expires_at', 'user_verify_url'],
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
      : { what: 'link', of: identifierOf(state, account_id), at },
  create: (state, { account, ...given }, env) => {
    const { reply, ...effects } = openLink(state, { ...given, id: account } as LinkRequest, env);
    const token = reply.link.split('/').at(-1) ?? '';
    return { reply: { id: env.withoutEnvironmentKey(token) }, ...effects };
  },
};

export const requestView: NounView<VerificationRequestRow> = {
  ...shared,
  label: 'Requests',
  one: 'request',
  group: 'Accounts',
  tones: TONES,
  columns: ['status', 'expires_at', 'state'],
  more: (_, row, at) => statusOf(row, at),
  end: (state, { expires_at: at, account_id }) =>
    at && { what: 'request', of: identifierOf(state, account_id), at },
};
