/** Connected accounts of a scenario (behaviour A3-A8), and those that its stubs need (behaviour X6). */
import { notFound, Refusal } from '../../engine/core/errors.ts';
import type { Moment } from '../../engine/core/moment.ts';
import { defined } from '../../engine/core/object.ts';
import { getRow } from '../../engine/core/table.ts';
import { cut } from '../../engine/core/text.ts';
import { described, extend, type FormOf, oneOf, SWITCH } from '../../engine/scenario/schema.ts';
import {
  findNamed,
  type LiveThing,
  nameOf,
  type RowReference,
  type WrittenRow,
} from '../../engine/scenario/section.ts';
import { endText, NEVER, shift } from '../../engine/scenario/times.ts';
import { CONNECTION, type Connector, connectorKind, connectorOf } from '../connections.ts';
import type { Schemas } from '../contract.ts';
import { ORGANIZATION, USER } from '../directory.ts';
import type { AccountRow, State } from '../state.ts';
import { contract, type NounSection, type OpenNouns } from '../types.ts';
import { CREDENTIALS, formCredentials, isUsableWith, makeCredentials, mintMissing } from './credentials.ts';
import { ACCOUNT, accountStatus, findByPair } from './rules.ts';

type Status = Schemas['ConnectedAccountStatus'];

const FORM = extend(contract('ConnectedAccount'), {
  connector: CONNECTION.schema,
  connection_id: CONNECTION.schema,
  identifier: contract('AccountIdentifier'),
  organization_id: ORGANIZATION.schema,
  user_id: USER.schema,
  authorization_details: CREDENTIALS,
  labels: described(
    SWITCH,
    'Keeps any text in organization_id and user_id as it is. Without this, they refer to rows, by id or by name.',
  ),
  refresh: described(
    oneOf('grant', 'deny'),
    'Whether the provider would still refresh the token: grant or deny.',
  ),
  stored_status: described(
    oneOf('ACTIVE', 'PENDING_AUTH', 'DISCONNECTED'),
    'The status that the mock stores for an account that is shown as PENDING_VERIFICATION or EXPIRED.',
  ),
});

type AccountForm = FormOf<typeof FORM>;

export const accountsSection: NounSection<'connected_accounts', AccountForm> = {
  name: 'connected_accounts',
  noun: 'account',
  example: '{ connector: mail, identifier: ada@acme.test }',
  references: { connector: CONNECTION, connection_id: CONNECTION },
  names: ({ connection_id, organization_id, user_id }) => [
    `connections/${connection_id}`,
    `organizations/${organization_id}`,
    `users/${user_id}`,
  ],
  schema: FORM,
  replaces: {
    connection_id: ['connector'],
    organization_id: ['labels'],
    user_id: ['labels'],
    status: ['stored_status'],
  },
  decisive: ['connection_id'],
  findPair: (state, { connector, connection_id, identifier = '' }) => {
    const named = connector ?? connection_id ?? '';
    const key_id = CONNECTION.find(state, named)?.key_id ?? named;
    const row = findByPair(state, key_id, identifier);
    return { member: 'identifier', key: `the identifier "${key_id.toLowerCase()}/${identifier}"`, row };
  },
  toRow: (open, written) => {
    const { form, problem } = written;
    const connector = connectorOfForm(open, written);
    if (form.identifier === undefined) return problem(undefined, 'an account needs an identifier');
    if (!connector) return undefined;
    const { connection, kind } = connector;
    return {
      id: open.id(form.id, 'ca'),
      connection_id: connection.id,
      connector: connection.key_id,
      identifier: form.identifier,
      provider: connection.provider_key.toUpperCase(),
      authorization_type: kind.authorization_type,
      ...defined({
        organization_id: ownerOf(open, written, 'organization_id', ORGANIZATION),
        user_id: ownerOf(open, written, 'user_id', USER),
        last_used_at: open.endOr(form.last_used_at),
      }),
      ...condition(open, written, connector),
      updated_at: open.momentOr(form.updated_at, open.now),
      api_config: form.api_config ?? {},
    };
  },
  toForm: (state, row, { at, time }) => {
    const { connection_id, organization_id, user_id } = row;
    const labels =
      (organization_id !== undefined && !getRow(state.organizations, organization_id)) ||
      (user_id !== undefined && !getRow(state.users, user_id));
    return {
      ...row,
      connector: connection_id,
      organization_id: labels ? organization_id : nameOf(ORGANIZATION, state, organization_id),
      user_id: labels ? user_id : nameOf(USER, state, user_id),
      status: at ? accountStatus(state, row, at) : row.stored_status,
      token_expires_at: endText(time, row.token_expires_at),
      last_used_at: endText(time, row.last_used_at),
      updated_at: time(row.updated_at),
      authorization_details: row.authorization_details ?? {},
      ...(labels && { labels }),
    };
  },
  derived: (state, row) => {
    const { connection_id, provider, authorization_type, stored_status } = row;
    const connector = connectorOf(state, row);
    const isUsable = connector !== undefined && isUsableWith(row.authorization_details ?? {}, connector);
    const areMadeUp = stored_status === 'ACTIVE' && connector?.kind.credentials !== undefined;
    return {
      connection_id,
      provider,
      authorization_type,
      stored_status,
      status: isUsable ? 'ACTIVE' : 'PENDING_AUTH',
      refresh: 'grant',
      token_expires_at: NEVER,
      authorization_details: areMadeUp ? undefined : {},
    };
  },
};

