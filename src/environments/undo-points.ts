/** What an environment stores so that a step can be undone. */
import type { InitialEnvironment } from '../domain/scenario.ts';
import type { EnvironmentState } from './environment-state.ts';

export interface UndoPoint {
  readonly id: string;
  readonly state: EnvironmentState;
  /** The data, settings and clock that a reset restores. */
  readonly start: {
    readonly initial: InitialEnvironment;
    readonly scenario: string;
    readonly copiedFrom: string | undefined;
  };
  /** The last logged change. */
  readonly change: object | undefined;
  putFaultsBack(): void;
}

/** The last points of an environment, oldest first. */
export interface UndoPoints {
  taken: number;
  kept: readonly UndoPoint[];
}

export const createUndoPoints = (): UndoPoints => ({ taken: 0, kept: [] });
