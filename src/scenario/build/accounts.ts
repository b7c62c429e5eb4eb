/** Connected accounts of a scenario (behaviour A3-A8). */

import { type Connector, connectorKind } from '../../domain/connector.ts';
import type { AccountRow, ConnectionRow, OrganizationRow, UserRow } from '../../domain/rows.ts';
import type { Draft } from '../draft.ts';
import { endOr, momentOr } from '../times.ts';
import type { AccountForm, AccountReference } from '../written.ts';
import { condition } from './account-condition.ts';
import { type Build, fault, idOr, lacking, requireAgreement } from './build.ts';
import { createRegister, type Register } from './register.ts';

export interface Around {
  readonly organizations: Register<OrganizationRow>;
  readonly users: Register<UserRow>;
  readonly connections: Register<ConnectionRow>;
}

export interface WrittenAccount {
  readonly draft: Draft<AccountForm>;
  readonly account: AccountRow;
}

export interface BuiltAccounts {
  readonly rows: readonly AccountRow[];
  /** Every account with the draft it came from. */
  readonly written: readonly WrittenAccount[];
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
  const written = drafts.flatMap((draft) => {
    const account = accountRow(build, draft, around);
    if (!account) {
      build.faults.lost.add('connected_accounts', [draft.form.id, draft.form.identifier]);
      return [];
    }
    register.add(draft, account);
    return { draft, account };
  });
  return {
    rows: written.map(({ account }) => account),
    written,
    refer: (draft) => referToAccount(build, draft, register),
  };
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
    updated_at: momentOr(form.updated_at, build.clock.now),
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
