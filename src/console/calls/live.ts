/** The stream of everything that happens in environments, from which the console keeps its views true. */
import { takeTurn } from '../../core/turns.ts';
import type { Environment } from '../../model/environments/environment.ts';
import type { EventSink } from '../../server/http/event-stream.ts';
import type { ConsoleHandlers } from './call-types.ts';

export const live = {
  followEnvironments: ({ query }, { environments }) => ({
    status: 200,
    stream: (sink) => {
      const ends = [environments.changes.follow(() => sink.send('environments', {}))];
      let isOver = false;
      const begin = async (): Promise<void> => {
        for (const name of new Set(query.environments.split(','))) {
          await takeTurn(SIZE_OF_JOURNAL);
          if (isOver) return;
          ends.push(followAll(name, environments.find(name), sink));
        }
      };
      void begin();
      return () => {
        isOver = true;
        for (const end of ends) end();
      };
    },
  }),
} satisfies Partial<ConsoleHandlers>;

/** Characters of a full journal's summaries, about; a stream can name thousands of environments. */
const SIZE_OF_JOURNAL = 64 * 1024;

/** Sends the calls in the journal, then everything that happens in the environment. */
const followAll = (name: string, environment: Environment | undefined, sink: EventSink): (() => void) => {
  const send = (event: string, data: object): void => sink.send(event, { environment: name, ...data });
  if (!environment) {
    send('gone', {});
    return () => {};
  }
  const { events, journal, controlCalls } = environment;
  const sendJournal = (): void => send('journal', { requests: journal.summaries() });
  sendJournal();
  const ends = [
    journal.follow({ onItem: (call) => send('request', call), onClear: sendJournal }),
    controlCalls.follow((operation) => send('control', { operation })),
    events.follow({
      onItem: (change) => send('change', change),
      onClear: () => send('reset', {}),
      onClose: () => send('gone', {}),
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
};
