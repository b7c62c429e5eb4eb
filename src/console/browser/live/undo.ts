/** Steps that replace or remove rows and that the user can undo. */
import { act } from '../parts/notices.tsx';
import { call, type KindName, within } from './api.ts';

/** The ids of the rows that a step removed, by kind. If absent, undo restores everything. */
export type RemovedRows = Partial<Record<KindName, readonly string[]>>;

/**
 * Runs a step, and offers to undo it.
 * @param removed the rows that undo restores
 */
export const actWithUndo = (
  environment: string,
  doing: () => Promise<unknown>,
  done: string | (() => string),
  removed?: RemovedRows,
): Promise<unknown> => {
  const points = within(environment, '/undo-points');
  let point = '';
  const step = async (): Promise<void> => {
    const { id } = await call<{ readonly id: string }>('POST', points);
    await doing();
    point = `${points}/${id}`;
  };
  const undo = async (): Promise<void> => {
    if (!removed && !(await isMeant(point))) throw new Error('Nothing was undone.');
    await call('POST', point, removed ? { rows: removed } : {});
  };
  return act(step, done, undo);
};

/** Asks for confirmation if undo would also drop later changes. */
const isMeant = async (point: string): Promise<boolean> => {
  const { changes } = await call<{ readonly changes: number }>('GET', point);
  const what = changes === 1 ? 'One change was' : `${changes} changes were`;
  return changes === 0 || confirm(`${what} made since then. Undo also removes those.`);
};

/** Resets the environment. */
export const resetEnvironment = (name: string): Promise<unknown> =>
  actWithUndo(name, () => call('POST', within(name, '/reset'), {}), `${name} was reset.`);

/** Restarts the environment from another scenario. */
export const switchScenario = (name: string, scenario: string): Promise<unknown> =>
  actWithUndo(
    name,
    () => call('POST', within(name, '/reset'), { scenario }),
    `${name} now has the scenario ${scenario}.`,
  );

export const restoreSnapshot = (environment: string, snapshot: string): Promise<unknown> =>
  actWithUndo(
    environment,
    () => call('POST', within(environment, `/snapshots/${encodeURIComponent(snapshot)}/restore`)),
    `${environment} was restored from ${snapshot}.`,
  );
