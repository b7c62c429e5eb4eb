/** Named snapshots of an environment. Each is a pointer, so taking and restoring cost the same at any size. */
import { notFound, Refusal } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { listNames } from '../core/text.ts';
import type { EnvironmentState } from './environment-state.ts';

export interface Snapshot {
  readonly name: string;
  /** The time on the environment's clock, epoch milliseconds. */
  readonly time: number;
  readonly state: EnvironmentState;
}

export interface Snapshots {
  /**
   * Keeps a state under a name, and replaces a snapshot of the same name. Default: `snapshot-1`, `snapshot-2`...
   * @throws Refusal 400 if 1,000 are kept already
   */
  take(state: EnvironmentState, time: number, name?: string): Snapshot;
  /** The snapshot with this name. @throws Refusal 404 */
  require(name: string): Snapshot;
  /** The snapshots in the order in which they were taken. */
  list(): readonly Snapshot[];
  /** Removes the snapshot with this name. @throws Refusal 404 */
  remove(name: string): void;
  clear(): void;
}

const LIMIT = 1_000;

export const createSnapshots = (): Snapshots => {
  const kept = new Map<string, Snapshot>();
  let numbered = 0;
  const freeName = (): string => {
    do numbered += 1;
    while (kept.has(`snapshot-${numbered}`));
    return `snapshot-${numbered}`;
  };
  const require = (name: string): Snapshot => {
    const snapshot = kept.get(name);
    if (!snapshot) throw notFound(`snapshot ${name}`, adviceOn(name, [...kept.keys()]));
    return snapshot;
  };
  return {
    take: (state, time, name = freeName()) => {
      if (!kept.has(name) && kept.size >= LIMIT) throw tooMany();
      const snapshot = { name, time, state };
      kept.delete(name);
      kept.set(name, snapshot);
      return snapshot;
    },
    require,
    list: () => [...kept.values()],
    remove: (name) => {
      kept.delete(require(name).name);
    },
    clear: () => kept.clear(),
  };
};

const adviceOn = (name: string, names: readonly string[]): string =>
  didYouMean(name, names).trim() ||
  (names.length === 0 ? 'No snapshot has been taken yet.' : `The snapshots are ${listNames(names)}.`);

const tooMany = (): Refusal =>
  new Refusal(
    'FAILED_PRECONDITION',
    `This environment has ${LIMIT} snapshots already.`,
    'Delete some, or reuse the name of an existing snapshot.',
  );
