/** Calls about page visits and state changes: lists, or a live stream. */

import type { Environment, LoggedChange } from '../../environments/environment.ts';
import { findEnvironment, followEnvironments } from '../../environments/environments.ts';
import type { EventSink } from '../../http/event-stream.ts';
import type { ControlSchemas, Handlers } from '../types.ts';

export const events = {
  listVisits: (_input, { environment }) => ({ status: 200, body: { visits: environment.visits.list() } }),

  listEvents: (_input, { environment, headers }) => {
    const { accept, 'last-event-id': lastId } = headers;
    if (!accept?.includes('text/event-stream'))
      return { status: 200, body: { events: environment.events.list().map(presentChange) } };
    return { status: 200, stream: (sink) => follow(environment, Number(lastId ?? 0) || 0, sink) };
  },

  followEnvironments: ({ query }, { environments }) => ({
    status: 200,
    stream: (sink) => {
      const names = query.environments.split(',');
      const ends = [
        ...names.map((name) => followAll(name, findEnvironment(environments, name), sink)),
        followEnvironments(environments, () => sink.send('environments', {})),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
  }),
} satisfies Partial<Handlers>;

/** Sends the calls in the journal, then everything that happens. */
const followAll = (name: string, environment: Environment | undefined, sink: EventSink): (() => void) => {
  const send = (event: string, data: object): void => sink.send(event, { environment: name, ...data });
  if (!environment) {
    send('gone', {});
    return () => {};
  }
  const { events, journal, visits, controlCalls } = environment;
  const sendJournal = (): void => send('journal', { requests: journal.latest() });
  sendJournal();
  const ends = [
    journal.follow({ onItem: (call) => send('request', call), onClear: sendJournal }),
    visits.follow({ onItem: (visit) => send('visit', visit) }),
    controlCalls.follow({ onItem: (operation) => send('control', { operation }) }),
    events.follow({
      onItem: (change) => send('change', presentChange(change)),
      onClear: () => send('reset', {}),
      onClose: () => send('gone', {}),
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
};

/** Sends the changes after `last`, then every new change. */
const follow = ({ events: log }: Environment, last: number, sink: EventSink): (() => void) => {
  const send = (change: LoggedChange): void => sink.send(change.type, presentChange(change), change.sequence);
  for (const change of log.list()) if (change.sequence > last) send(change);
  return log.follow({
    onItem: send,
    onClear: () => sink.send('reset', {}, 0),
    onClose: () => sink.end(),
  });
};

const presentChange = ({ from, to, ...change }: LoggedChange): ControlSchemas['Event'] => ({
  ...change,
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});
