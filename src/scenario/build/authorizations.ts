/** Authorization links and verification requests of a scenario (behaviour V1-V6). */
import { defined } from '../../core/defined.ts';
import { type Connector, connectorKind } from '../../domain/connector.ts';
import type { AccountRow, ConnectionRow, LinkRow, VerificationRequestRow } from '../../domain/rows.ts';
import { type Draft, isKnown } from '../draft.ts';
import { endOr, shift } from '../times.ts';
import type { LinkForm, VerificationRequestForm } from '../written.ts';
import type { BuiltAccounts } from './accounts.ts';
import { type Build, fault, tokenOr } from './build.ts';
import { makeOAuthToken, readCredentials } from './credentials.ts';
import type { Register } from './register.ts';

export const buildLinks = (
  build: Build,
  drafts: readonly Draft<LinkForm>[],
  accounts: BuiltAccounts,
  connections: Register<ConnectionRow>,
): readonly LinkRow[] => {
  const claim = claimer(build, 'token', 'link');
  return drafts.flatMap((draft) => {
    const { form } = draft;
    const account = accounts.refer(draft);
    if (form.user_verify_url !== undefined && !URL.canParse(form.user_verify_url))
      fault(build, draft, 'user_verify_url', 'is no address that a browser can go to');
    if (!account) return [];
    if (!connectorOf(account, connections)?.kind.page)
      fault(
        build,
        draft,
        undefined,
        `${account.authorization_type} accounts have no link (${account.connector})`,
      );
    return {
      token: claim(draft, tokenOr(build, form.token)),
      account_id: account.id,
      ...defined({
        state: form.state,
        user_verify_url: form.user_verify_url,
        expires_at: endOr(form.expires_at, shift(build.clock.now, build.settings.magic_link_ttl)),
        used_at: endOr(form.used_at),
      }),
    };
  });
};

export interface WrittenRequest {
  readonly draft: Draft<VerificationRequestForm>;
  readonly row: VerificationRequestRow;
}

/** Whether a request still waits; undefined where nobody can tell. */
export const isOpen = (build: Build, { draft, row: { expires_at } }: WrittenRequest): boolean | undefined => {
  if (!isKnown(draft, 'expires_at')) return undefined;
  const hasEnded = expires_at === undefined ? false : build.clock.hasPassed(expires_at);
  return hasEnded === undefined ? undefined : !hasEnded;
};

/** The requests that are written, and one for each account that is PENDING_VERIFICATION without an open one. */
export const buildVerificationRequests = (
  build: Build,
  drafts: readonly Draft<VerificationRequestForm>[],
  accounts: BuiltAccounts,
  connections: Register<ConnectionRow>,
): readonly WrittenRequest[] => {
  const claim = claimer(build, 'auth_request_id', 'verification request');
  const rowOf = (draft: Draft<VerificationRequestForm>, account: AccountRow): WrittenRequest[] => {
    const connector = connectorOf(account, connections);
    if (connector?.kind.page !== 'consent') {
      const message = `${account.connector} (${account.authorization_type}) needs no verification; only OAuth kinds do`;
      fault(build, draft, undefined, message);
      return [];
    }
    const row = requestRow(build, draft, account, connector);
    claim(draft, row.auth_request_id);
    return [{ draft, row }];
  };
  const written = drafts.flatMap((draft) => {
    const account = accounts.refer(draft);
    return account ? rowOf(draft, account) : [];
  });
  const open = new Set(
    written.filter((each) => isOpen(build, each) !== false).map(({ row }) => row.account_id),
  );
  const missing = accounts.written.filter(
    ({ draft, account }) => draft.form.status === 'PENDING_VERIFICATION' && !open.has(account.id),
  );
  return [
    ...written,
    ...missing.flatMap(({ draft, account }) => rowOf({ form: {}, origins: draft.origins }, account)),
  ];
};

const requestRow = (
  build: Build,
  draft: Draft<VerificationRequestForm>,
  account: AccountRow,
  connector: Connector,
): VerificationRequestRow => {
  const { form } = draft;
  const credentials = readCredentials(build, draft, connector, form.authorization_details);
  const end = shift(build.clock.now, build.settings.provider_token_ttl);
  return {
    auth_request_id: tokenOr(build, form.auth_request_id),
    account_id: account.id,
    ...defined({
      state: form.state,
      expires_at: endOr(form.expires_at, shift(build.clock.now, build.settings.auth_request_ttl)),
    }),
    authorization_details: credentials ?? { oauth_token: makeOAuthToken(build, connector.connection) },
    ...defined({ token_expires_at: endOr(form.token_expires_at, credentials ? undefined : end) }),
  };
};

const connectorOf = (account: AccountRow, connections: Register<ConnectionRow>): Connector | undefined => {
  const connection = connections.find(account.connection_id);
  const kind = connection && connectorKind(connection);
  return kind && { connection, kind };
};

/** Tells when two rows have the same token. */
const claimer = (build: Build, member: string, noun: string) => {
  const seen = new Set<string>();
  return (draft: Draft<unknown>, token: string): string => {
    if (seen.has(token)) fault(build, draft, member, `another ${noun} has this ${member}`);
    seen.add(token);
    return token;
  };
};
