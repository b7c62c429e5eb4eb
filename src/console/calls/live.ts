/** The stream of everything that happens in an environment, and what ends when. */
import { clockTime, toTimestamp } from '../../engine/core/clock.ts';
import { resolve } from '../../engine/core/moment.ts';
import { decode } from '../../engine/core/secrets.ts';
import { allRows, getRow } from '../../engine/core/table.ts';
import { cut } from '../../engine/core/text.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import type { JournalEntry } from '../../engine/environments/journal.ts';
import type { EventSink } from '../../engine/http/event-stream.ts';
import { type RowEnd, tableOf } from '../../engine/scenario/section.ts';
import type { ConsoleHandlers, ConsoleSchemas } from './console-document.ts';
import { countEach, kindsOf } from './rows.ts';

export const live = {
  followEnvironment: ({ query }, { environments }) => ({
    status: 200,
    stream: (sink) => {
      const onItem = (): void => sink.send('environments', {});
      const others = environments.changes.follow({ onItem, onClose: () => sink.end() });
      const ends = [others, ...follow(environments.find(query.environment), sink)];
      return () => {
        for (const end of ends) end();
      };
    },
  }),

  /** Ends are counted here, since a page cannot read 100,000 rows to find out. */
  listEnds: (_input, { environment }) => {
    const { home } = environment.current;
    const { now } = environment.instant();
    const from = clockTime(home);
    const groups = groupEnds(environment, now);
    const past = groups.filter(({ at }) => at <= now && at >= from);
    const coming = groups.filter(({ at }) => at > now);
    return {
      body: {
        now: toTimestamp(now),
        home: { mode: home.mode, now: toTimestamp(from) },
        ended: past.slice(-MOST_PAST).map((group) => present(group, true)),
        coming: coming.slice(0, MOST_COMING).map((group) => present(group, false)),
        total_ended: past.flatMap(({ ends }) => ends).filter(({ isRefreshed }) => !isRefreshed).length,
      },
    };
  },
} satisfies Partial<ConsoleHandlers>;

/** Sends all calls in the journal, and then everything that happens in the environment. @returns functions that end it */
const follow = (environment: Environment | undefined, sink: EventSink): (() => void)[] => {
  if (!environment) {
    sink.send('gone', {});
    return [];
  }
  const { events, journal, controlCalls } = environment;
  const present = (call: JournalEntry) => presentShort(environment, call);
  const sendJournal = (): void => sink.send('journal', { requests: journal.entries().map(present) });
  sendJournal();
  return [
    journal.follow({
      onItem: (kept) => sink.send('request', present(journal.present(kept))),
      onClear: sendJournal,
    }),
    controlCalls.follow({ onItem: (operation) => sink.send('control', { operation }) }),
    events.follow({
      onItem: (change) => sink.send('change', change),
      onClear: () => sink.send('reset', {}),
      onClose: () => sink.send('gone', {}),
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
    ...head,
    method,
    url,
    telling: tellingOf(environment, call),
    violations: violations.map((one) => ({ ...one, description: cut(one.description, MOST_TOLD) })),
    warnings: warnings.map((warning) => cut(warning, MOST_TOLD)),
  };
};

const MOST_TELLING = 3;

/** What tells this call from others of its operation: values in its path, body and query, with names in place of ids. */
const tellingOf = (environment: Environment, { request, operation }: JournalEntry): string[] => {
  const { service } = environment;
  // Values of members by which a call names rows tell enough without the names of the members.
  const keys = service.sections.flatMap((section) => section.keys ?? []);
  const naming = ['id', ...Object.keys(service.references), ...keys];
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
  for (const { name, section } of kindsOf(service).values()) {
    const row: unknown = section && getRow(tableOf(data, section.name), text);
    if (row) return String(Object(row)[name] ?? text);
  }
  return text;
};

const [MOST_PAST, MOST_COMING] = [3, 5];

/** Ends, and when the last of them is. */
type Group = { at: number; readonly ends: RowEnd[] };

const UNITS = [86_400_000, 3_600_000, 60_000];

/** The distance in the words of people: the unit in which they count it, and how many of it. */
const stepOf = (distance: number): string => {
  const unit = UNITS.find((each) => Math.abs(distance) >= each) ?? 60_000;
  return `${distance > 0} ${unit} ${Math.round(distance / unit)}`;
};

/** Joins ends that are equally far away: all in 42 minutes, all in 12 days. The first to end come first. */
const groupEnds = (environment: Environment, now: number): readonly Group[] => {
  const { data } = environment.current;
  const instant = environment.instant();
  const groups = new Map<string, Group>();
  for (const [kind, { end }] of Object.entries(environment.service.views))
    if (end)
      for (const row of allRows(tableOf(data, kind))) {
        const found = end(data, row, instant);
        if (!found) continue;
        const at = resolve(found.at, instant.start);
        const group = groups.get(stepOf(at - now)) ?? { at, ends: [] };
        groups.set(stepOf(at - now), group);
        group.at = Math.max(at, group.at);
        group.ends.push(found);
      }
  return [...groups.values()].sort((one, other) => one.at - other.at);
};

/** Says what ends: `invitation of ada`, or `6 tokens, 1 link, 2 tokens to refresh`; or what has ended. */
const present = ({ at, ends }: Group, isPast: boolean): ConsoleSchemas['EndGroup'] => {
  const [over, renewed, renew] = isPast
    ? [' ended', ' was refreshed', ' refreshed']
    : ['', ' is refreshed', ' to refresh'];
  const words = ends.map(({ what, isRefreshed }) => `${what}s${isRefreshed ? renew : over}`);
  const counts = Object.entries(countEach(words)).map(
    ([word, count]) => `${count} ${count === 1 ? word.replace(/s\b/, '') : word}`,
  );
  const [one] = ends.length === 1 ? ends : [];
  const text = one ? `${one.what} of ${one.of}${one.isRefreshed ? renewed : over}` : counts.join(', ');
  return { at: toTimestamp(at), text };
};
