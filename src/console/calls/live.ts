/** The stream of everything that happens in environments, from which the console keeps its views true. */
import { takeTurn } from '../../core/turns.ts';
import type { Environment } from '../../model/environments/environment.ts';
import type { EventSink } from '../../server/http/event-stream.ts';
import type { ConsoleHandlers } from './call-types.ts';

export const live = {
  followEnvironments: ({ query }, { environments }) => ({
    status: 200,
    stream: (sink) => {
      const names = [...new Set(query.environments.split(','))];
      const followed = names.map((name) => follow(name, environments.find(name), sink));
      const ends = [environments.changes.follow(() => sink.send('environments', {}))];
      let isOver = false;
      const sendStarts = async (): Promise<void> => {
        for (const { sendStart } of followed) {
          await takeTurn(SIZE_OF_JOURNAL);
          if (isOver) return;
          sendStart();
        }
      };
      void sendStarts();
      return () => {
        isOver = true;
        for (const end of [...ends, ...followed.flatMap((one) => one.ends)]) end();
      };
    },
  }),
} satisfies Partial<ConsoleHandlers>;

/** Characters of a full journal's summaries, about; a stream can name thousands of environments. */
const SIZE_OF_JOURNAL = 64 * 1024;

interface Followed {
  /** Sends all calls in the journal, or that there is no such environment. */
  sendStart(): void;
  readonly ends: readonly (() => void)[];
}

/** Sends everything that happens in the environment from now on. A page that has seen the stream begin misses nothing. */
const follow = (name: string, environment: Environment | undefined, sink: EventSink): Followed => {
  const send = (event: string, data: object): void => sink.send(event, { environment: name, ...data });
  if (!environment) return { sendStart: () => send('gone', {}), ends: [] };
  const { events, journal, controlCalls } = environment;
  const sendJournal = (): void => send('journal', { requests: journal.summaries() });
  const ends = [
    journal.follow({ onItem: (call) => send('request', call), onClear: sendJournal }),
    controlCalls.follow((operation) => send('control', { operation })),
    events.follow({
      onItem: (change) => send('change', change),
      onClear: () => send('reset', {}),
      onClose: () => send('gone', {}),
    }),
  ];
  return { sendStart: sendJournal, ends };
};
