/** Authorization links of a scenario (behaviour V1, V2). */
import { isWebAddress } from '../../engine/core/addresses.ts';
import { defined } from '../../engine/core/object.ts';
import {
  described,
  type FormOf,
  object,
  TIME_OR_NEVER,
  TOKEN,
} from '../../engine/scenario/member-schemas.ts';
import { endOr, endText, shift } from '../../engine/scenario/times.ts';
import { ABOUT_ACCOUNT, ACCOUNT_NAME, accountOf } from '../references.ts';
import { contract, type NounSection } from '../section.ts';

const FORM = object({
  token: TOKEN,
  ...ACCOUNT_NAME,
  state: contract('CreateMagicLinkRequest', 'state'),
  user_verify_url: contract('CreateMagicLinkRequest', 'user_verify_url'),
  expires_at: TIME_OR_NEVER,
  used_at: TIME_OR_NEVER,
  auth_request_id: described(TOKEN, 'The verification request that opened when the user approved the link.'),
});

export const linksSection: NounSection<'authorization_links', FormOf<typeof FORM>> = {
  ...ABOUT_ACCOUNT,
  name: 'authorization_links',
  noun: 'link',
  idMember: 'token',
  schema: FORM,
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
        expires_at: endOr(expires_at, shift(open.now, open.settings.magic_link_ttl)),
        used_at: endOr(used_at),
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
