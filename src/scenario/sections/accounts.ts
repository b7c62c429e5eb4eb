/** Connected accounts of a scenario (behaviour A3-A8). */

import type { Moment } from '../../core/moment.ts';
import { defined } from '../../core/object.ts';
import { getRow, rowsBy } from '../../core/table.ts';
import { accountStatus, storedAccountStatus } from '../../domain/account.ts';
import { findByPair } from '../../domain/account-lookup.ts';
import { type Connector, connectorKind, connectorOf } from '../../domain/connector.ts';
import { isRefreshable, isUsableWith } from '../../domain/credentials.ts';
import type { AccountRow } from '../../domain/rows.ts';
import type { Schemas } from '../../openapi/types.ts';
import type { RowControl, WrittenRow } from '../row-source.ts';
import { endOr, formatOptional, formatTime, momentOr, parseTime, shift } from '../times.ts';
import type { Writing } from '../writing.ts';
import { CREDENTIALS, makeCredentials, mintMissing, readCredentials, writtenEnd } from './credentials.ts';
import { contract, described, extend, oneOf, type ValueOf } from './members.ts';
import { CONNECTION, ORGANIZATION_LABEL, pairOf, USER_LABEL } from './references.ts';
import { isWaiting, putRequestFor } from './requests.ts';
import { requireAgreement, type Section, withoutDerived } from './section.ts';

type Status = Schemas['ConnectedAccountStatus'];

const FORM = extend(contract('ConnectedAccount'), {
  connector: CONNECTION.schema,
  connection_id: CONNECTION.schema,
  identifier: contract('AccountIdentifier'),
  organization_id: ORGANIZATION_LABEL.schema,
  user_id: USER_LABEL.schema,
  authorization_details: CREDENTIALS,
  refresh: described(oneOf('grant', 'deny'), 'Whether the provider would still refresh.'),
  stored_status: described(
    oneOf('ACTIVE', 'PENDING_AUTH', 'DISCONNECTED'),
    'With status PENDING_VERIFICATION or EXPIRED: what the account is beneath.',
  ),
});

type AccountForm = RowControl & ValueOf<typeof FORM>;

export const accounts: Section<'connected_accounts', AccountForm> = {
  name: 'connected_accounts',
  noun: 'account',
  title: pairOf,
  keys: [],
  references: {
    connector: CONNECTION,
    connection_id: CONNECTION,
    organization_id: ORGANIZATION_LABEL,
    user_id: USER_LABEL,
  },
  follows: ['connections'],
  schema: FORM,
  findPair: (state, { connector, connection_id, identifier = '' }) => {
    const named = connector ?? connection_id ?? '';
    const key_id = CONNECTION.find(state, named)?.key_id ?? named;
    const row = findByPair(state, key_id, identifier);
    return { member: 'identifier', key: `the identifier "${key_id.toLowerCase()}/${identifier}"`, row };
  },
  // What an account is stored as says nothing of another status.
  replaced: { connector: ['connection_id'], stored_status: ['status'] },
  toRow: (writing, written) => {
    const { form, problem } = written;
    const connector = requireConnector(writing, written);
    if (form.identifier === undefined) return problem(undefined, 'an account needs an identifier');
    if (!connector) return undefined;
    const { connection, kind } = connector;
    const provider = connection.provider_key.toUpperCase();
    const { authorization_type } = kind;
    const where = `on the connection ${connection.key_id}`;
    requireAgreement(written, 'provider', provider, where);
    requireAgreement(written, 'authorization_type', authorization_type, where);
    const id = writing.id(form.id, 'ca');
    if (written.isWritten('status')) writing.later(() => checkStatus(writing, written, id));
    return {
      id,
      connection_id: connection.id,
      connector: connection.key_id,
      identifier: form.identifier,
      provider,
      authorization_type,
      ...defined({
        organization_id: form.organization_id,
        user_id: form.user_id,
        last_used_at: endOr(form.last_used_at),
      }),
      ...condition(writing, written, connector, form.identifier),
      updated_at: momentOr(form.updated_at, writing.clock.now),
      api_config: form.api_config ?? {},
    };
  },
  toForm: (state, account, { at }) => {
    const {
      id,
      connection_id,
      connector: _,
      provider: _provider,
      authorization_type: _type,
      ...row
    } = account;
    const status = at ? accountStatus(state, account, at) : row.stored_status;
    const connector = connectorOf(state, account);
    const isUsable = connector !== undefined && isUsableWith(row.authorization_details ?? {}, connector);
    const isLive = status === 'ACTIVE' || status === 'EXPIRED';
    const none = isLive && connector?.kind.credentials ? {} : undefined;
    return withoutDerived(
      {
        id,
        connector: connection_id,
        ...row,
        status,
        token_expires_at: formatOptional(row.token_expires_at, at),
        last_used_at: formatOptional(row.last_used_at),
        updated_at: formatTime(row.updated_at),
        authorization_details: row.authorization_details ?? none,
      },
      {
        status: isUsable ? 'ACTIVE' : 'PENDING_AUTH',
        stored_status: storedAccountStatus(status, isUsable),
        refresh: derivedRefresh(status),
        api_config: {},
      },
    );
  },
};

/** Behaviour A3: a connection of a sign-in type is no connector. */
const requireConnector = ({ state }: Writing, written: WrittenRow<AccountForm>): Connector | undefined => {
  const { connector, connection_id } = written.form;
  const id = connector ?? connection_id;
  if (id === undefined)
    return written.problem(undefined, 'an account needs a connector: the key_id of its connection');
  const connection = getRow(state.connections, id);
  if (!connection) return undefined;
  const { key_id, type } = connection;
  requireAgreement(written, 'connection_id', id, `for the connector ${key_id}`);
  const kind = connectorKind(connection);
  if (kind) return { connection, kind };
  const member = connector === undefined ? 'connection_id' : 'connector';
  return written.problem(member, `${key_id} is a sign-in connection (${type}) and holds no accounts`);
};

