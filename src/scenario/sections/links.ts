/** Authorization links of a scenario (behaviour V1, V2). */

import { defined } from '../../core/defined.ts';
import { isWebAddress } from '../../core/web-address.ts';
import type { RowControl } from '../row-source.ts';
import { endOr, formatEnd, formatOptional, shift } from '../times.ts';
import { memberOf, object, type Some, TIME_OR_NEVER, TOKEN } from './members.ts';
import { ABOUT_ACCOUNT, type AccountName, PAIR, requireAccount } from './references.ts';
import { type Section, withoutDerived } from './section.ts';

export type LinkForm = RowControl &
  AccountName &
  Some<{ token: string; state: string; user_verify_url: string; expires_at: string; used_at: string }>;

export const links: Section<'authorization_links', LinkForm> = {
  ...ABOUT_ACCOUNT,
  name: 'authorization_links',
  noun: 'link',
  idMember: 'token',
  schema: (contract) =>
    object(
      {},
      {
        token: TOKEN,
        ...PAIR,
        state: memberOf(contract('CreateMagicLinkRequest'), 'state'),
        user_verify_url: memberOf(contract('CreateMagicLinkRequest'), 'user_verify_url'),
        expires_at: TIME_OR_NEVER,
        used_at: TIME_OR_NEVER,
      },
    ),

  toRow: (writing, written) => {
    const { form, problem } = written;
    const { user_verify_url, expires_at, used_at } = form;
    if (user_verify_url !== undefined && !isWebAddress(user_verify_url))
      problem('user_verify_url', 'is not an http or https URL');
    const found = requireAccount(writing, written);
    if (!found) return undefined;
    const { account, connector } = found;
    if (!connector.kind.page)
      problem(undefined, `${account.authorization_type} accounts have no link (${account.connector})`);
    return {
      token: writing.token(form.token),
      account_id: account.id,
      ...defined({
        state: form.state,
        user_verify_url,
        expires_at: endOr(expires_at, shift(writing.clock.now, writing.settings.magic_link_ttl)),
        used_at: endOr(used_at),
      }),
    };
  },
  toForm: (_, { token, account_id, auth_request_id: _request, ...row }, { at }) => ({
    token,
    account: account_id,
    ...withoutDerived({
      ...row,
      expires_at: formatEnd(row.expires_at, at),
      used_at: formatOptional(row.used_at),
    }),
  }),
};
