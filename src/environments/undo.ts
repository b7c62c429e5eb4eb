/** Undo: the console takes a point before each step that somebody may regret, and can go back to it. */
import { Refusal } from '../core/errors.ts';
import type { State } from '../domain/state.ts';
import type { Environment } from './environment.ts';
import { changeState, type Environments } from './environments.ts';
import type { UndoPoint } from './undo-points.ts';

const KEPT = 20;

/** Takes a point to which the environment can go back. @returns the id of the point */
export const takeUndoPoint = (environment: Environment): string => {
  const { current, initial, scenario, copiedFrom, events, faults, undoPoints } = environment;
  undoPoints.taken += 1;
  const point: UndoPoint = {
    id: String(undoPoints.taken),
    state: current,
    start: { initial, scenario, copiedFrom },
    change: events.list().at(-1),
    putFaultsBack: faults.keep(),
  };
  undoPoints.kept = [...undoPoints.kept, point].slice(-KEPT);
  return point.id;
};

/** How many changes were logged since the point, or since a later reset. @throws Refusal 404 */
export const countChangesSince = (environment: Environment, id: string): number => {
  const { change } = requirePoint(environment, id);
  const changes: readonly object[] = environment.events.list();
  return changes.length - 1 - (change ? changes.indexOf(change) : -1);
};

/**
 * Takes an environment back to a point.
 * @param putBack restores a part of the earlier state and keeps everything else
 * @throws Refusal 404 for an unknown point; 400 or 409 if the earlier state cannot be restored; then nothing has
 * changed
 */
export const undoTo = (
  environments: Environments,
  environment: Environment,
  id: string,
  putBack?: (current: State, before: State) => State,
): void => {
  const { state, start, putFaultsBack } = requirePoint(environment, id);
  const { current } = environment;
  if (putBack) {
    const data = putBack(current.data, state.data);
    changeState(environments, environment, { ...current, data });
    return;
  }
  changeState(environments, environment, state);
  Object.assign(environment, start);
  putFaultsBack();
};

const requirePoint = ({ undoPoints }: Environment, id: string): UndoPoint => {
  const point = undoPoints.kept.find((each) => each.id === id);
  if (point) return point;
  throw new Refusal('NOT_FOUND', `This step can no longer be undone. Only the last ${KEPT} steps can.`);
};
