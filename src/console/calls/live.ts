/** The stream of everything that happens in environments, from which the console keeps its views true. */
import type { Environment } from '../../engine/environments/environment.ts';
import type { EventSink } from '../../engine/http/event-stream.ts';
import type { ConsoleHandlers } from './call-types.ts';

export const live = {
  followEnvironments: ({ query }, { environments }) => ({
    status: 200,
    stream: (sink) => {
      const names = [...new Set(query.environments.split(','))];
      const ends = [
        ...names.flatMap((name) => follow(name, environments.find(name), sink)),
        environments.changes.follow(() => sink.send('environments', {})),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
  }),
} satisfies Partial<ConsoleHandlers>;

/** Sends all calls in the journal, and then everything that happens in the environment. @returns functions that end it */
const follow = (name: string, environment: Environment | undefined, sink: EventSink): (() => void)[] => {
  const send = (event: string, data: object): void => sink.send(event, { environment: name, ...data });
  if (!environment) {
    send('gone', {});
    return [];
  }
  const { events, journal, controlCalls } = environment;
  const sendJournal = (): void => send('journal', { requests: journal.summaries() });
  sendJournal();
  return [
    journal.follow({ onItem: (call) => send('request', call), onClear: sendJournal }),
    controlCalls.follow((operation) => send('control', { operation })),
    events.follow({
      onItem: (change) => send('change', change),
      onClear: () => send('reset', {}),
      onClose: () => send('gone', {}),
    }),
  ];
};
