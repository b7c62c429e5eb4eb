/** The kinds of rows that other rows refer to, by id or by natural key. */
import { getRow, rowsBy } from '../engine/core/table.ts';
import type { WrittenRow } from '../engine/scenario/loading.ts';
import { TEXT } from '../engine/scenario/member-schemas.ts';
import { defineReference, findNamed, type RowReference } from '../engine/scenario/section.ts';
import type { AccountRow } from './accounts/row.ts';
import { findByPair } from './accounts/rules.ts';
import type { ConnectionRow } from './connections/row.ts';
import { type Connector, connectorOf, findByKeyId } from './connections/rules.ts';
import type { OrganizationRow, UserRow } from './directory/row.ts';
import { findUserByEmail } from './directory/rules.ts';
import type { RoleRow } from './memberships/row.ts';
import type { OpenNouns } from './section.ts';
import type { State } from './state.ts';

export const ORGANIZATION = defineReference<OrganizationRow, State>(
  'organizations',
  'organization',
  'by name',
  ({ name }) => name,
  ({ organizations }, name) => rowsBy(organizations, 'name', name)[0],
);
export const ROLE = defineReference<RoleRow, State>(
  'roles',
  'role',
  'by name',
  ({ name }) => name,
  ({ roles }, name) => rowsBy(roles, 'name', name)[0],
);
export const USER = defineReference<UserRow, State>(
  'users',
  'user',
  'by email',
  ({ email }) => email,
  findUserByEmail,
);
export const CONNECTION = defineReference<ConnectionRow, State>(
  'connections',
  'connection',
  'by key_id',
  ({ key_id }) => key_id,
  findByKeyId,
);
export const ACCOUNT = defineReference<AccountRow, State>(
  'connected_accounts',
  'account',
  'as connector/identifier',
  ({ connector, identifier }) => `${connector}/${identifier}`,
  /** Splits `mail/ada@acme.test` at the first slash: an identifier can contain slashes, a connector cannot. */
  (state, pair) => {
    const [connector = '', ...identifier] = pair.split('/');
    const key = CONNECTION.find(state, connector)?.key_id ?? connector;
    return findByPair(state, key, identifier.join('/'));
  },
);

/** The kind of row to which each member refers. */
export const REFERENCES: Readonly<Record<string, RowReference>> = {
  roles: ROLE,
  organization_id: ORGANIZATION,
  user_id: USER,
  connection_id: CONNECTION,
  connector: CONNECTION,
  account: ACCOUNT,
};

/** Links and verification requests refer to their account by `account`, or by connector and identifier. */
export const ACCOUNT_NAME = { account: ACCOUNT.schema, connector: CONNECTION.schema, identifier: TEXT };

/** The members of a section that links and verification requests have in common. */
export const ABOUT_ACCOUNT = {
  example: '{ account: mail/ada@acme.test }',
  references: { account: ACCOUNT },
  replaces: { connector: ['account'], identifier: ['account'] },
  names: ({ account_id }: { readonly account_id: string }) => [`connected_accounts/${account_id}`],
};

/** The account of a link or verification request, and the account's connector. */
export const accountOf = (
  open: OpenNouns,
  written: WrittenRow<{ readonly [Name in keyof typeof ACCOUNT_NAME]?: string }>,
): { readonly account: AccountRow; readonly connector: Connector } | undefined => {
  const { account: id, connector, identifier } = written.form;
  if (id === undefined && (connector === undefined || identifier === undefined))
    return written.problem(
      undefined,
      'needs "account" (an id, or CONNECTOR/IDENTIFIER), or both "connector" and "identifier"',
    );
  const account =
    id === undefined
      ? findNamed(open, written, 'identifier', ACCOUNT, `${connector}/${identifier}`)
      : getRow(open.state.connected_accounts, id);
  const found = account && connectorOf(open.state, account);
  return account && found && { account, connector: found };
};
