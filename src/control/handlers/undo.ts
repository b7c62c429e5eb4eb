/** Calls that undo a step. */
import { isRemovable, putRowsBack, type RemovedRows } from '../../domain/put-back.ts';
import type { State } from '../../domain/state.ts';
import { countChangesSince, takeUndoPoint, undoTo } from '../../environments/undo.ts';
import type { Handlers } from '../types.ts';
import { DONE } from './lookup.ts';

export const undo = {
  takeUndoPoint: (_input, { environment }) => ({ status: 201, body: { id: takeUndoPoint(environment) } }),

  getUndoPoint: ({ path }, { environment }) => ({
    status: 200,
    body: { changes: countChangesSince(environment, path.point) },
  }),

  undo: ({ path, body: { rows } }, { environment, environments }) => {
    const putBack = (current: State, before: State): State =>
      putRowsBack(current, before, removable(rows ?? {}));
    undoTo(environments, environment, path.point, rows && putBack);
    return DONE;
  },
} satisfies Partial<Handlers>;

const removable = (rows: Readonly<Record<string, readonly string[]>>): RemovedRows =>
  Object.fromEntries(Object.entries(rows).filter(([name]) => isRemovable(name)));
