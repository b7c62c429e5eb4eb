/** Connections: what an account is an account of, and how organizations sign in (behaviour C1). */

import { notFound } from '../core/errors.ts';
import { getRow } from '../core/table.ts';
import type { Schemas } from '../openapi/types.ts';
import type { ConnectionRow } from './rows.ts';
import type { State } from './state.ts';

/** Whether accounts and sign-ins can use it; by default only such connections are listed. */
export const isUsable = (connection: ConnectionRow): boolean =>
  connection.enabled && connection.status === 'COMPLETED';

/** @throws Refusal 404 if no connection has this id */
export const requireConnection = (state: State, id: string): ConnectionRow => {
  const connection = getRow(state.connections, id);
  if (!connection)
    throw notFound(`connection ${id}`, 'GET /api/v1/connections?include=all lists those there are.');
  return connection;
};

/** A connection as the contract lists it; what only this mock knows about it is left out. */
export const presentConnection = (
  state: State,
  { serverless: _serverless, scopes: _scopes, ...connection }: ConnectionRow,
): Schemas['Connection'] => {
  const organization = connection.organization_id && getRow(state.organizations, connection.organization_id);
  return {
    ...connection,
    ...(organization && { organization_name: organization.display_name }),
    mcp_server_url: connection.mcp_server_url ?? '',
  };
};
