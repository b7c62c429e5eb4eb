/** Connected accounts of a scenario (behaviour A3-A8). */
import type { Moment } from '../../core/moment.ts';
import type { AccountRow, CredentialsRow } from '../../domain/account.ts';
import type { ConnectionRow } from '../../domain/connection.ts';
import { type Connector, connectorKind } from '../../domain/connector.ts';
import { isUsableWith } from '../../domain/credentials.ts';
import type { OrganizationRow } from '../../domain/organization.ts';
import type { UserRow } from '../../domain/user.ts';
import { type Draft, isKnown } from '../draft.ts';
import { endOr, isPast, momentOr, NOW, shift } from '../times.ts';
import type { AccountForm, AccountReference } from '../written.ts';
import { type Build, fault, idOr, lacking, requireAgreement } from './build.ts';
import { makeCredentials, mintMissing, readCredentials, writtenEnd } from './credentials.ts';
import { createRegister, type Register } from './register.ts';

export interface Around {
  readonly organizations: Register<OrganizationRow>;
  readonly users: Register<UserRow>;
  readonly connections: Register<ConnectionRow>;
}

export interface BuiltAccounts {
  readonly rows: readonly AccountRow[];
  /** Accounts that are written as PENDING_VERIFICATION. */
  readonly unverified: readonly { readonly draft: Draft<AccountForm>; readonly account: AccountRow }[];
  /** The account that a link or a verification request is about; none is a fault. */
  readonly refer: (draft: Draft<AccountReference>) => AccountRow | undefined;
}

export const buildAccounts = (
  build: Build,
  drafts: readonly Draft<AccountForm>[],
  around: Around,
): BuiltAccounts => {
  const register = createRegister<AccountRow>(build, {
    noun: 'account',
    section: 'connected_accounts',
    id: (row) => row.id,
    member: 'identifier',
    natural: (row) => (row.identifier === '' ? '' : `${row.connector.toLowerCase()}/${row.identifier}`),
    fold: (reference) => foldPair(reference, around),
    beside: build.beside?.account,
  });
  const unverified: { draft: Draft<AccountForm>; account: AccountRow }[] = [];
  const rows = drafts.flatMap((draft) => {
    const account = accountRow(build, draft, around);
    if (!account) {
      build.faults.lost.add('connected_accounts', [draft.form.id, draft.form.identifier]);
      return [];
    }
    register.add(draft, account);
    if (draft.form.status === 'PENDING_VERIFICATION') unverified.push({ draft, account });
    return account;
  });
  return { rows, unverified, refer: (draft) => referToAccount(build, draft, register) };
};

/** `connector/identifier` in the form in which pairs are compared; no connector has a slash in it. */
const foldPair = (reference: string, { connections }: Around): string => {
  const [connector = '', ...rest] = reference.split('/');
  return `${(connections.find(connector)?.key_id ?? connector).toLowerCase()}/${rest.join('/')}`;
};

const referToAccount = (
  build: Build,
  draft: Draft<AccountReference>,
  register: Register<AccountRow>,
): AccountRow | undefined => {
  const { account, connector, identifier } = draft.form;
  if (account !== undefined) return register.refer(draft, 'account', account);
  if (connector !== undefined && identifier !== undefined)
    return register.refer(draft, 'identifier', `${connector}/${identifier}`);
  lacking(
    build,
    draft,
    ['account', 'connector', 'identifier'],
    'needs account (an id, or connector/identifier), or connector and identifier',
  );
  return undefined;
};

