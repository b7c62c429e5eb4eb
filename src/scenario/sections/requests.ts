/** Verification requests of a scenario: consent was given, and the user is not verified yet (behaviour V3, V6). */

import { defined } from '../../core/object.ts';
import type { AccountRow, VerificationRequestRow } from '../../domain/rows.ts';
import type { RowControl, WrittenRow } from '../row-source.ts';
import { endOr, formatEnd, formatOptional, shift } from '../times.ts';
import type { Writing } from '../writing.ts';
import { CREDENTIALS, makeOAuthToken, readCredentials } from './credentials.ts';
import { contract, object, TIME_OR_NEVER, TOKEN, type ValueOf } from './members.ts';
import { ABOUT_ACCOUNT, ACCOUNT_NAME, requireAccount } from './references.ts';
import { type Section, withoutDerived } from './section.ts';

const FORM = object({
  auth_request_id: TOKEN,
  ...ACCOUNT_NAME,
  state: contract('CreateMagicLinkRequest', 'state'),
  expires_at: TIME_OR_NEVER,
  authorization_details: CREDENTIALS,
  token_expires_at: TIME_OR_NEVER,
});

type VerificationRequestForm = RowControl & ValueOf<typeof FORM>;

export const requests: Section<'verification_requests', VerificationRequestForm> = {
  ...ABOUT_ACCOUNT,
  name: 'verification_requests',
  noun: 'verification request',
  idMember: 'auth_request_id',
  schema: FORM,
  toRow: (writing, written) => {
    const { form, problem } = written;
    const found = requireAccount(writing, written);
    if (!found) return undefined;
    const { account, connector } = found;
    if (connector.kind.page !== 'consent')
      return problem(
        undefined,
        `${account.connector} (${account.authorization_type}) needs no verification; only OAuth kinds do`,
      );
    const { clock, settings } = writing;
    const given = readCredentials(written, connector);
    const end = given ? undefined : shift(clock.now, settings.provider_token_ttl);
    return {
      auth_request_id: writing.token(form.auth_request_id),
      account_id: account.id,
      ...defined({
        state: form.state,
        expires_at: endOr(form.expires_at, shift(clock.now, settings.auth_request_ttl)),
        token_expires_at: endOr(form.token_expires_at, end),
      }),
      authorization_details: given ?? {
        oauth_token: makeOAuthToken(writing.token, connector.connection, true),
      },
    };
  },
  toForm: (_, { auth_request_id, account_id, ...row }, { at }) => ({
    auth_request_id,
    account: account_id,
    ...withoutDerived({
      ...row,
      expires_at: formatEnd(row.expires_at, at),
      token_expires_at: formatOptional(row.token_expires_at, at),
    }),
  }),
};

/** Whether a request still waits; undefined where that is not known. */
export const isWaiting = (
  { clock }: Writing,
  { expires_at }: VerificationRequestRow,
): boolean | undefined => {
  const hasEnded = clock.hasPassed(expires_at);
  return hasEnded === undefined ? undefined : !hasEnded;
};

/** Makes the request that an account waits for whose status says so. */
export const putRequestFor = (writing: Writing, written: WrittenRow<unknown>, { id }: AccountRow): void => {
  const row = requests.toRow(writing, { ...written, form: { account: id } });
  if (row) writing.put('verification_requests', row);
};
