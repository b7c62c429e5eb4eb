/** The contract's operation on connections (behaviour C1). */

import { select, takeSelected } from '../../engine/core/table.ts';
import type { Operation } from '../operation.ts';
import { isUsable, presentConnection } from './rules.ts';

/** Lists the connections that match every filter; by default, only those that are enabled and COMPLETED. */
export const listConnections: Operation<'listConnections'> = (state, { query }, env) => {
  const { organization_id, domain, include } = query;
  const where = { organization_id, domain: domain?.toLowerCase() };
  const selection = select(state.connections, where, include === 'all' ? undefined : isUsable);
  const found = takeSelected(selection, Number.POSITIVE_INFINITY, 'forward');
  return { status: 200, body: { connections: found.map(({ row }) => presentConnection(state, row, env)) } };
};
