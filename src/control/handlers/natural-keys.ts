/** Ids of rows that a caller names as scenarios do. What is not found stays as it was written, and is refused as such. */
import { getRow, rowsBy } from '../../core/table.ts';
import { findByPair } from '../../domain/account-lookup.ts';
import type { State } from '../../domain/state.ts';
import { findUserByEmail } from '../../domain/user.ts';

/** @param named an id, or `mail/ada@acme.test` */
export const accountIdOf = (state: State, named: string): string => {
  const [connector = '', identifier] = named.split(/\/(.*)/s);
  return (identifier !== undefined && findByPair(state, connector, identifier)?.id) || named;
};

/** @param named an id, or a name such as `acme` */
export const organizationIdOf = ({ organizations }: State, named: string): string =>
  getRow(organizations, named)?.id ?? rowsBy(organizations, 'name', named)[0]?.id ?? named;

/** @param named an id, or an e-mail address in any case */
export const userIdOf = (state: State, named: string): string =>
  getRow(state.users, named)?.id ?? findUserByEmail(state, named)?.id ?? named;

/** @param named an id, or the key of a connector such as `mail` */
export const connectionIdOf = ({ connections }: State, named: string): string =>
  getRow(connections, named)?.id ?? rowsBy(connections, 'key_id', named.toLowerCase())[0]?.id ?? named;
