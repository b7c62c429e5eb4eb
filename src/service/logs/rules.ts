/** The log of authentication requests (behaviour L1), in order of time. */

import {
  absolute,
  EARLIEST_RELATIVE,
  fromSortable,
  resolve,
  sortable,
  wireTime,
} from '../../engine/core/moment.ts';
import { defined } from '../../engine/core/object.ts';
import {
  listPositions,
  type Position,
  putRow,
  type Selection,
  select,
  takeSelected,
} from '../../engine/core/table.ts';
import type { ConnectionRow } from '../connections/row.ts';
import type { Schemas } from '../contract.ts';
import { findUserByEmail, putUser } from '../directory/rules.ts';
import type { Env, ServiceChange } from '../operation.ts';
import type { State } from '../state.ts';
import type { AuthLogRow } from './row.ts';

/**
 * The selected entries, newest first. The table sorts absolute moments before relative ones, so each set is split in
 * two, one for each kind of moment, and `compare` merges all sets by time.
 * @param start when the environment started, in epoch milliseconds
 */
export const latestFirst = (selection: Selection<AuthLogRow>, start: number): Selection<AuthLogRow> => ({
  ...selection,
  sets: selection.sets.flatMap((set) => {
    const positions = listPositions(set);
    const middle = positions.findIndex((position) => position >= FIRST_RELATIVE);
    return middle < 0 ? [set] : [positions.slice(0, middle), positions.slice(middle)];
  }),
  compare: (left, right) => {
    const [leftTime, leftSequence] = readPosition(left, start);
    const [rightTime, rightSequence] = readPosition(right, start);
    return leftTime - rightTime || leftSequence - rightSequence; // entries of one instant stay in the order of logging
  },
  descending: true,
});

const FIRST_RELATIVE = sortable(EARLIEST_RELATIVE);

const readPosition = (position: Position, start: number): readonly [time: number, sequence: number] => {
  const [moment = '', sequence = ''] = String(position).split('.');
  return [resolve(fromSortable(moment), start), Number(sequence)];
};

/** A sign-in attempt that is not yet in the log. `recordAttempt` adds its id and time. */
export type SignInAttempt = Omit<AuthLogRow, 'auth_request_id' | 'timestamp'> & { readonly email: string };

/** Logs a sign-in at the current time; a success sets the user's `last_login_time` (behaviour L1). */
export const recordAttempt = (
  state: State,
  attempt: SignInAttempt,
  env: Env,
): { readonly state: State; readonly entry: AuthLogRow; readonly change: ServiceChange } => {
  const entry = { auth_request_id: env.token(), timestamp: absolute(env.now), ...attempt };
  const logged = { ...state, authentication_requests: putRow(state.authentication_requests, entry) };
  const user = attempt.status === 'SUCCESS' ? findUserByEmail(state, attempt.email) : undefined;
  const { auth_request_id, status } = entry;
  return {
    entry,
    state: user ? putUser(logged, { ...user, last_login_time: entry.timestamp }) : logged,
    change: { type: 'authentication_request.created', resource: { auth_request_id }, to: status },
  };
};

/** The part of a log entry that describes the connection. */
export const connectionMembers = ({ id, provider, type, organization_id }: ConnectionRow) => {
  const members = {
    connection_id: id,
    connection_provider: provider,
    connection_type: type,
    ...defined({ organization_id }),
  };
  return { ...members, connection_details: [members] };
};

export const latestOfClient = (state: State, clientId: string, env: Env): AuthLogRow | undefined => {
  const ofClient = select(state.authentication_requests, { client_id: clientId });
  return takeSelected(latestFirst(ofClient, env.start), 1, 'forward')[0]?.row;
};

export const presentEntry = (row: AuthLogRow, env: Env): Schemas['AuthenticationRequest'] => ({
  ...row,
  environment_id: env.environment.id,
  timestamp: wireTime(row.timestamp, env),
});
