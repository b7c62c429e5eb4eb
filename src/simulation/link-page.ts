/** What a user sees on an authorization link before deciding (behaviour V2). */

import { wireTimes } from '../core/moment.ts';
import { defined } from '../core/object.ts';
import { getRow, rowsBy } from '../core/table.ts';
import { type FoundLink, findLink } from '../domain/authorization.ts';
import { requireConnectorOf } from '../domain/connection.ts';
import { type CredentialField, credentialFields } from '../domain/credential-fields.ts';
import type { Env, Simulation } from '../domain/operation.ts';
import type { AccountRow, ConnectionRow, LinkRow } from '../domain/rows.ts';
import type { State } from '../domain/state.ts';
import type { LinkInput } from './link-reply.ts';

/** The content of both kinds of page. */
export interface LinkSubject {
  readonly connector: string;
  /** The provider's name, if it is known. */
  readonly provider?: string;
  readonly identifier: string;
  /** The organization's display name, or the id sent if no organization has it (behaviour I2). */
  readonly organization?: string;
  /** Where the user goes after deciding; absent: a page of this server. */
  readonly user_verify_url?: string;
  /** When the link expires. Absent: never. */
  readonly expires_at?: string;
}

export type ConsentSubject = LinkSubject & { readonly kind: 'consent'; readonly scopes: readonly string[] };
export type FormSubject = LinkSubject & {
  readonly kind: 'form';
  readonly fields: readonly CredentialField[];
};

/** The page of an open link, or why the link has none. */
export type LinkPage =
  | ({ readonly linkState: 'open' } & (ConsentSubject | FormSubject))
  | { readonly linkState: Exclude<FoundLink['linkState'], 'open'> };

/** Shows the page of a link; changes nothing. @throws Refusal 404 if the account's connection was removed */
export const viewLink: Simulation<LinkInput, LinkPage> = (state, { token }, env) => {
  const found = findLink(state, token, env);
  if (found.linkState !== 'open') return { reply: { linkState: found.linkState } };
  const { link, account } = found;
  const { connection, kind } = requireConnectorOf(state, account);
  const subject = { linkState: 'open', ...subjectOf(state, link, account, connection, env) } as const;
  if (kind.page === 'consent') return { reply: { ...subject, kind: 'consent', scopes: connection.scopes } };
  if (kind.page === 'form') {
    return { reply: { ...subject, kind: 'form', fields: credentialFields(state, connection) } };
  }
  return { reply: { linkState: 'unknown' } };
};

const subjectOf = (
  state: State,
  { user_verify_url, expires_at }: LinkRow,
  { connector, identifier, organization_id }: AccountRow,
  connection: ConnectionRow,
  env: Env,
): LinkSubject => {
  const provider = providerName(state, connection);
  const organization =
    organization_id === undefined ? undefined : getRow(state.organizations, organization_id);
  return {
    connector,
    identifier,
    ...(provider !== undefined && { provider }),
    ...defined({ organization: organization?.display_name ?? organization_id }),
    ...(user_verify_url !== undefined && { user_verify_url }),
    ...wireTimes({ expires_at }, env),
  };
};

/** A custom provider's display name; undefined for a CUSTOM connection that names no provider. */
const providerName = (state: State, { provider, provider_key }: ConnectionRow): string | undefined =>
  provider === 'CUSTOM'
    ? rowsBy(state.custom_providers, 'identifier', provider_key)[0]?.display_name
    : provider;
