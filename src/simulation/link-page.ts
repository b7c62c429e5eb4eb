/** What a user sees on an authorization link before deciding (behaviour V2). */
import { hasEnded, wireTimes } from '../core/moment.ts';
import { defined } from '../core/object.ts';
import { getRow } from '../core/table.ts';
import { requireConnectorOf } from '../domain/connection.ts';
import { type CredentialField, credentialFields } from '../domain/credentials.ts';
import type { Env, Simulation } from '../domain/operation.ts';
import { customProviderOf } from '../domain/provider.ts';
import type { AccountRow, LinkRow } from '../domain/rows.ts';
import type { State } from '../domain/state.ts';

/** The input of every user action on the page of a link. */
export interface LinkInput {
  /** The token as it appears in the link's address. */
  readonly token: string;
}

/** Why a link has no page. Expired and used links are answered with 410, unknown links with 404 (behaviour V2). */
export type ClosedState = 'expired' | 'used' | 'unknown';

type FoundLink =
  | { readonly linkState: 'open'; readonly link: LinkRow; readonly account: AccountRow }
  | { readonly linkState: ClosedState };

/** Finds a link by its token, together with its current state. */
export const findLink = (state: State, { token }: LinkInput, env: Env): FoundLink => {
  const link = getRow(state.authorization_links, env.withoutEnvironmentKey(token));
  const account = link && getRow(state.connected_accounts, link.account_id);
  if (!link || !account) return { linkState: 'unknown' };
  if (link.used_at !== undefined) return { linkState: 'used' };
  if (hasEnded(link.expires_at, env)) return { linkState: 'expired' };
  return { linkState: 'open', link, account };
};

/** The content of both kinds of page. */
export interface LinkSubject {
  readonly connector: string;
  /** The provider's name, if it is known. */
  readonly provider?: string;
  readonly identifier: string;
  /** The organization's display name, or the id sent if no organization has it (behaviour I2). */
  readonly organization?: string;
  /** Where the user goes after deciding. Absent if the user goes to a page of this server. */
  readonly user_verify_url?: string;
  /** When the link expires. Absent if it never expires. */
  readonly expires_at?: string;
}

export type ConsentSubject = LinkSubject & { readonly kind: 'consent'; readonly scopes: readonly string[] };
export type FormSubject = LinkSubject & {
  readonly kind: 'form';
  readonly fields: readonly CredentialField[];
};

/** The page of an open link, or why the link has no page. */
type LinkPage =
  | ({ readonly linkState: 'open' } & (ConsentSubject | FormSubject))
  | { readonly linkState: ClosedState };

/** Shows the page of a link; changes nothing. @throws Refusal 404 if the account's connection was removed */
export const viewLink: Simulation<LinkInput, LinkPage> = (state, given, env) => {
  const found = findLink(state, given, env);
  if (found.linkState !== 'open') return { reply: found };
  const { link, account } = found;
  const { connection, kind } = requireConnectorOf(state, account);
  const { connector, identifier, organization_id = '' } = account;
  const provider =
    connection.provider === 'CUSTOM'
      ? customProviderOf(state, connection)?.display_name
      : connection.provider;
  const organization = getRow(state.organizations, organization_id)?.display_name ?? account.organization_id;
  const subject = {
    linkState: 'open' as const,
    connector,
    identifier,
    ...defined({ provider, organization, user_verify_url: link.user_verify_url }),
    ...wireTimes({ expires_at: link.expires_at }, env),
  };
  if (kind.page === 'consent') return { reply: { ...subject, kind: 'consent', scopes: connection.scopes } };
  if (kind.page === 'form')
    return { reply: { ...subject, kind: 'form', fields: credentialFields(state, connection) } };
  return { reply: { linkState: 'unknown' } };
};
