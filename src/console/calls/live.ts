/** The stream of everything that happens in environments, from which the console keeps its views true. */
import type { Environment } from '../../model/environments/environment.ts';
import { presentChange } from '../../server/control/handlers/records.ts';
import type { EventSink } from '../../server/http/event-stream.ts';
import type { ConsoleHandlers } from './call-types.ts';

export const live = {
  followEnvironments: ({ query }, { environments }) => ({
    status: 200,
    stream: (sink) =>
      endAll([
        ...Array.from(new Set(query.environments.split(',')), (name) =>
          followAll(name, environments.find(name), sink),
        ),
        environments.follow(() => sink.send('environments', {})),
      ]),
  }),
} satisfies Partial<ConsoleHandlers>;

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
  return endAll([
    journal.follow({ onItem: (call) => send('request', call), onClear: sendJournal }),
    controlCalls.follow((operation) => send('control', { operation })),
    events.follow({
      onItem: (change) => send('change', presentChange(change)),
      onClear: () => send('reset', {}),
      onClose: () => send('gone', {}),
    }),
  ]);
};

const endAll = (ends: readonly (() => void)[]) => (): void => {
  for (const end of ends) end();
};
