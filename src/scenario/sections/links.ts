/** Authorization links of a scenario (behaviour V1, V2). */

import { isWebAddress } from '../../core/addresses.ts';
import { defined } from '../../core/object.ts';
import type { RowControl } from '../row-source.ts';
import { endOr, formatEnd, formatOptional, shift } from '../times.ts';
import { contract, object, TIME_OR_NEVER, TOKEN, type ValueOf } from './members.ts';
import { ABOUT_ACCOUNT, ACCOUNT_NAME, requireAccount } from './references.ts';
import { type Section, withoutDerived } from './section.ts';

const FORM = object({
  token: TOKEN,
  ...ACCOUNT_NAME,
  state: contract('CreateMagicLinkRequest', 'state'),
  user_verify_url: contract('CreateMagicLinkRequest', 'user_verify_url'),
  expires_at: TIME_OR_NEVER,
  used_at: TIME_OR_NEVER,
});

type LinkForm = RowControl & ValueOf<typeof FORM>;

export const links: Section<'authorization_links', LinkForm> = {
  ...ABOUT_ACCOUNT,
  name: 'authorization_links',
  noun: 'link',
  idMember: 'token',
  schema: FORM,
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
