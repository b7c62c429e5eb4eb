/** The events of a row, newest first: calls, page visits, e-mails, changes, and moves of the clock between calls. */
import { type Row, readList, type Schemas, textOf, within } from '../live/api.ts';
import { formatInstant, formatLength } from '../live/clock.ts';
import { type CallSummary, useEnvironment, useLive } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { useStore } from '../live/store.ts';
import { addressOf } from '../route.ts';

/** The kinds of entries, causes before effects. If two entries have the same time, the effect counts as newer. */
const KINDS = ['clock', 'call', 'visit', 'change', 'e-mail'] as const;

interface TimelineEntry {
  readonly time: string;
  readonly what: string;
  /** The address of the call in the journal, or of the page that the e-mail links to. */
  readonly href?: string;
  readonly kind: (typeof KINDS)[number];
}

/** Whether an event is about the row. A membership has no id, so its organization and its user must match. */
const isAbout =
  ({ id, user_id, organization_id }: Row) =>
  ({ resource }: Pick<Schemas['Event'], 'resource'>): boolean =>
    id === undefined
      ? resource.user_id === user_id && resource.organization_id === organization_id
      : Object.values(resource).includes(textOf(id));

/** Finds moves of the clock. A clock moved if it advanced more than real time did between two calls. */
const findJumps = (newestFirst: readonly CallSummary[]): readonly TimelineEntry[] =>
  newestFirst.flatMap((entry, index) => {
    const before = newestFirst[index + 1];
    const moved = before ? aheadBy(entry) - aheadBy(before) : 0;
    const what = `Clock advanced by ${formatLength(moved)}`;
    return moved < 1_000 ? [] : [{ time: entry.time, what, kind: 'clock' as const }];
  });

const aheadBy = ({ time, real_time }: CallSummary): number => Date.parse(time) - Date.parse(real_time);

/** Returns a row's page visits, then its changes, then its e-mails, each in order of time. */
const readOthers = async (environment: string, row: Row): Promise<readonly TimelineEntry[]> => {
  const to = new URLSearchParams({ to: textOf(row.email) });
  const [visits, events, emails] = await Promise.all([
    readList<Schemas['Visit']>(within(environment, '/visits')),
    readList<Schemas['Event']>(within(environment, '/events')),
    row.email === undefined ? [] : readList<Schemas['Email']>(within(environment, `/outbox?${to}`)),
  ]);
  // An e-mail belongs to a membership if the subject ends with the name of the membership's organization.
  const isMeant = ({ subject }: Schemas['Email']): boolean =>
    row.membership_status === undefined || subject.endsWith(textOf(row.display_name));
  return [
    ...visits.filter(isAbout(row)).map(presentVisit),
    ...events.filter(isAbout(row)).filter(isTelling).map(presentChange),
    ...emails
      .filter(isMeant)
      .map(({ time, subject, link }) => ({ time, what: subject, href: link, kind: 'e-mail' as const })),
  ];
};

const presentVisit = ({ time, action, page, redirect_url, status }: Schemas['Visit']): TimelineEntry => {
  const to = page ?? redirect_url?.replace(location.origin, '');
  return { time, what: `${action} → ${to}${status < 400 ? '' : ` ${status}`}`, kind: 'visit' };
};

/** Whether the timeline shows an event. Updates without a new status are left out: their calls are shown anyway. */
const isTelling = ({ type, to }: Schemas['Event']): boolean => to !== undefined || !type.endsWith('.updated');

const presentChange = ({ time, type, from, to }: Schemas['Event']): TimelineEntry => ({
  time,
  what: [type.replaceAll(/[._]/g, ' '), from, to && '→', to].filter(Boolean).join(' '),
  kind: 'change',
});

const presentCall = (environment: string, one: CallSummary): TimelineEntry => ({
  time: one.time,
  what: `${one.operation ?? `${one.method} ${one.url}`} ${one.status}`,
  href: addressOf({ environment, view: 'journal', id: String(one.sequence) }),
  kind: 'call',
});

const compare = (left: TimelineEntry, right: TimelineEntry): number =>
  right.time.localeCompare(left.time) || KINDS.indexOf(right.kind) - KINDS.indexOf(left.kind);

/** The timeline of a row. @param id the id of the row; for a membership, `ORGANIZATION_ID/USER_ID` */
export const Timeline = ({ row, id }: { readonly row: Row; readonly id: string }) => {
  const { name, calls } = useEnvironment();
  const met = useStore(calls).filter(({ rows }) => id.split('/').every((part) => rows.includes(part)));
  const others = useLive(`timeline ${id}`, () => readOthers(name, row), 'change', 'visit');
  const ofCalls = [...met.map((one) => presentCall(name, one)), ...findJumps(met)];
  return (
    <section aria-labelledby="timeline">
      <h3 id="timeline">Timeline</h3>
      <Loading from={others}>{(known) => present([...known.toReversed(), ...ofCalls].sort(compare))}</Loading>
    </section>
  );
};

const present = (moments: readonly TimelineEntry[]) =>
  moments.length === 0 ? (
    <p class="quiet">Nothing has happened to this row yet.</p>
  ) : (
    <ol class="timeline">
      {moments.map(({ time, what, href, kind }) => (
        <li key={time + what + href}>
          <time dateTime={time} class="quiet digits">
            {formatInstant(Date.parse(time)).slice(5)}
          </time>
          <span class="tag">{kind}</span>
          {href === undefined ? <span>{what}</span> : <a href={href}>{what}</a>}
        </li>
      ))}
    </ol>
  );
