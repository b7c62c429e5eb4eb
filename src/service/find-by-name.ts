/** Finds rows by id, or by a natural key such as an e-mail address. */
import { getRow, rowsBy, type Table } from '../engine/core/table.ts';
import { findByPair } from './accounts/rules.ts';
import { findByKeyId } from './connections/rules.ts';
import { findUserByEmail } from './directory/rules.ts';
import type { AccountRow, ConnectionRow, OrganizationRow, RoleRow, UserRow } from './rows.ts';
import type { State } from './state.ts';

/** The tables whose rows have a natural key. */
export interface NamedRows {
  readonly organizations: OrganizationRow;
  readonly roles: RoleRow;
  readonly users: UserRow;
  readonly connections: ConnectionRow;
  readonly connected_accounts: AccountRow;
}

const FINDERS: {
  readonly [Kind in keyof NamedRows]: (state: State, text: string) => NamedRows[Kind] | undefined;
} = {
  organizations: ({ organizations }, name) => rowsBy(organizations, 'name', name)[0],
  roles: ({ roles }, name) => rowsBy(roles, 'name', name)[0],
  users: findUserByEmail,
  connections: findByKeyId,
  /** Splits `mail/ada@acme.test` at the first slash: an identifier can contain slashes, a connector cannot. */
  connected_accounts: (state, pair) => {
    const [connector = '', ...identifier] = pair.split('/');
    const key = findByName(state, 'connections', connector)?.key_id ?? connector;
    return findByPair(state, key, identifier.join('/'));
  },
};

export const findByName = <Kind extends keyof NamedRows>(
  state: State,
  kind: Kind,
  text: string,
): NamedRows[Kind] | undefined => {
  const tables: { readonly [Each in keyof NamedRows]: Table<NamedRows[Each], string> } = state;
  return getRow(tables[kind], text) ?? FINDERS[kind](state, text);
};
