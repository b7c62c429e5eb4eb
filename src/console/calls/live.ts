/** The stream of everything that happens in environments, from which the console keeps its views true. */
import { decode } from '../../engine/core/secrets.ts';
import { getRow } from '../../engine/core/table.ts';
import { cut } from '../../engine/core/text.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import type { JournalEntry } from '../../engine/environments/journal.ts';
import type { EventSink } from '../../engine/http/event-stream.ts';
import { tableOf } from '../../engine/scenario/section.ts';
import type { ConsoleHandlers } from './console-document.ts';
import { kindsOf } from './kinds.ts';

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
  const present = (call: JournalEntry) => presentShort(environment, call);
  const sendJournal = (): void => send('journal', { requests: journal.list().map(present) });
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

/** Characters of a sentence in a list of calls. */
const MOST_TOLD = 300;

/** A call as a list shows it. */
const presentShort = (environment: Environment, call: JournalEntry) => {
  const { request, response: _, violations, warnings, ...head } = call;
  const { method, url } = request;
  return {
    ...{ ...head, method, url, telling: tellingOf(environment, call) },
    violations: violations.map(({ description }) => cut(description, MOST_TOLD)),
    warnings: warnings.map((warning) => cut(warning, MOST_TOLD)),
  };
};

const MOST_TELLING = 3;

/** What tells this call from others of its operation: values in its path, body and query, with names in place of ids. */
const tellingOf = (environment: Environment, { request, operation }: JournalEntry): string[] => {
  const { service } = environment;
  // Values of members by which a call names rows tell enough without the names of the members.
  const naming = service.sections.flatMap(({ keys = [] }) => keys);
  naming.push('id', ...Object.keys(service.references));
  const [path = '', query = ''] = request.url.split(/\?(.*)/s);
  const template = service.contract.operations.find((one) => one.operationId === operation)?.path ?? '';
  const inPath = path.split('/').filter((_, place) => template.split('/')[place]?.includes('{'));
  const sent = [...new URLSearchParams(query)];
  const body: Readonly<Record<string, unknown>> = Object(request.body);
  const named = [...Object.entries(body), ...sent].flatMap(([name, value]) =>
    naming.includes(name) && typeof value === 'string' && value !== '' ? [value] : [],
  );
  const others = sent.flatMap(([name, value]) => (naming.includes(name) ? [] : [`${name}=${value}`]));
  const texts = [...inPath.map(decode), ...named, ...others].slice(0, MOST_TELLING);
  return texts.map((text) => cut(nameOf(environment, text)));
};

/** The name of the row with this id, since nobody knows ids by heart. */
const nameOf = ({ service, current: { data } }: Environment, text: string): string => {
  for (const { name, section } of kindsOf(service)) {
    const row: unknown = section && getRow(tableOf(data, section.name), text);
    if (row) return String(Object(row)[name] ?? text);
  }
  return text;
};
