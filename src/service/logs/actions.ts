/** Sign-ins that a tester simulates (`sign-ins` of the control plane, behaviour L1). */

import { invalidField } from '../../engine/core/errors.ts';
import { defined } from '../../engine/core/object.ts';
import { getRow } from '../../engine/core/table.ts';
import type { ConnectionRow } from '../connections/row.ts';
import { connectorKind, requireConnection } from '../connections/rules.ts';
import type { Schemas } from '../contract.ts';
import { findUserByEmail } from '../directory/rules.ts';
import { membershipsOf } from '../memberships/rules.ts';
import type { Env, Simulation } from '../operation.ts';
import type { State } from '../state.ts';
import {
  connectionMembers,
  latestOfClient,
  presentEntry,
  recordAttempt,
  type SignInAttempt,
} from './rules.ts';

export interface SignInInput {
  readonly email: string;
  readonly connection_id?: string | undefined;
  readonly client_id?: string | undefined;
  readonly outcome: 'success' | 'failed' | 'pending' | 'initiated';
}

/**
 * Logs a sign-in. If no user has the e-mail address, the sign-in is logged all the same, and no user is created.
 * @throws Refusal 404 for an unknown connection, 400 for a connector, because users cannot sign in through connectors
 */
export const signIn: Simulation<SignInInput, Schemas['AuthenticationRequest']> = (state, given, env) => {
  const attempt: SignInAttempt = {
    ...personOf(state, given.email),
    ...(given.client_id !== undefined && clientOf(state, given.client_id, env)),
    // The connection's organization, if any, replaces the user's organization.
    ...(given.connection_id !== undefined &&
      connectionMembers(requireSignIn(requireConnection(state, given.connection_id)))),
    workflow: 'SIGN_IN',
    status: given.outcome.toUpperCase() as Uppercase<SignInInput['outcome']>, // an outcome is a status in lower case
  };
  const { state: next, entry, change } = recordAttempt(state, attempt, env);
  return { reply: presentEntry(entry, env), state: next, changes: [change] };
};

const requireSignIn = (connection: ConnectionRow): ConnectionRow => {
  if (!connectorKind(connection)) return connection;
  throw invalidField(
    'connection_id',
    'type',
    `Users cannot sign in through ${connection.key_id}, a connection of type ${connection.type}.`,
    'Choose a connection of type OIDC, SAML, PASSWORD, PASSWORDLESS or WEBAUTHN.',
  );
};

/** The user's e-mail address as stored, and the first organization of which the user is an active member. */
const personOf = (state: State, email: string): Pick<SignInAttempt, 'email' | 'organization_id'> => {
  const user = findUserByEmail(state, email);
  if (!user) return { email };
  const active = membershipsOf(state, user.id).find(({ stored_status }) => stored_status === 'ACTIVE');
  return { email: user.email, ...(active && { organization_id: active.organization_id }) };
};

/** The client as its latest log entry describes it. Without an entry, only the client's id and name. */
const clientOf = (state: State, clientId: string, env: Env): Partial<SignInAttempt> => {
  const { client_name, client_type, resource_id, resource_name, resource_type } =
    latestOfClient(state, clientId, env) ?? {};
  return defined({
    client_id: clientId,
    client_name: client_name ?? getRow(state.clients, clientId)?.name,
    client_type,
    resource_id,
    resource_name,
    resource_type,
  });
};
