/** What a run of tests leaves behind: calls of deleted environments, and control calls that were refused (behaviour N7). */
import type { CallJournal, JournalEntry } from './journal.ts';
import { createLog } from './log.ts';

/** The most that is kept of deleted environments; beyond that, the oldest of them goes. */
const MOST_CALLS = 10_000;
const MOST_CHARACTERS = 32 * 1024 * 1024;

interface EndedJournal {
  readonly name: string;
  readonly journal: CallJournal;
  readonly size: ReturnType<CallJournal['size']>;
}

export interface RefusedControlCall {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly reason: string;
}

export interface RunCall extends JournalEntry {
  /** The name of its environment. */
  readonly environment: string;
}

export class RunRecord {
  /** Control calls that were refused, whoever made them. */
  readonly refused = createLog<RefusedControlCall>(1_000);
  #ended: EndedJournal[] = [];

  /** Keeps the calls of an environment that is deleted. */
  keep(name: string, journal: CallJournal): void {
    const size = journal.size();
    if (size.calls === 0) return;
    this.#ended.push({ name, journal, size });
    const total = (of: keyof EndedJournal['size']): number =>
      this.#ended.reduce((sum, one) => sum + one.size[of], 0);
    while (total('calls') > MOST_CALLS || total('characters') > MOST_CHARACTERS) this.#ended.shift();
  }

  /** The calls of all environments, deleted ones included, in the order in which they ended. */
  calls(living: Iterable<Pick<EndedJournal, 'name' | 'journal'>>): readonly RunCall[] {
    return [...this.#ended, ...living]
      .flatMap(({ name, journal }) => journal.list().map((call) => ({ ...call, environment: name })))
      .sort((one, other) => Date.parse(one.real_time) - Date.parse(other.real_time));
  }
}
