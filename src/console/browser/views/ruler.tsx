/** The next 30 days of the environment as a line, with a mark where something ends. The user moves the clock on it. */
import { useMemo, useState } from 'preact/hooks';
import { call, isObject, type KindName, type ResourcePage, type Row, textOf } from '../live/api.ts';
import { formatDistance, formatInstant, type LiveClock, readClock, useNow } from '../live/clock.ts';
import { useEnvironment, useLive } from '../live/environment.tsx';
import { Buttons } from '../parts/buttons.tsx';
import { addressOf, within } from '../route.ts';
import { idOf, KINDS, nameOf } from './kinds.ts';
import { setClock } from './moves.ts';
import { Status } from './value.tsx';

const DAY = 86_400_000;
const DAYS = 30;
const LENGTH = DAYS * DAY;

/** How many rows of each kind are read for marks. */
const READ = 200;

const LISTED = 12;

interface Mark {
  readonly at: number;
  readonly kind: KindName;
  readonly row: Row;
}

/** The kinds of rows that end, and what ends. */
const ENDING: Partial<Record<KindName, string>> = {
  connected_accounts: 'token',
  authorization_links: 'link',
  verification_requests: 'request',
  memberships: 'invitation',
};

const endOf = (row: Row): number => {
  const { invite } = row;
  return Date.parse(
    textOf(row.token_expires_at ?? row.expires_at ?? (isObject(invite) && invite.expires_at)),
  );
};

const readMarks = async (): Promise<readonly Mark[]> => {
  const lists = await Promise.all(
    (Object.keys(ENDING) as KindName[]).map(async (kind) => {
      const path = `/resources/${kind}?page_size=${READ}`;
      const { rows } = await call<ResourcePage>('GET', within(path));
      return rows.map((row): Mark => ({ at: endOf(row), kind, row }));
    }),
  );
  return lists
    .flat()
    .filter(({ at, row }) => Number.isFinite(at) && !OVER.includes(statusOf(row)))
    .sort((one, other) => one.at - other.at);
};

const OVER = ['USED', 'ACCEPTED', 'DISCONNECTED'];

const statusOf = (row: Row): string => textOf(row.membership_status ?? row.status);

/** The clocks that the user left by travelling, by environment. "Back to now" leads there. */
const homes = new Map<string, LiveClock>();

/** This long after its home, a clock counts as being elsewhere. */
const ELSEWHERE = 5_000;

const STEPS = { '+15 min': 900_000, '+1 h': 3_600_000, '+1 day': DAY, '+15 days': 15 * DAY };

export const Ruler = () => {
  const { name, clock } = useEnvironment();
  const live = useNow(clock);
  // Where the user has sent the clock, until the page hears that it is there: the next key goes on from there.
  const [sent, send] = useState<{ readonly from: LiveClock; readonly to: number }>();
  const now = sent?.from === clock ? sent.to : live;
  const marks = useLive('marks', readMarks, 'change').value ?? [];
  const left = homes.get(name);
  const distance = left ? now - readClock(left) : 0;
  const home = distance > ELSEWHERE && distance < LENGTH + ELSEWHERE ? left : undefined;
  const start = home ? readClock(home) : now;
  const go = async (to: number): Promise<void> => {
    if (!home) homes.set(name, clock);
    send({ from: clock, to });
    if ((await setClock(clock.mode, to)) === undefined) send(undefined);
  };
  // A token past its end on an ACTIVE account did not end: the provider refreshes it.
  const isOver = ({ at, row }: Mark): boolean => at <= now && statusOf(row) === 'ACTIVE';
  const inReach = marks.filter((mark) => !isOver(mark) && mark.at >= start && mark.at <= start + LENGTH);
  const steps = Object.entries(STEPS).map(([label, by]) => ({ label, choose: () => go(now + by) }));
  const back = home && {
    label: 'Back to now',
    isPrimary: true,
    choose: () => setClock(home.mode, readClock(home), 'The clock is back.'),
  };
  return (
    <div class="ruler">
      <Line {...{ start, now, marks: inReach, go }} />
      <div class="cluster">
        <Buttons className="small" actions={back ? [...steps, back] : steps} />
      </div>
      {presentMarks(inReach, now)}
    </div>
  );
};

