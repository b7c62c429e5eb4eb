/** The stream of everything that happens in environments, from which the console keeps its views true. */
import { decode } from '../../engine/core/secrets.ts';
import { getRow } from '../../engine/core/table.ts';
import { cut } from '../../engine/core/text.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import type { JournalSummary } from '../../engine/environments/journal.ts';
import type { EventSink } from '../../engine/http/event-stream.ts';
import type { ConsoleHandlers } from './call-types.ts';
import { TELLING } from './kinds.ts';
import { stateOf } from './state.ts';

export const live = {
  followEnvironments: ({ query }, { environments }) => ({
    status: 200,
    stream: (sink) => {
      const names = [...new Set(query.environments.split(','))];
      const ends = [
        ...names.flatMap((name) => follow(name, environments.find(name), sink)),
        environments.changes.follow({ onItem: () => sink.send('environments', {}) }),
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
  const present = (call: JournalSummary) => ({ ...call, telling: tellingOf(environment, call) });
  const sendJournal = (): void => send('journal', { requests: journal.summaries().map(present) });
  sendJournal();
  return [
    journal.follow({ onItem: (call) => send('request', present(call)), onClear: sendJournal }),
    controlCalls.follow({ onItem: (operation) => send('control', { operation }) }),
    events.follow({
      onItem: (change) => send('change', change),
      onClear: () => send('reset', {}),
      onClose: () => send('gone', {}),
    }),
  ];
};

const MOST_TELLING = 3;

/** What tells this call from others of its operation: values in its path, query and body, with names in place of ids. */
const tellingOf = (
  environment: Environment,
  { sequence, url, operation }: JournalSummary,
): readonly string[] => {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const template =
    environment.service.contract.operations.find((one) => one.operationId === operation)?.path ?? '';
  const inPath = path.split('/').filter((_, place) => template.split('/')[place]?.includes('{'));
  const sent = [...new URLSearchParams(query)];
  const body = Object(environment.journal.find(sequence)?.request.body);
  const named = new Map<string, unknown>([...Object.entries(body), ...sent]);
  const known = TELLING.flatMap((name) => {
    const value = named.get(name);
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
  const others = sent.flatMap(([name, value]) => (TELLING.includes(name) ? [] : [`${name}=${value}`]));
  const texts = [...inPath.map(decode), ...known, ...others].slice(0, MOST_TELLING);
  return texts.map((text) => cut(nameOf(environment, text)));
};

/** The name of the row with this id, since nobody knows ids by heart. */
const nameOf = (environment: Environment, text: string): string => {
  const data = stateOf(environment);
  return (
    getRow(data.organizations, text)?.display_name ??
    getRow(data.users, text)?.email ??
    getRow(data.connections, text)?.key_id ??
    getRow(data.connected_accounts, text)?.identifier ??
    text
  );
};
