/** The contract's operations on connections (behaviour C1). */
import { select, takeSelected } from '../core/selection.ts';
import { isUsable, presentConnection } from '../domain/connection.ts';
import type { Operation } from '../domain/operation.ts';

/**
 * Lists the connections that are enabled and COMPLETED, or all connections. Every filter must match, and an unknown
 * value matches no connection (behaviour C1).
 */
export const listConnections: Operation<'listConnections'> = (state, { query }) => {
  const { organization_id, domain, include } = query;
  const where = { organization_id, domain: domain?.toLowerCase() };
  const selection = select(state.connections, where, include === 'all' ? undefined : isUsable);
  const found = takeSelected(selection, Number.POSITIVE_INFINITY, 'forward');
  return { status: 200, body: { connections: found.map(({ row }) => presentConnection(state, row)) } };
};
