/** What a run of tests leaves behind: calls of deleted environments, and control calls that were refused (behaviour N7). */
import type { CallJournal, JournalEntry } from './journal.ts';
import { createLog } from './log.ts';

/** The most that the journals of deleted environments may weigh; beyond that, the oldest of them goes. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

interface NamedJournal {
  /** The name of the environment. */
  readonly name: string;
  readonly journal: CallJournal;
}

export interface RefusedControlCall {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly reason: string;
}

export class RunRecord {
  /** Control calls that were refused, whoever made them. */
  readonly refused = createLog<RefusedControlCall>(1_000);
  #ended: (NamedJournal & { readonly weight: number })[] = [];

  /** Keeps the calls of an environment that is deleted. */
  keep({ name, journal }: NamedJournal): void {
    const weight = journal.weight();
    if (weight > 0) this.#ended.push({ name, journal, weight });
    const total = (): number => this.#ended.reduce((sum, one) => sum + one.weight, 0);
    while (total() > MOST_CHARACTERS) this.#ended.shift();
  }

  /** The calls of all environments, deleted ones included, in the order in which they ended. */
  calls(living: Iterable<NamedJournal>): readonly (JournalEntry & { readonly environment: string })[] {
    return [...this.#ended, ...living]
      .flatMap(({ name, journal }) => journal.list().map((call) => ({ ...call, environment: name })))
      .sort((one, other) => Date.parse(one.real_time) - Date.parse(other.real_time));
  }
}
