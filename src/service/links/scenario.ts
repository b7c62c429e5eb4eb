/** Authorization links and verification requests of a scenario (behaviour V1-V3, V6). */
import { isWebAddress } from '../../engine/core/addresses.ts';
import { defined } from '../../engine/core/object.ts';
import { getRow } from '../../engine/core/table.ts';
import { described, type FormOf, object, TEXT, TIME_OR_NEVER, TOKEN } from '../../engine/scenario/schema.ts';
import { findNamed, type WrittenRow } from '../../engine/scenario/section.ts';
import { endText, shift } from '../../engine/scenario/times.ts';
import { CREDENTIALS, formCredentials, makeOAuthToken } from '../accounts/credentials.ts';
import { ACCOUNT, hasOpenRequest } from '../accounts/rules.ts';
import { CONNECTION, type Connector, connectorOf } from '../connections.ts';
import type { AccountRow } from '../state.ts';
import { contract, type NounSection, type OpenNouns } from '../types.ts';

/** Links and verification requests refer to their account by `account`, or by connector and identifier. */
const ACCOUNT_NAME = { account: ACCOUNT.schema, connector: CONNECTION.schema, identifier: TEXT };

/** The members of a section that links and verification requests have in common. */
const ABOUT_ACCOUNT = {
  example: '{ account: mail/ada@acme.test }',
  references: { account: ACCOUNT },
  replaces: { connector: ['account'], identifier: ['account'] },
  names: ({ account_id }: { readonly account_id: string }) => [`connected_accounts/${account_id}`],
};

/** The account of a link or verification request, and the account's connector. */
const accountOf = (
  open: OpenNouns,
  written: WrittenRow<{ readonly [Name in keyof typeof ACCOUNT_NAME]?: string }>,
): { readonly account: AccountRow; readonly connector: Connector } | undefined => {
  const { account: id, connector, identifier } = written.form;
  const needs = 'needs "account" (an id, or CONNECTOR/IDENTIFIER), or both "connector" and "identifier"';
  if (id === undefined && (connector === undefined || identifier === undefined))
    return written.problem(undefined, needs);
  const account =
    id === undefined
      ? findNamed(open, written, 'identifier', ACCOUNT, `${connector}/${identifier}`)
      : getRow(open.state.connected_accounts, id);
  const found = account && connectorOf(open.state, account);
  return account && found && { account, connector: found };
};

const LINK = object({
  token: TOKEN,
  ...ACCOUNT_NAME,
  state: contract('CreateMagicLinkRequest', 'state'),
  user_verify_url: contract('CreateMagicLinkRequest', 'user_verify_url'),
  expires_at: TIME_OR_NEVER,
  used_at: TIME_OR_NEVER,
  auth_request_id: described(TOKEN, 'The verification request that opened when the user approved the link.'),
});

export const linksSection: NounSection<'authorization_links', FormOf<typeof LINK>> = {
  ...ABOUT_ACCOUNT,
  name: 'authorization_links',
  noun: 'link',
  idMember: 'token',
  schema: LINK,
  toRow: (open, written) => {
    const { form, problem } = written;
    const { state, user_verify_url, expires_at, used_at, auth_request_id } = form;
    if (user_verify_url !== undefined && !isWebAddress(user_verify_url))
      problem('user_verify_url', 'is not an http or https URL');
    const found = accountOf(open, written);
    if (!found) return undefined;
    const { account, connector } = found;
    if (!connector.kind.page)
      problem(undefined, `accounts of ${account.connector} (${account.authorization_type}) have no links`);
    return {
      token: open.token(form.token),
      account_id: account.id,
      ...defined({
        state,
        user_verify_url,
        expires_at: open.endOr(expires_at, shift(open.now, open.settings.magic_link_ttl)),
        used_at: open.endOr(used_at),
        auth_request_id,
      }),
    };
  },
  toForm: (_, { account_id, ...row }, { time }) => ({
    ...row,
    account: account_id,
    expires_at: endText(time, row.expires_at),
    used_at: endText(time, row.used_at),
  }),
};

const REQUEST = object({
  auth_request_id: TOKEN,
  ...ACCOUNT_NAME,
  state: contract('CreateMagicLinkRequest', 'state'),
  expires_at: TIME_OR_NEVER,
  authorization_details: CREDENTIALS,
  token_expires_at: TIME_OR_NEVER,
});

export const requestsSection: NounSection<'verification_requests', FormOf<typeof REQUEST>> = {
  ...ABOUT_ACCOUNT,
  name: 'verification_requests',
  noun: 'verification request',
  idMember: 'auth_request_id',
  schema: REQUEST,
  toRow: (open, written) => {
    const { form, problem } = written;
    const found = accountOf(open, written);
    if (!found) return undefined;
    const { account, connector } = found;
    const needless = `${account.connector} (${account.authorization_type}) needs no verification; only OAuth connectors need it`;
    if (connector.kind.page !== 'consent') return problem(undefined, needless);
    const { now, settings } = open;
    const given = formCredentials(written, connector);
    const end = given ? undefined : shift(now, settings.provider_token_ttl);
    return {
      auth_request_id: open.token(form.auth_request_id),
      account_id: account.id,
      ...defined({
        state: form.state,
        expires_at: open.endOr(form.expires_at, shift(now, settings.auth_request_ttl)),
        token_expires_at: open.endOr(form.token_expires_at, end),
      }),
      authorization_details: given ?? { oauth_token: makeOAuthToken(open.token, connector.connection, true) },
    };
  },
  toForm: (_, { account_id, ...row }, { time }) => ({
    ...row,
    account: account_id,
    expires_at: endText(time, row.expires_at),
    token_expires_at: endText(time, row.token_expires_at),
  }),
  // If the scenario has a PENDING_VERIFICATION account without a verification request, adds a request.
  complete: (open, written) => {
    for (const [id, account] of written('connected_accounts')) {
      if (account.own.status !== 'PENDING_VERIFICATION') continue;
      if (hasOpenRequest(open.state, id, open.instants[0])) continue;
      const row = requestsSection.toRow(open, { ...account, form: { account: id } });
      if (row) open.put('verification_requests', row);
    }
  },
};
