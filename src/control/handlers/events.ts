/** Calls about changes of state: a list, or a live stream. */

import type { Environment } from '../../environments/environment.ts';
import { type Environments, followEnvironments } from '../../environments/environments.ts';
import type { LoggedChange } from '../../environments/event-log.ts';
import type { JournalSummary } from '../../environments/journal-entry.ts';
import type { EventSink } from '../../http/event-stream.ts';
import type { ControlSchemas, Handlers } from '../types.ts';
import { requireEnvironment } from './lookup.ts';

export const events: Pick<Handlers, 'listEvents' | 'followEnvironment'> = {
  listEvents: ({ path }, context) => {
    const environment = requireEnvironment(context, path.env);
    const { accept, 'last-event-id': lastId } = context.headers;
    if (!accept?.includes('text/event-stream'))
      return { status: 200, body: { events: environment.events.list().map(presentChange) } };
    return { status: 200, stream: (sink) => follow(environment, Number(lastId ?? 0) || 0, sink) };
  },

  followEnvironment: ({ path }, context) => {
    const environment = requireEnvironment(context, path.env);
    return { status: 200, stream: (sink) => followAll(environment, context.environments, sink) };
  },
};

/** Calls that a page is told of when it opens. */
const RECENT_CALLS = 200;

/** Sends the latest calls, then whatever happens. */
const followAll = (
  { events: log, journal }: Environment,
  environments: Environments,
  sink: EventSink,
): (() => void) => {
  const sendCall = (call: JournalSummary): void => sink.send('request', call);
  for (const call of journal.latest(RECENT_CALLS)) sendCall(call);
  const leaveJournal = journal.subscribe(sendCall);
  const leaveLog = log.subscribe({
    onChange: (change) => sink.send('change', presentChange(change)),
    onControl: (operation) => sink.send('control', { operation }),
    onReset: () => sink.send('reset', {}),
    onClose: () => sink.end(),
  });
  const leaveEnvironments = followEnvironments(environments, () => sink.send('environments', {}));
  return () => {
    leaveEnvironments();
    leaveJournal();
    leaveLog();
  };
};

/** Sends the changes after `last`, then those to come. */
const follow = ({ events: log }: Environment, last: number, sink: EventSink): (() => void) => {
  const send = (change: LoggedChange): void => sink.send(change.type, presentChange(change), change.sequence);
  for (const change of log.list()) if (change.sequence > last) send(change);
  return log.subscribe({
    onChange: send,
    onReset: () => sink.send('reset', {}, 0),
    onClose: () => sink.end(),
  });
};

const presentChange = ({ from, to, ...change }: LoggedChange): ControlSchemas['Event'] => ({
  ...change,
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});
