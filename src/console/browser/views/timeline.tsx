/** What happened to a row, in one line of time: calls, visits of pages, e-mails, changes, and the clock moved between calls. */
import { call, type Row, type Schemas, textOf, within } from '../live/api.ts';
import { formatInstant, formatLength } from '../live/clock.ts';
import { onCall, useEnvironment, useLive } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { addressOf } from '../route.ts';

interface TimelineEntry {
  readonly time: string;
  readonly what: string;
  /** The call in the journal, or the page of an e-mail. */
  readonly href?: string;
  readonly kind: 'call' | 'visit' | 'change' | 'e-mail' | 'clock';
}

type Requests = { readonly requests: readonly Schemas['Request'][] };
type Events = { readonly events: readonly Schemas['Event'][] };
type Emails = { readonly emails: readonly Schemas['Email'][] };
type Visits = { readonly visits: readonly Schemas['Visit'][] };

/** Whether what happened names the row; a membership has no id of its own. */
const isAbout =
  ({ id, user_id, organization_id }: Row) =>
  ({ resource }: Pick<Schemas['Event'], 'resource'>): boolean =>
    id === undefined
      ? resource.user_id === user_id && resource.organization_id === organization_id
      : Object.values(resource).includes(textOf(id));

/** An update that moves no status says nothing beyond the call that made it, such as a read that sets `last_used_at`. */
const isTelling = ({ type, to }: Schemas['Event']): boolean => to !== undefined || !type.endsWith('.updated');

/** What the calls about a row hold: its path or one of its names in query or body. */
const readCalls = async (environment: string, row: Row): Promise<readonly Schemas['Request'][]> => {
  const { organization_id, user_id, id = user_id, identifier } = row;
  const filters = [
    { path: `/api/v1/*${textOf(id)}*` },
    { query: `id=${id}` },
    { body: JSON.stringify({ id }) },
    ...(identifier === undefined ? [] : [{ identifier: textOf(identifier) }]),
    ...(organization_id === undefined ? [] : [{ query: `user_id=${id}` }]),
  ];
  const pages = await Promise.all(
    filters.map((filter) =>
      call<Requests>('GET', within(environment, `/requests?${new URLSearchParams(filter)}`)),
    ),
  );
  const found = pages.flatMap(({ requests }) => requests);
  return [...new Map(found.map((entry) => [entry.sequence, entry])).values()];
};

/** Between two calls more time passed in the environment than in the world: its clock was moved on. */
const findJumps = (calls: readonly Schemas['Request'][]): readonly TimelineEntry[] => {
  const inOrder = calls.toSorted((left, right) => left.sequence - right.sequence);
  return inOrder.flatMap((entry, index) => {
    const before = inOrder[index - 1];
    const moved = before ? aheadBy(entry) - aheadBy(before) : 0;
    const what = `The clock was moved on by ${formatLength(moved)}`;
    return moved < 1_000 ? [] : [{ time: entry.time, what, kind: 'clock' as const }];
  });
};

const aheadBy = ({ time, real_time }: Schemas['Request']): number => Date.parse(time) - Date.parse(real_time);

const readTimeline = async (environment: string, row: Row): Promise<readonly TimelineEntry[]> => {
  const [calls, { visits }, { events }, { emails }] = await Promise.all([
    readCalls(environment, row),
    call<Visits>('GET', within(environment, '/visits')),
    call<Events>('GET', within(environment, '/events')),
    typeof row.email === 'string'
      ? call<Emails>('GET', within(environment, `/outbox?${new URLSearchParams({ to: row.email })}`))
      : { emails: [] },
  ]);
  // At the same instant: what led to something comes before it.
  const moments: TimelineEntry[] = [
    ...findJumps(calls),
    ...calls.map(({ time, status, operation, request, sequence }) => ({
      time,
      what: `${operation ?? `${request.method} ${request.url}`} ${status}`,
      href: addressOf({ environment, view: 'journal', id: String(sequence) }),
      kind: 'call' as const,
    })),
    ...visits.filter(isAbout(row)).map(({ time, action, page, redirect_url, status }) => ({
      time,
      what: `${action} → ${page ?? redirect_url?.replace(location.origin, '')}${status < 400 ? '' : ` ${status}`}`,
      kind: 'visit' as const,
    })),
    ...events
      .filter((event) => isAbout(row)(event) && isTelling(event))
      .map(({ time, type, from, to }) => ({
        time,
        what: [type.replaceAll(/[._]/g, ' '), from, to && '→', to].filter(Boolean).join(' '),
        kind: 'change' as const,
      })),
    ...emails.map(({ time, subject, link }) => ({
      time,
      what: subject,
      href: link,
      kind: 'e-mail' as const,
    })),
  ];
  return moments.sort((left, right) => left.time.localeCompare(right.time)).reverse();
};

export const Timeline = ({ row, id }: { readonly row: Row; readonly id: string }) => {
  const { name } = useEnvironment();
  const timeline = useLive(
    id,
    () => readTimeline(name, row),
    (event) => onCall(event) || ['change', 'visit'].includes(event.event),
  );
  return (
    <section aria-labelledby="timeline">
      <h3 id="timeline">Timeline</h3>
      <Loading from={timeline}>
        {(moments) =>
          moments.length === 0 ? (
            <p class="quiet">Nothing has happened to it since the start.</p>
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
          )
        }
      </Loading>
    </section>
  );
};
