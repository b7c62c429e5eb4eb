/**
 * Earlier states of an environment: named snapshots, and points to which the console can go back. Each is a pointer to
 * an immutable state, so taking one costs the same for any amount of data.
 */
import { notFound, Refusal } from '../core/errors.ts';
import { didYouMean, listNames } from '../core/text.ts';
import type { Environments } from './all-environments.ts';
import type { Environment, StoredSnapshot, UndoPoint } from './environment.ts';

const MOST_SNAPSHOTS = 1_000;

/** Takes a snapshot. @throws Refusal 409 if one has the name (behaviour N4), 400 if there are already 1,000 */
export const takeSnapshot = (environment: Environment, given?: string): StoredSnapshot => {
  const { snapshots, now: time, current: state } = environment;
  let number = 1;
  while (snapshots.has(`snapshot-${number}`)) number += 1;
  const name = given ?? `snapshot-${number}`;
  if (snapshots.has(name))
    throw new Refusal(
      'RESOURCE_ALREADY_EXISTS',
      `The snapshot ${name} exists already.`,
      'Choose another name, or delete that snapshot first.',
    );
  if (snapshots.size >= MOST_SNAPSHOTS)
    throw new Refusal(
      'FAILED_PRECONDITION',
      `This environment already has ${MOST_SNAPSHOTS} snapshots.`,
      'Delete some snapshots first.',
    );
  const snapshot = { name, state, time };
  snapshots.set(name, snapshot);
  return snapshot;
};

/** @throws Refusal 404 for an unknown name */
export const requireSnapshot = ({ snapshots }: Environment, name: string): StoredSnapshot => {
  const snapshot = snapshots.get(name);
  if (snapshot) return snapshot;
  const names = [...snapshots.keys()];
  const known =
    names.length === 0 ? 'No snapshot has been taken yet.' : `The snapshots are ${listNames(names)}.`;
  throw notFound(`snapshot ${name}`, didYouMean(name, names).trim() || known);
};

const MOST_UNDO_POINTS = 20;

/**
 * Remembers the state before a step as a point to which the console can go back. Its last change is set when the step
 * ends; a step that failed leaves no point. @returns the id of the point
 */
export const takeUndoPoint = (environment: Environment, label: string): string => {
  const { origin, events, undoPoints, outbox, journal, current: state } = environment;
  const logs = [outbox.keep(), journal.keep()];
  const snapshots = [...environment.snapshots];
  const putRecordsBack = (): void => {
    for (const put of logs) put();
    environment.snapshots = new Map([...snapshots, ...environment.snapshots]);
  };
  const id = String(Number(undoPoints.at(-1)?.id ?? 0) + 1);
  const point = { id, label, state, origin, last: events.last(), putRecordsBack };
  environment.undoPoints = [...undoPoints, point].slice(-MOST_UNDO_POINTS);
  return id;
};

/**
 * Takes an environment back to an undo point: restores its data, settings, clock, faults, origin, and what was emptied or
 * deleted of its records. Records that were made since stay. The point and later ones are no more.
 * @throws Refusal 404 for an unknown undo point; 400 or 409 if the state cannot be restored; then nothing has changed
 */
export const undoTo = (environments: Environments, environment: Environment, id: string): void => {
  const { state, origin, putRecordsBack } = requireUndoPoint(environment, id);
  environments.replace(environment, state);
  environment.origin = origin;
  putRecordsBack();
  environment.undoPoints = environment.undoPoints.filter((each) => Number(each.id) < Number(id));
};

/** @throws Refusal 404 */
export const requireUndoPoint = ({ undoPoints }: Environment, id: string): UndoPoint => {
  const point = undoPoints.find((each) => each.id === id);
  if (point) return point;
  const problem = `This step can no longer be undone. Only the last ${MOST_UNDO_POINTS} steps can.`;
  throw new Refusal('NOT_FOUND', problem);
};
