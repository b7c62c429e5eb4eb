/** What an account of a scenario is and holds: standing and credentials (behaviour A5-A8). */
import type { Moment } from '../../core/moment.ts';
import type { Connector } from '../../domain/connector.ts';
import { isUsableWith } from '../../domain/credentials.ts';
import type { AccountRow, CredentialsRow } from '../../domain/rows.ts';
import { type Draft, isKnown } from '../draft.ts';
import { endOr, shift } from '../times.ts';
import type { AccountForm } from '../written.ts';
import { type Build, fault } from './build.ts';
import { makeCredentials, mintMissing, readCredentials, writtenEnd } from './credentials.ts';

type Condition = Pick<AccountRow, 'stored_status' | 'refresh' | 'token_expires_at' | 'authorization_details'>;

/** Standing and credentials, as status and dates say; what is not said follows from the rest (behaviour A6, A8). */
export const condition = (
  build: Build,
  draft: Draft<AccountForm>,
  connector: Connector,
  identifier: string,
): Condition => {
  const { form } = draft;
  const written = readCredentials(build, draft, connector, form.authorization_details);
  const status = form.status ?? (isUsableWith(written ?? {}, connector) ? 'ACTIVE' : 'PENDING_AUTH');
  const isLive = status === 'ACTIVE' || status === 'EXPIRED';
  const { credentials, end } = isLive
    ? liveCredentials(build, form, connector, { identifier, written })
    : { credentials: written };
  const token_expires_at = endOr(
    form.token_expires_at ?? writtenEnd(form.authorization_details),
    status === 'EXPIRED' ? build.clock.now : end,
  );
  checkStanding(build, draft);
  return {
    stored_status: standingOf(status, form, credentials),
    refresh: form.refresh ?? (status === 'EXPIRED' ? 'deny' : 'grant'),
    ...(token_expires_at !== undefined && { token_expires_at }),
    ...(credentials && { authorization_details: credentials }),
  };
};

/** Those that are written, else some that are made up; what the server makes has an end (behaviour A8). */
const liveCredentials = (
  build: Build,
  form: AccountForm,
  connector: Connector,
  { identifier, written }: { readonly identifier: string; readonly written: CredentialsRow | undefined },
): { readonly credentials: CredentialsRow | undefined; readonly end?: Moment } => {
  const isMade = form.authorization_details === undefined;
  const held = isMade ? makeCredentials(build, connector, identifier) : written;
  const minted = held && mintMissing(build, connector, held);
  const hasEnd = minted !== undefined || (isMade && connector.kind.credentials === 'oauth_token');
  return {
    credentials: minted ?? held,
    ...(hasEnd && { end: shift(build.clock.now, build.settings.provider_token_ttl) }),
  };
};

const standingOf = (
  status: NonNullable<AccountForm['status']>,
  { standing }: AccountForm,
  credentials: CredentialsRow | undefined,
): AccountRow['stored_status'] => {
  if (status === 'EXPIRED') return standing ?? 'ACTIVE';
  if (status !== 'PENDING_VERIFICATION') return status;
  return standing ?? (credentials ? 'ACTIVE' : 'PENDING_AUTH');
};

const checkStanding = (build: Build, draft: Draft<AccountForm>): void => {
  const { status, standing } = draft.form;
  if (standing === undefined || !isKnown(draft, 'status', 'standing')) return;
  if (status === 'PENDING_VERIFICATION' || status === 'EXPIRED') return;
  const message = 'goes with status PENDING_VERIFICATION or EXPIRED only; write status alone';
  fault(build, draft, 'standing', message);
};
