/** The events of a row, newest first: calls, page visits, e-mails, changes, and moves of the clock between calls. */
import { call, type Row, type Schemas, textOf, within } from '../live/api.ts';
import { formatInstant, formatLength } from '../live/clock.ts';
import { type CallSummary, type Concern, onChange, useEnvironment, useLive } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { useStore } from '../live/store.ts';
import { addressOf } from '../route.ts';

interface TimelineEntry {
  readonly time: string;
  readonly what: string;
  /** A link to the call in the journal, or to the page of the e-mail. */
  readonly href?: string;
  readonly kind: 'call' | 'visit' | 'change' | 'e-mail' | 'clock';
}

type Events = { readonly events: readonly Schemas['Event'][] };
type Emails = { readonly emails: readonly Schemas['Email'][] };
type Visits = { readonly visits: readonly Schemas['Visit'][] };

/** Whether an event is about the row. A membership has no id of its own, so its organization and user must match. */
const isAbout =
  ({ id, user_id, organization_id }: Row) =>
  ({ resource }: Pick<Schemas['Event'], 'resource'>): boolean =>
    id === undefined
      ? resource.user_id === user_id && resource.organization_id === organization_id
      : Object.values(resource).includes(textOf(id));

/**
 * Whether a change gets a line. An update without a new status, such as a new `last_used_at`, gets none, since its call
 * has a line.
 */
const isTelling = ({ type, to }: Schemas['Event']): boolean => to !== undefined || !type.endsWith('.updated');

/** Finds moves of the clock: between two calls, more time passed in the environment than in reality. */
const findJumps = (calls: readonly CallSummary[]): readonly TimelineEntry[] => {
  const inOrder = calls.toSorted((left, right) => left.sequence - right.sequence);
  return inOrder.flatMap((entry, index) => {
    const before = inOrder[index - 1];
    const moved = before ? aheadBy(entry) - aheadBy(before) : 0;
    const what = `The clock moved forward by ${formatLength(moved)}`;
    return moved < 1_000 ? [] : [{ time: entry.time, what, kind: 'clock' as const }];
  });
};

const aheadBy = ({ time, real_time }: CallSummary): number => Date.parse(time) - Date.parse(real_time);

/** Reads the page visits, the changes and the e-mails of a row. */
const readOthers = async (environment: string, row: Row): Promise<readonly TimelineEntry[]> => {
  const get = <Reply,>(path: string): Promise<Reply> => call('GET', within(environment, path));
  const to = new URLSearchParams({ to: textOf(row.email) });
  const [{ visits }, { events }, { emails }] = await Promise.all([
    get<Visits>('/visits'),
    get<Events>('/events'),
    row.email === undefined ? { emails: [] } : get<Emails>(`/outbox?${to}`),
  ]);
  return [
    ...visits.filter(isAbout(row)).map(presentVisit),
    ...events.filter((event) => isAbout(row)(event) && isTelling(event)).map(presentChange),
    ...emails
      // An invitation is about one membership, whose organization it names.
      .filter(
        ({ subject }) => row.membership_status === undefined || subject.endsWith(textOf(row.display_name)),
      )
      .map(({ time, subject, link }) => ({ time, what: subject, href: link, kind: 'e-mail' as const })),
  ];
};

const presentVisit = ({ time, action, page, redirect_url, status }: Schemas['Visit']): TimelineEntry => {
  const to = page ?? redirect_url?.replace(location.origin, '');
  return { time, what: `${action} → ${to}${status < 400 ? '' : ` ${status}`}`, kind: 'visit' };
};

const presentChange = ({ time, type, from, to }: Schemas['Event']): TimelineEntry => ({
  time,
  what: [type.replaceAll(/[._]/g, ' '), from, to && '→', to].filter(Boolean).join(' '),
  kind: 'change',
});

const presentCall = (
  environment: string,
  { time, status, operation, method, url, sequence }: CallSummary,
): TimelineEntry => ({
  time,
  what: `${operation ?? `${method} ${url}`} ${status}`,
  href: addressOf({ environment, view: 'journal', id: String(sequence) }),
  kind: 'call',
});

/** The order of entries with equal times: a cause comes before its effects. */
const ORDER = ['clock', 'call', 'visit', 'change', 'e-mail'];

const newestFirst = (left: TimelineEntry, right: TimelineEntry): number =>
  right.time.localeCompare(left.time) || ORDER.indexOf(right.kind) - ORDER.indexOf(left.kind);

const concern: Concern = (happened) => onChange(happened) || happened.event === 'visit';

/** @param id the id of the row; for a membership, the ids of its organization and user, with a slash between them */
export const Timeline = ({ row, id }: { readonly row: Row; readonly id: string }) => {
  const { name, calls } = useEnvironment();
  const met = useStore(calls).filter(({ rows }) => id.split('/').every((part) => rows.includes(part)));
  const others = useLive(`timeline ${id}`, () => readOthers(name, row), concern);
  const ofCalls = [...findJumps(met), ...met.map((one) => presentCall(name, one)).reverse()];
  return (
    <section aria-labelledby="timeline">
      <h3 id="timeline">Timeline</h3>
      <Loading from={others}>
        {(known) => <Moments of={[...known.toReversed(), ...ofCalls.reverse()].sort(newestFirst)} />}
      </Loading>
    </section>
  );
};

const Moments = ({ of: moments }: { readonly of: readonly TimelineEntry[] }) =>
  moments.length === 0 ? (
    <p class="quiet">Nothing has happened to this row since the start.</p>
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
