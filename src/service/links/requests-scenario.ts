/** Verification requests of a scenario: the user has consented but is not verified yet (behaviour V3, V6). */
import { defined } from '../../engine/core/object.ts';
import { type FormOf, object, TIME_OR_NEVER, TOKEN } from '../../engine/scenario/member-schemas.ts';
import { endOr, endText, shift } from '../../engine/scenario/times.ts';
import { CREDENTIALS, formCredentials, makeOAuthToken } from '../accounts/credentials-schema.ts';
import { hasOpenRequest } from '../accounts/rules.ts';
import { ABOUT_ACCOUNT, ACCOUNT_NAME, accountOf } from '../references.ts';
import { contract, type NounSection } from '../section.ts';

const FORM = object({
  auth_request_id: TOKEN,
  ...ACCOUNT_NAME,
  state: contract('CreateMagicLinkRequest', 'state'),
  expires_at: TIME_OR_NEVER,
  authorization_details: CREDENTIALS,
  token_expires_at: TIME_OR_NEVER,
});

export const requestsSection: NounSection<'verification_requests', FormOf<typeof FORM>> = {
  ...ABOUT_ACCOUNT,
  name: 'verification_requests',
  noun: 'verification request',
  idMember: 'auth_request_id',
  schema: FORM,
  toRow: (open, written) => {
    const { form, problem } = written;
    const found = accountOf(open, written);
    if (!found) return undefined;
    const { account, connector } = found;
    if (connector.kind.page !== 'consent')
      return problem(
        undefined,
        `${account.connector} (${account.authorization_type}) needs no verification; only OAuth connectors need it`,
      );
    const { now, settings } = open;
    const given = formCredentials(written, connector);
    const end = given ? undefined : shift(now, settings.provider_token_ttl);
    return {
      auth_request_id: open.token(form.auth_request_id),
      account_id: account.id,
      ...defined({
        state: form.state,
        expires_at: endOr(form.expires_at, shift(now, settings.auth_request_ttl)),
        token_expires_at: endOr(form.token_expires_at, end),
      }),
      authorization_details: given ?? {
        oauth_token: makeOAuthToken(open.token, connector.connection, true),
      },
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
