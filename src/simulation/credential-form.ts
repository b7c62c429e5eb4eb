/** The credential form on the link of an API_KEY, BASIC or BEARER account, and its submit (behaviour V2, V5). */

import { accountUpdated, activate } from '../domain/account-changes.ts';
import { successUrl } from '../domain/authorization.ts';
import { requireConnectorOf } from '../domain/connection.ts';
import { type CredentialField, credentialFields } from '../domain/credential-fields.ts';
import type { Effects, Env, Simulation } from '../domain/operation.ts';
import type { AccountRow, ConnectionRow, LinkRow } from '../domain/rows.ts';
import type { State } from '../domain/state.ts';
import { decideOpen, type LinkInput, type LinkReply, verifyUrl } from './link-reply.ts';

/** A form that was filled in. */
export interface FilledForm extends LinkInput {
  /** What the user entered, by name of the field; unknown names are ignored. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The reply to any decision; or the fields that the user left empty; or `formless` if the link has no form. */
export type FormReply =
  | LinkReply
  | { readonly outcome: 'incomplete'; readonly missing: readonly CredentialField[] }
  | { readonly outcome: 'formless' };

/**
 * Submits the form: the account is ACTIVE with these values, without verification (behaviour V2). The user goes to
 * `user_verify_url` with `state`, or to the success page.
 */
export const submitCredentials: Simulation<FilledForm, FormReply> = (state, given, env) =>
  decideOpen<FormReply>(state, given, env, (used, { link, account }) => {
    const { connection, kind } = requireConnectorOf(state, account);
    if (kind.page !== 'form') return { reply: { outcome: 'formless' } };
    const fields = credentialFields(state, connection);
    const missing = fields.filter(({ name, required }) => required && !entered(given, name));
    if (missing.length > 0) return { reply: { outcome: 'incomplete', missing } };
    const details = fields.flatMap(({ name }) => {
      const value = entered(given, name);
      return value ? [[name, value] as const] : [];
    });
    return storeDetails(used, link, account, Object.fromEntries(details), env);
  });

const entered = ({ fields }: FilledForm, name: string): string | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/** Stores fixed test credentials for a form that is approved without being filled in (behaviour V5). */
export const submitTestCredentials = (
  used: State,
  link: LinkRow,
  account: AccountRow,
  env: Env,
): { readonly reply: LinkReply } & Effects => {
  const { connection } = requireConnectorOf(used, account);
  return storeDetails(used, link, account, testDetails(used, connection), env);
};

const testDetails = (state: State, connection: ConnectionRow): Record<string, string> =>
  Object.fromEntries(credentialFields(state, connection).map(({ name }) => [name, `test-${name}`]));

const storeDetails = (
  used: State,
  link: LinkRow,
  account: AccountRow,
  details: Readonly<Record<string, string>>,
  env: Env,
): { readonly reply: LinkReply } & Effects => {
  const after = activate(used, account, { authorization_details: { static_auth: { details } } }, env);
  return {
    reply: { outcome: 'redirect', redirect_url: verifyUrl(link, {}) ?? successUrl(env) },
    state: after.state,
    changes: [
      { type: 'authorization_link.approved', resource: { connected_account_id: account.id } },
      accountUpdated({ state: used, account }, after, env),
    ],
  };
};
