/** Whether a run is good: by its failures, by a recording, by a ledger. */
import { failureLines, type Reconciled, reconcile } from './ledger.ts';
import { countCompared, findDifferences, type Recording } from './recording.ts';
import type { Report } from './run.ts';

export interface Yardsticks {
  readonly recording?: Recording | undefined;
  readonly ledger?: readonly string[] | undefined;
}

export interface Verdict extends Reconciled {
  readonly isGood: boolean;
  /** How many cases were compared with a recording; undefined without one. */
  readonly compared?: number;
  readonly hasLedger: boolean;
}

/** Without a ledger nothing is known, so that every failure and every difference counts. */
export const judge = ({ outcomes, isStopped }: Report, { recording, ledger }: Yardsticks): Verdict => {
  const differences = recording ? findDifferences(outcomes, recording) : [];
  const reconciled = reconcile([...failureLines(outcomes), ...differences], ledger ?? [], outcomes);
  return {
    ...reconciled,
    isGood: !isStopped && reconciled.added.length === 0 && reconciled.gone.length === 0,
    ...(recording && { compared: countCompared(outcomes, recording) }),
    hasLedger: ledger !== undefined,
  };
};