const presentMarks = (marks: readonly Mark[], now: number) => {
  const next = marks.filter(({ at }) => at > now).length;
  const first = Math.max(0, Math.min(marks.length - next - 2, marks.length - LISTED));
  if (marks.length === 0) return <p class="quiet">Nothing ends in the next {DAYS} days.</p>;
  return (
    <ul class="ends" aria-label="What ends">
      {marks.slice(first, first + LISTED).map(({ at, kind: view, row }) => {
        const [kind, id] = [KINDS[view], idOf(KINDS[view], row)];
        return (
          <li key={view + id}>
            <Status status={statusOf(row)} />
            <a href={addressOf({ view, id })}>
              {ENDING[view]} of {nameOf(kind, row)} · {textOf(row.connector ?? row.display_name)}
            </a>
            <time class="quiet" dateTime={new Date(at).toISOString()} title={`${formatInstant(at)} UTC`}>
              {at <= now ? 'ended' : 'ends'} {formatDistance(at - now)}
            </time>
          </li>
        );
      })}
    </ul>
  );
};

interface LineProps {
  readonly start: number;
  readonly now: number;
  readonly marks: readonly Mark[];
  readonly go: (to: number) => unknown;
}

interface Chosen {
  readonly currentTarget: HTMLInputElement;
}

/** A click this near to a mark, in pixels, means the mark. */
const NEAR = 8;

const Line = ({ start, now, marks, go }: LineProps) => {
  const [aim, setAim] = useState<number>();
  const moments = useMemo(() => [...new Set(marks.map(({ at }) => at))], [marks]);
  const timeOf = ({ currentTarget: { valueAsNumber, offsetWidth } }: Chosen): number => {
    const wanted = start + valueAsNumber * 1_000;
    const isNear = (at: number): boolean => Math.abs(at - wanted) < (NEAR / offsetWidth) * LENGTH;
    return moments.find((at) => isNear(at) && at > now) ?? wanted;
  };
  const jump = (key: string): number | undefined => {
    if (key === 'ArrowRight' || key === 'ArrowUp') return moments.find((at) => at > now);
    const isBack = key === 'ArrowLeft' || key === 'ArrowDown';
    return isBack ? (moments.findLast((at) => at < now - 1_000) ?? start) : undefined;
  };
  const shown = aim ?? now;
  const ending = marks.filter(({ at }) => at > now && at <= shown).length;
  const told = `${formatInstant(shown)}${ending > 0 ? `, ${ending} ${ending === 1 ? 'thing ends' : 'things end'} until then` : ''}`;
  const x = (at: number): number => Math.max(0, Math.min(1_000, ((at - start) / LENGTH) * 1_000));
  return (
    <div class="line">
      <output class={aim === undefined ? 'quiet digits' : 'digits'}>{told}</output>
      <input
        type="range"
        aria-label="Clock: arrow keys go from mark to mark"
        aria-valuetext={told}
        max={LENGTH / 1_000}
        value={(shown - start) / 1_000}
        onKeyDown={(event) => {
          const to = jump(event.key);
          if (to === undefined) return;
          event.preventDefault();
          go(to);
        }}
        onInput={(event) => setAim(timeOf(event))}
        onChange={(event) => {
          setAim(undefined);
          go(timeOf(event));
        }}
      />
      <svg viewBox="0 0 1000 40" preserveAspectRatio="none" aria-hidden="true">
        <path class="base" d="M0 26H1000" />
        <path class="gone" d={`M0 26H${x(shown)}`} />
        {Array.from({ length: DAYS + 1 }, (_, day) => (
          <path key={day} class="tick" d={`M${(day / DAYS) * 1_000} ${day % 5 === 0 ? 20 : 23}V32`} />
        ))}
        {moments.map((at) => (
          <path key={at} class={at <= shown ? 'mark ended' : 'mark'} d={`M${x(at)} 8V26`} />
        ))}
        <path class="hand" d={`M${x(shown)} 0V40`} />
      </svg>
      <div class="days quiet" aria-hidden="true">
        {['now', '5', '10', '15', '20', '25', '30 days'].map((text) => (
          <span key={text}>{text}</span>
        ))}
      </div>
    </div>
  );
};
