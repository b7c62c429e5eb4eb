/** A patch at the price of what it says: only the rows that it is about are built, and put among the others. */

import { isDeepStrictEqual } from 'node:util';
import { allRows, getRow, positionsOf, rowsBy, type Table } from '../../core/table.ts';
import { putRows, removeRow } from '../../core/table-writer.ts';
import { findByPair } from '../../domain/account-lookup.ts';
import { membershipsOf } from '../../domain/membership.ts';
import { membershipKey } from '../../domain/rows.ts';
import type { State } from '../../domain/state.ts';
import type { EnvironmentDraft } from '../draft.ts';
import type { Part } from './part.ts';

/**
 * The state with the part put in, or undefined where that would not be the whole of it, because rows beside the part
 * follow from what has changed or stand in its way: then everything is to be built anew.
 * @param built from the part alone, without a fault
 */
export const putPart = (
  state: State,
  part: Part,
  built: State,
  over: EnvironmentDraft,
): State | undefined => {
  if (!isAlone(state, part, built)) return undefined;
  const { generator, reserved, access_tokens } = built;
  const next: State = {
    ...state,
    ...{ generator, reserved, access_tokens },
    ...wholeTables(built, over),
    ...tablesInPart(state, part, built),
  };
  const gone = [...part.users].filter((id) => !getRow(next.users, id));
  const isNamed = gone.some((id) => positionsOf(next.connected_accounts, 'user_id', id).size > 0);
  return isNamed ? undefined : next;
};

/** Tables that were built as a whole; those that the patch says nothing about stay as they are. */
const wholeTables = (built: State, { sections }: EnvironmentDraft): Partial<State> => ({
  ...(sections.clients.length > 0 && { clients: built.clients }),
  ...(sections.organizations.length > 0 && { organizations: built.organizations }),
  ...(sections.roles.length > 0 && { roles: built.roles }),
  ...(sections.custom_providers.length > 0 && { custom_providers: built.custom_providers }),
  ...(sections.connections.length > 0 && { connections: built.connections }),
});

const tablesInPart = (state: State, part: Part, built: State): Partial<State> => {
  const { users, memberships, connected_accounts, authorization_links, verification_requests } = state;
  const log = state.authentication_requests;
  return {
    users: putInto(users, part.users, built.users),
    memberships: putInto(memberships, membershipsIn(state, part), built.memberships),
    connected_accounts: putInto(connected_accounts, part.connected_accounts, built.connected_accounts),
    authorization_links: putInto(authorization_links, part.authorization_links, built.authorization_links),
    verification_requests: putInto(
      verification_requests,
      part.verification_requests,
      built.verification_requests,
    ),
    authentication_requests: putInto(log, part.authentication_requests, built.authentication_requests),
  };
};

const membershipsIn = (state: State, { users }: Part): ReadonlySet<string> =>
  new Set(
    [...users].flatMap((user) =>
      membershipsOf(state, user).map((row) => membershipKey(row.organization_id, user)),
    ),
  );

/** Rows of the part that were not built any more go; all others stay where they stand. */
const putInto = <Row, Index extends string>(
  table: Table<Row, Index>,
  ids: ReadonlySet<string>,
  built: Table<Row, Index>,
): Table<Row, Index> => {
  const gone = [...ids].filter((id) => getRow(built, id) === undefined);
  const kept = gone.reduce((left, id) => removeRow(left, id), table);
  return built.rows.size === 0 ? kept : putRows(kept, allRows(built));
};

/** Whether nothing beside the part follows from what was built, or has a name that was given in it. */
const isAlone = (state: State, part: Part, built: State): boolean =>
  keeps(state.organizations, built.organizations) &&
  keeps(state.roles, built.roles) &&
  keeps(state.connections, built.connections, isDeepStrictEqual) &&
  allFree(state.users, part.users, built.users, ({ email, external_id = '' }) => [
    ...rowsBy(state.users, 'email', email.toLowerCase()),
    ...rowsBy(state.users, 'external_id', external_id),
  ]) &&
  allFree(
    state.connected_accounts,
    part.connected_accounts,
    built.connected_accounts,
    ({ connector, identifier }) => {
      const rival = findByPair(state, connector, identifier);
      return rival ? [rival] : [];
    },
  ) &&
  allFree(state.authorization_links, part.authorization_links, built.authorization_links) &&
  allFree(state.verification_requests, part.verification_requests, built.verification_requests) &&
  allFree(state.authentication_requests, part.authentication_requests, built.authentication_requests) &&
  // Entries of one instant stand in the order in which all were written.
  part.authentication_requests.size === 0;

/** Whether all rows are still there, as they were if that is asked. */
const keeps = <Row, Index extends string>(
  before: Table<Row, Index>,
  after: Table<Row, Index>,
  isSame: (before: Row, after: Row) => boolean = () => true,
): boolean =>
  [...allRows(before)].every((row) => {
    const kept = getRow(after, before.spec.id(row));
    return kept !== undefined && isSame(row, kept);
  });

/**
 * Whether every row that was built could stand in the table: whoever has its id or another of its names is of the part.
 * @param rivals rows of the table that have such a name
 */
const allFree = <Row, Index extends string>(
  table: Table<Row, Index>,
  ids: ReadonlySet<string>,
  built: Table<Row, Index>,
  rivals: (row: Row) => readonly Row[] = () => [],
): boolean => {
  const { id } = table.spec;
  return [...allRows(built)].every((row) => {
    const isTaken = getRow(table, id(row)) !== undefined && !ids.has(id(row));
    return !isTaken && rivals(row).every((rival) => ids.has(id(rival)));
  });
};
