/** The clock: what it shows and what ends next, and the strip of events on which the user moves it. */
import type { MockSchemas } from './live/api.ts';
import { formatDay, formatDistance, formatInstant, readClock, useNow } from './live/clock.ts';
import { useEnvironment } from './live/environment.tsx';
import { createStore, useStore } from './live/store.ts';
import { Buttons, ICONS } from './parts/buttons.tsx';
import { submitted } from './parts/layout.tsx';
import { setClock } from './parts/moves.ts';

type EndGroup = MockSchemas['EndGroup'];

const isOpen = createStore(false);

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** What ends, in words: `6 tokens, 1 link`. */
const describe = ({ counts, refreshed, of }: EndGroup): string => {
  const parts = Object.entries(counts).map(([what, count]) =>
    of ? `${what} of ${of}` : plural(count, what),
  );
  if (refreshed > 0) parts.push(of ? `token of ${of} is refreshed` : `${plural(refreshed, 'token')} refresh`);
  return parts.join(', ');
};

/** This long after its own time, in milliseconds, a clock counts as being elsewhere. */
const ELSEWHERE = 5_000;

const STEPS = { '+1 h': 3_600_000, '+1 day': 86_400_000, '+15 days': 15 * 86_400_000 };

/** The moves of the clock, for the strip and for Ctrl+K. */
export const useClockMoves = () => {
  const { clock, home } = useEnvironment();
  const { mode } = clock;
  const go = (to: number, label: string) => setClock(mode, to, label);
  const [freeze, other] =
    mode === 'frozen' ? ['Unfreeze', 'running' as const] : ['Freeze', 'frozen' as const];
  const isElsewhere =
    home !== undefined && (home.mode !== mode || Math.abs(readClock(clock) - readClock(home)) > ELSEWHERE);
  return {
    go,
    steps: Object.entries(STEPS).map(([label, by]) => ({
      label,
      choose: () => go(readClock(clock) + by, `Clock ${label}`),
    })),
    freeze: { label: freeze, choose: () => setClock(other, readClock(clock), `${freeze} the clock`) },
    back: isElsewhere
      ? { label: 'Back to now', choose: () => setClock(home.mode, readClock(home), 'Back to now') }
      : undefined,
  };
};

export const ClockButton = () => {
  const { clock, ends } = useEnvironment();
  const now = useNow(clock);
  const shown = [formatDay(now), formatInstant(now).slice(11, 16)];
  const open = useStore(isOpen);
  const next = ends?.coming[0];
  const isFrozen = clock.mode === 'frozen';
  const told = next && `next: ${describe(next)} ${formatDistance(Date.parse(next.at) - readClock(clock))}`;
  return (
    <button
      type="button"
      class={isFrozen ? 'clock info' : 'clock'}
      aria-expanded={open}
      aria-label={['Clock:', ...shown, isFrozen ? 'frozen' : told].join(' ')}
      title={told}
      onClick={() => isOpen.set(!open)}
    >
      {isFrozen ? ICONS.frozen : ICONS.clock}{' '}
      <time class="digits">
        <span class="day">{shown[0]}</span> {shown[1]}
      </time>{' '}
      {isFrozen ? 'frozen' : <small>{told}</small>}
    </button>
  );
};

export const ClockStrip = () => (useStore(isOpen) ? <Strip /> : null);

const Strip = () => {
  const { clock, ends } = useEnvironment();
  const { steps, freeze, back } = useClockMoves();
  const now = useNow(clock);
  return (
    <section class="strip" aria-label="Clock">
      <ol>
        {back && ends && (
          <li class="past">
            <b>start</b>
            <span>{formatInstant(Date.parse(ends.home.now)).slice(0, 16)}</span>
            <Buttons className="link" actions={[back]} />
          </li>
        )}
        {ends?.ended.map((group) => (
          <Point {...{ group, now }} isPast />
        ))}
        <li class="here" aria-current="time">
          <b>now</b>
          <span>
            {formatInstant(now).slice(0, 16)} {clock.mode === 'frozen' && 'frozen'}
          </span>
        </li>
        {ends?.coming.map((group) => (
          <Point {...{ group, now }} />
        ))}
        <li class="any">
          <b>{ends?.coming.length === 0 ? 'Nothing ends later' : 'any time'}</b>
          <span class="cluster">
            <Buttons className="small" actions={[...steps, freeze]} />
            <SetClock />
          </span>
        </li>
      </ol>
    </section>
  );
};

interface PointProps {
  readonly group: EndGroup;
  readonly now: number;
  readonly isPast?: boolean;
}

const Point = ({ group, now, isPast = false }: PointProps) => {
  const { go } = useClockMoves();
  const at = Date.parse(group.at);
  const what = describe(group);
  const there = { label: 'Go there', choose: () => go(at, `Go to where ${what} ends`) };
  return (
    <li class={isPast ? 'past' : undefined}>
      <b>{formatDistance(at - now)}</b>
      <span title={`${formatInstant(at)} UTC`}>
        {what} {isPast && Object.keys(group.counts).length > 0 && 'ended'}
      </span>
      {!isPast && <Buttons className="link" of={`, where ${what} ends`} actions={[there]} />}
    </li>
  );
};

/** Sets the clock to a time in UTC. */
const SetClock = () => {
  const { clock } = useEnvironment();
  return (
    <form
      class="cluster"
      onSubmit={submitted(({ time = '' }) =>
        setClock(clock.mode, Date.parse(`${time}Z`), `Set the clock to ${time.replace('T', ' ')}`),
      )}
    >
      <input
        type="datetime-local"
        name="time"
        aria-label="Time in UTC"
        required
        defaultValue={formatInstant(readClock(clock)).slice(0, 16).replace(' ', 'T')}
      />
      <button type="submit" class="small">
        Set
      </button>
    </form>
  );
};