type Condition = Pick<AccountRow, 'stored_status' | 'refresh' | 'token_expires_at' | 'authorization_details'>;

/** The stored status and the credentials, as status and dates say; what is not said follows from the rest (behaviour A6, A8). */
const condition = (
  writing: Writing,
  written: WrittenRow<AccountForm>,
  connector: Connector,
  identifier: string,
): Condition => {
  const { form } = written;
  const given = readCredentials(written, connector);
  const status = form.status ?? (isUsableWith(given ?? {}, connector) ? 'ACTIVE' : 'PENDING_AUTH');
  const isLive = status === 'ACTIVE' || status === 'EXPIRED';
  const { credentials, end } = isLive
    ? completeCredentials(writing, form, connector, { identifier, given })
    : { credentials: given };
  const isUsable = isUsableWith(credentials ?? {}, connector);
  const stored_status = form.stored_status ?? storedAccountStatus(status, isUsable);
  const derivedEnd = status === 'EXPIRED' ? writing.clock.now : end;
  const token_expires_at = endOr(form.token_expires_at ?? writtenEnd(form.authorization_details), derivedEnd);
  if (status !== 'PENDING_VERIFICATION' && status !== 'EXPIRED')
    requireAgreement(written, 'stored_status', status, 'by status');
  requireFit(written, connector, stored_status, isUsable);
  return {
    stored_status,
    refresh: form.refresh ?? derivedRefresh(status),
    ...defined({ token_expires_at, authorization_details: credentials }),
  };
};

const derivedRefresh = (status: Status): AccountRow['refresh'] => (status === 'EXPIRED' ? 'deny' : 'grant');

/** Those that are written, else some that are made up; what the server makes has an end (behaviour A8). */
const completeCredentials = (
  writing: Writing,
  form: AccountForm,
  connector: Connector,
  { identifier, given }: { readonly identifier: string; readonly given: Condition['authorization_details'] },
): { readonly credentials: Condition['authorization_details']; readonly end?: Moment } => {
  const isMade = form.authorization_details === undefined;
  const end = form.token_expires_at === undefined ? undefined : parseTime(form.token_expires_at);
  // Where only the end is written the token ends then; one that is over and ACTIVE can only be one that is refreshed.
  const isRefreshed = form.refresh === 'grant' || end === undefined || writing.clock.hasPassed(end) === true;
  const basis = isMade ? makeCredentials(writing, connector, identifier, isRefreshed) : given;
  const minted = basis && mintMissing(writing, connector, basis);
  const hasEnd = minted !== undefined || (isMade && connector.kind.credentials === 'oauth_token');
  return {
    credentials: minted ?? basis,
    ...(hasEnd && { end: shift(writing.clock.now, writing.settings.provider_token_ttl) }),
  };
};

/** What an account is stored as must be what its credentials allow (behaviour A6). */
const requireFit = (
  { isWritten, problem }: WrittenRow<AccountForm>,
  { kind }: Connector,
  stored_status: AccountRow['stored_status'],
  isUsable: boolean,
): void => {
  const member = isWritten('stored_status') ? 'stored_status' : 'status';
  if (stored_status === 'ACTIVE' && !isUsable)
    problem(
      member,
      `ACTIVE needs ${kind.credentials} that can be used; write it, or leave authorization_details out`,
    );
  if (stored_status === 'PENDING_AUTH' && isUsable)
    problem(member, 'PENDING_AUTH has no credentials that can be used; write ACTIVE, or leave them out');
};

/** A status follows from dates, credentials and open requests; one that is written must agree with them (behaviour A8, V3). */
const checkStatus = (writing: Writing, written: WrittenRow<AccountForm>, id: string): void => {
  const { status } = written.form;
  const row = getRow(writing.state.connected_accounts, id);
  if (!row) return;
  const all = rowsBy(writing.state.verification_requests, 'account_id', id);
  const waiting = all.filter((request) => isWaiting(writing, request) !== false);
  if (status === 'PENDING_VERIFICATION') {
    if (waiting.length === 0) putRequestFor(writing, written, row);
  } else if (waiting.some((request) => isWaiting(writing, request))) {
    const message = `a verification request of the account is open, so it is PENDING_VERIFICATION and not ${status}; write that, or remove the request`;
    written.problem('status', message);
  } else if (waiting.length === 0) checkEnd(writing, written, row);
};

const checkEnd = (
  { clock }: Writing,
  { form: { status }, problem }: WrittenRow<AccountForm>,
  account: AccountRow,
): void => {
  const { token_expires_at: end, stored_status } = account;
  const hasPassed = clock.hasPassed(end);
  if (status === 'EXPIRED') {
    if (hasPassed === false) problem('token_expires_at', 'EXPIRED needs a token_expires_at that has passed');
    else if (stored_status === 'DISCONNECTED')
      problem('stored_status', 'an account that is DISCONNECTED expires no more');
    else if (isRefreshable(account))
      problem('refresh', 'EXPIRED needs refresh: deny, since these credentials would be refreshed');
  } else if (status !== 'DISCONNECTED' && hasPassed === true && !isRefreshable(account))
    problem('token_expires_at', `${status} needs a token_expires_at that is still ahead, or never`);
};