const accountRow = (build: Build, draft: Draft<AccountForm>, around: Around): AccountRow | undefined => {
  const { form } = draft;
  const { identifier = '' } = form;
  const connector = connectorOf(build, draft, around);
  if (identifier === '') lacking(build, draft, ['identifier'], 'an account needs an identifier');
  const organization = around.organizations.refer(draft, 'organization_id', form.organization_id);
  const user = around.users.refer(draft, 'user_id', form.user_id);
  if (!connector) return undefined;
  const { connection, kind } = connector;
  const provider = connection.provider_key.toUpperCase();
  const why = `on the connection ${connection.key_id}`;
  if (around.connections.isKnown(connection, 'provider', 'provider_key'))
    requireAgreement(build, draft, 'provider', provider, why);
  requireAgreement(build, draft, 'authorization_type', kind.authorization_type, why);
  const last_used_at = endOr(form.last_used_at);
  return {
    id: idOr(build, form.id, 'ca'),
    connection_id: connection.id,
    connector: connection.key_id,
    identifier,
    provider,
    authorization_type: kind.authorization_type,
    ...(organization && { organization_id: organization.id }),
    ...(user && { user_id: user.id }),
    ...condition(build, draft, connector, identifier),
    ...(last_used_at !== undefined && { last_used_at }),
    updated_at: momentOr(form.updated_at, NOW),
    api_config: form.api_config ?? {},
  };
};

/** Behaviour A3: a connection of a sign-in type is no connector. */
const connectorOf = (
  build: Build,
  draft: Draft<AccountForm>,
  { connections }: Around,
): Connector | undefined => {
  const { connector, connection_id } = draft.form;
  const member = connector === undefined ? 'connection_id' : 'connector';
  if (connector === undefined && connection_id === undefined)
    lacking(build, draft, ['connector'], 'an account needs a connector: the key_id of its connection');
  const connection = connections.refer(draft, member, connector ?? connection_id);
  if (!connection) return undefined;
  if (!isTyped(connection, connections)) return undefined;
  const { key_id, type } = connection;
  if (connector !== undefined)
    requireAgreement(build, draft, 'connection_id', connection.id, `for the connector ${key_id}`);
  const kind = connectorKind(connection);
  if (kind) return { connection, kind };
  fault(build, draft, member, `${key_id} is a sign-in connection (${type}) and holds no accounts`);
  return undefined;
};

/** Whether it is known of which type a connection is: what an account is and holds follows from that. */
export const isTyped = (connection: ConnectionRow, connections: Register<ConnectionRow>): boolean =>
  connections.isKnown(connection, 'type', 'provider', 'provider_key', 'serverless');

type Condition = Pick<AccountRow, 'standing' | 'refresh' | 'token_expires_at' | 'authorization_details'>;

/** Standing and credentials, as status and dates say; what is not said follows from the rest (behaviour A6, A8). */
const condition = (
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
    status === 'EXPIRED' ? NOW : end,
  );
  checkStatus(build, draft, token_expires_at);
  return {
    standing: standingOf(status, form, credentials),
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
    ...(hasEnd && { end: shift(NOW, build.settings.provider_token_ttl) }),
  };
};

const standingOf = (
  status: NonNullable<AccountForm['status']>,
  { standing }: AccountForm,
  credentials: CredentialsRow | undefined,
): AccountRow['standing'] => {
  if (status === 'EXPIRED') return standing ?? 'ACTIVE';
  if (status !== 'PENDING_VERIFICATION') return status;
  return standing ?? (credentials ? 'ACTIVE' : 'PENDING_AUTH');
};

/** The status follows from the dates, so the one that is written must be the one they give (behaviour A8). */
const checkStatus = (build: Build, draft: Draft<AccountForm>, end: Moment | undefined): void => {
  const { status, standing } = draft.form;
  if (!isKnown(draft, 'status', 'standing', 'token_expires_at', 'authorization_details')) return;
  if (standing !== undefined && status !== 'PENDING_VERIFICATION' && status !== 'EXPIRED')
    fault(
      build,
      draft,
      'standing',
      'goes with status PENDING_VERIFICATION or EXPIRED only; write status alone',
    );
  if (status === 'EXPIRED' && (end === undefined || (build.isFresh && isPast(end) === false)))
    fault(build, draft, 'token_expires_at', 'EXPIRED needs a token_expires_at that has passed');
};