/** The connector of an account. Refuses a sign-in connection, which cannot hold accounts (behaviour A3). */
const connectorOfForm = (
  { state }: OpenNouns,
  { form: { connector, connection_id }, problem }: WrittenRow<AccountForm>,
): Connector | undefined => {
  const id = connector ?? connection_id;
  if (id === undefined)
    return problem(undefined, 'an account needs a connector: the key_id of its connection');
  const connection = getRow(state.connections, id);
  const kind = connection && connectorKind(connection);
  if (kind || !connection) return kind && { connection, kind };
  const member = connector === undefined ? 'connection_id' : 'connector';
  const { key_id, type } = connection;
  return problem(member, `${key_id} is a sign-in connection (${type}) and holds no accounts`);
};

/** The id of the organization or user that an account names. With `labels`, any text stays as it is (behaviour X3). */
const ownerOf = (
  open: OpenNouns,
  written: WrittenRow<AccountForm>,
  member: 'organization_id' | 'user_id',
  kind: RowReference<{ readonly id: string }, State>,
): string | undefined => {
  const text = written.form[member];
  if (written.form.labels || text === undefined) return text;
  const row = kind.find(open.state, text);
  if (row) return row.id;
  if (member in written.own)
    // an existing account, whose change does not mention the member, keeps its text
    findNamed(open, written, member, kind, text, ' Or add "labels: true", which keeps any text as it is.');
  return text;
};

const isLive = (status: Status): boolean => status === 'ACTIVE' || status === 'EXPIRED';

type Condition = Pick<AccountRow, 'stored_status' | 'refresh' | 'token_expires_at' | 'authorization_details'>;

/** The stored status of an account, and the credentials that suit its status and times (behaviour A6, A8). */
const condition = (open: OpenNouns, written: WrittenRow<AccountForm>, connector: Connector): Condition => {
  const { form } = written;
  const given = formCredentials(written, connector);
  const status = form.status ?? (isUsableWith(given ?? {}, connector) ? 'ACTIVE' : 'PENDING_AUTH');
  const { credentials, end } = isLive(status)
    ? makeMissing(open, form, connector, given)
    : { credentials: given };
  const { vendorb_dwd, trusted_idp } = form.authorization_details ?? {};
  const writtenEnd = form.token_expires_at ?? vendorb_dwd?.token_expires_at ?? trusted_idp?.expiry;
  return {
    stored_status: storedStatus(form, status, credentials, connector),
    refresh: form.refresh ?? (status === 'EXPIRED' ? 'deny' : 'grant'),
    ...defined({
      token_expires_at: open.endOr(writtenEnd, status === 'EXPIRED' ? open.now : end),
      authorization_details: credentials,
    }),
  };
};

/** The credentials decide the stored status, unless the account is disconnected. */
const storedStatus = (
  { stored_status: beneath }: AccountForm,
  status: Status,
  credentials: Condition['authorization_details'] = {},
  connector: Connector,
): AccountRow['stored_status'] => {
  const isCovered = status === 'PENDING_VERIFICATION' || status === 'EXPIRED';
  if ((isCovered ? beneath : status) === 'DISCONNECTED') return 'DISCONNECTED';
  // An account that was ACTIVE before needs only a refresh token to become ACTIVE again (behaviour A7).
  const isRevived =
    (beneath === undefined ? isLive(status) : beneath === 'ACTIVE') &&
    Boolean(credentials.oauth_token?.refresh_token);
  return isRevived || isUsableWith(credentials, connector) ? 'ACTIVE' : 'PENDING_AUTH';
};

/** The scenario's credentials or, if absent, generated ones. `end` is when a generated token expires (behaviour A8). */
const makeMissing = (
  open: OpenNouns,
  form: AccountForm,
  connector: Connector,
  given: Condition['authorization_details'],
): { readonly credentials: Condition['authorization_details']; readonly end?: Moment } => {
  const isMade = form.authorization_details === undefined;
  const end = open.endOr(form.token_expires_at);
  // An account whose token has already expired can be ACTIVE only with a refresh token.
  const isRefreshed = form.refresh === 'grant' || end === undefined || open.instants[0].hasEnded(end);
  const basis = isMade ? makeCredentials(open, connector, form.identifier ?? '', isRefreshed) : given;
  const minted = basis && mintMissing(open, connector, basis);
  const hasEnd = minted !== undefined || (isMade && connector.kind.credentials === 'oauth_token');
  return {
    credentials: minted ?? basis,
    ...(hasEnd && { end: shift(open.now, open.settings.provider_token_ttl) }),
  };
};

const EXAMPLE = 'an id, or CONNECTOR/IDENTIFIER such as mail/{body.identifier}';

export const LIVE_ACCOUNT: LiveThing<State> = {
  member: 'account',
  schema: {
    type: 'string',
    minLength: 1,
    'x-expected': EXAMPLE,
    description: `The stub answers only if this account is ACTIVE: ${EXAMPLE}.`,
  },
  check: (open, written, name) => {
    const [connector = '', ...rest] = name.split('/');
    if (connector.includes('{') || (rest.length === 0 && connector.startsWith('ca_'))) return;
    if (connector === '' || rest.join('/') === '')
      written.problem('account', `"${name}" names no account; write ${EXAMPLE}`);
    else findNamed(open, written, 'account', CONNECTION, connector);
  },
  refuse: (state, name, at) => {
    const account = ACCOUNT.find(state, name);
    const shown = `connected_account ${cut(name)}`;
    if (!account) return notFound(shown, 'GET /api/v1/connected_accounts lists all accounts.', 'X6');
    const status = accountStatus(state, account, at);
    if (status === 'ACTIVE') return undefined;
    return new Refusal(
      'FAILED_PRECONDITION',
      `The ${shown} is ${status}, and this call works only with an ACTIVE account.`,
      'Let its user authorize it again: POST /api/v1/connected_accounts/magic_link.',
      { rule: 'X6' },
    );
  },
};
