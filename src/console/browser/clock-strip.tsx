/** The clock: what it shows and what ends next, and the strip of events on which the user moves it. */
import type { MockSchemas } from './live/api.ts';
import { formatDay, formatDistance, formatInstant, readClock, useNow } from './live/clock.ts';
import { useEnvironment } from './live/live.tsx';
import { createStore, useStore } from './live/store.ts';
import { type Action, Buttons, ICONS } from './parts/buttons.tsx';
import { submitted } from './parts/layout.tsx';
import { setClock } from './parts/moves.ts';

const isOpen = createStore(false);

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** What ends, in words: `6 tokens, 1 link`. */
const describe = ({ counts, refreshed, of }: MockSchemas['EndGroup']): string => {
  const ends = Object.entries(counts).map(([what, count]) => (of ? `${what} of ${of}` : plural(count, what)));
  if (refreshed > 0) ends.push(of ? `token of ${of} is refreshed` : `${plural(refreshed, 'token')} refresh`);
  return ends.join(', ');
};

/** This long after its own time, in milliseconds, a clock counts as being elsewhere. */
const ELSEWHERE = 5_000;

const STEPS = { '+1 h': 3_600_000, '+1 day': 86_400_000, '+15 days': 15 * 86_400_000 };

/** The moves of the clock, for the strip and for Ctrl+K. */
export const useClockMoves = () => {
  const { clock, home } = useEnvironment();
  const { mode } = clock;
  const [freeze, other] =
    mode === 'frozen' ? ['Unfreeze', 'running' as const] : ['Freeze', 'frozen' as const];
  const isElsewhere =
    home && (home.mode !== mode || Math.abs(readClock(clock) - readClock(home)) > ELSEWHERE);
  const back = {
    label: 'Back to now',
    choose: () => home && setClock(home.mode, readClock(home), 'Back to now'),
  };
  return {
    back: isElsewhere ? [back] : [],
    moves: [
      ...Object.entries(STEPS).map(([label, by]) => ({
        label,
        choose: () => setClock(mode, readClock(clock) + by, `Clock ${label}`),
      })),
      { label: freeze, choose: () => setClock(other, readClock(clock), `${freeze} the clock`) },
    ],
  };
};

export const ClockButton = () => {
  const { clock, ends } = useEnvironment();
  const now = useNow(clock);
  const [day, time] = [formatDay(now), formatInstant(now).slice(11, 16)];
  const open = useStore(isOpen);
  const next = ends?.coming[0];
  const isFrozen = clock.mode === 'frozen';
  const told = next && `next: ${describe(next)} ${formatDistance(Date.parse(next.at) - readClock(clock))}`;
  return (
    <button
      type="button"
      class={isFrozen ? 'clock info' : 'clock'}
      aria-expanded={open}
      aria-label={['Clock:', day, time, isFrozen ? 'frozen' : told].join(' ')}
      title={told}
      onClick={() => isOpen.set(!open)}
    >
      {isFrozen ? ICONS.frozen : ICONS.clock}{' '}
      <time class="digits">
        <span class="day">{day}</span> {time}
      </time>{' '}
      {isFrozen ? 'frozen' : <small>{told}</small>}
    </button>
  );
};

export const ClockStrip = () => (useStore(isOpen) ? <Strip /> : null);

const minute = (at: number): string => formatInstant(at).slice(0, 16);

const Strip = () => {
  const { clock, ends } = useEnvironment();
  const { moves, back } = useClockMoves();
  const now = useNow(clock);
  const { home, ended = [], coming = [] } = ends ?? {};
  const points = [
    ...back.map((move) => ({ when: 'start', what: home ? minute(Date.parse(home.now)) : '', moves: [move] })),
    ...ended.map((group) => toPoint(group, now)),
    { when: 'now', what: `${minute(now)} ${clock.mode === 'frozen' ? 'frozen' : ''}` },
    ...coming.map((group) => {
      const point = toPoint(group, now);
      const choose = () => setClock(clock.mode, point.at, `Go to where ${point.what} ends`);
      return { ...point, moves: [{ label: 'Go there', choose }] };
    }),
  ];
  const here = back.length + ended.length;
  return (
    <section class="strip" aria-label="Clock">
      <ol>
        {points.map(({ when, what, title, moves: own = [] }: Point, place) => (
          <li
            class={place < here ? 'past' : place === here ? 'here' : undefined}
            aria-current={place === here ? 'time' : undefined}
          >
            <b>{when}</b>
            <span title={title}>{what}</span>
            <Buttons className="link" of={place > here ? `, where ${what} ends` : ''} actions={own} />
          </li>
        ))}
        <li class="any">
          <b>{coming.length === 0 ? 'Nothing ends later' : 'any time'}</b>
          <span class="cluster">
            <Buttons className="small" actions={moves} />
            <SetClock />
          </span>
        </li>
      </ol>
    </section>
  );
};

type Point = Partial<ReturnType<typeof toPoint>> & { readonly moves?: readonly Action[] };

const toPoint = (group: MockSchemas['EndGroup'], now: number) => {
  const at = Date.parse(group.at);
  const isOver = at <= now && Object.keys(group.counts).length > 0;
  const what = describe(group) + (isOver ? ' ended' : '');
  return { at, what, when: formatDistance(at - now), title: `${formatInstant(at)} UTC` };
};

/** Sets the clock to a time in UTC. */
const SetClock = () => {
  const { clock } = useEnvironment();
  const shown = new Date(readClock(clock)).toISOString().slice(0, 16);
  const set = ({ time = '' }) =>
    setClock(clock.mode, Date.parse(`${time}Z`), `Set the clock to ${time.replace('T', ' ')}`);
  return (
    <form class="cluster" onSubmit={submitted(set)}>
      <input type="datetime-local" name="time" aria-label="Time in UTC" required defaultValue={shown} />
      <button type="submit" class="small">
        Set
      </button>
    </form>
  );
};
