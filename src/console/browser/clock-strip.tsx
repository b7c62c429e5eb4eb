/** The clock: what it shows and what ends next, and the strip of events on which the user moves it. */
import type { MockSchemas } from './live/api.ts';
import { formatDay, formatDistance, formatInstant, readClock, useNow } from './live/clock.ts';
import { useEnvironment } from './live/live.tsx';
import { createStore, useStore } from './live/store.ts';
import { type Action, setClock } from './parts/acts.ts';
import { Button, Buttons, ICONS } from './parts/buttons.tsx';
import { submitted } from './parts/layout.tsx';

const isOpen = createStore(false);

/** This long after its own time, in milliseconds, a clock counts as being elsewhere. */
const ELSEWHERE = 5_000;

const STEPS = { '+1 h': 3_600_000, '+1 day': 86_400_000, '+15 days': 15 * 86_400_000 };

/** The moves of the clock, for the strip and for Ctrl+K. */
export const useClockMoves = (): readonly Action[] => {
  const { clock, home = clock } = useEnvironment();
  const isFrozen = clock.mode === 'frozen';
  const isHome = home.mode === clock.mode && Math.abs(readClock(clock) - readClock(home)) <= ELSEWHERE;
  const move = (label: string, by: number, mode = clock.mode, step = label): Action => ({
    label,
    choose: () => setClock(mode, readClock(clock) + by, step),
  });
  return [
    ...Object.entries(STEPS).map(([label, by]) => move(label, by, clock.mode, `Clock ${label}`)),
    isFrozen
      ? move('Unfreeze', 0, 'running', 'Unfreeze the clock')
      : move('Freeze', 0, 'frozen', 'Freeze the clock'),
    // At the end, so that the other buttons stay where they are, and keep the focus, when it comes and goes.
    ...(isHome ? [] : [move('Back to now', readClock(home) - readClock(clock), home.mode)]),
  ];
};

export const ClockButton = () => {
  const { clock, ends } = useEnvironment();
  const now = useNow(clock);
  const [day, time] = [formatDay(now), formatInstant(now).slice(11, 16)];
  const isOn = useStore(isOpen);
  const next = ends?.coming[0];
  const isFrozen = clock.mode === 'frozen';
  const told = next && `next: ${next.text} ${formatDistance(Date.parse(next.at) - now)}`;
  const face = [
    isFrozen ? ICONS.frozen : ICONS.clock,
    <time class="digits">
      <span class="day">{day}</span> {time}
    </time>,
    isFrozen ? 'frozen' : <small>{told}</small>,
  ];
  const label = ['Clock:', day, time, isFrozen ? 'frozen' : told].join(' ');
  const choose = () => isOpen.set(!isOn);
  return (
    <Button className={isFrozen ? 'clock info' : 'clock'} hint={told} {...{ label, face, isOn, choose }} />
  );
};

export const ClockStrip = () => (useStore(isOpen) ? <Strip /> : null);

const Strip = () => {
  const { clock, ends } = useEnvironment();
  const { ended = [], coming = [] } = ends ?? {};
  const present = (group: MockSchemas['EndGroup']) => <Point key={group.at} {...group} />;
  return (
    <section class="strip" aria-label="Clock">
      <ol>
        {ended.map(present)}
        <li class="here" aria-current="time">
          <b>now</b>
          <span>
            {formatInstant(useNow(clock)).slice(0, 16)} {clock.mode === 'frozen' && 'frozen'}
          </span>
        </li>
        {coming.map(present)}
        <li class="any">
          <b>{coming.length === 0 ? 'Nothing ends later' : 'any time'}</b>
          <span class="cluster">
            <Buttons className="small" actions={useClockMoves()} />
            <SetClock />
          </span>
        </li>
      </ol>
    </section>
  );
};

const Point = ({ at, text }: MockSchemas['EndGroup']) => {
  const { clock } = useEnvironment();
  const time = Date.parse(at);
  const away = time - useNow(clock);
  const go = () => setClock(clock.mode, time, `Go to where ${text} ends`);
  return (
    <li class={away > 0 ? undefined : 'past'}>
      <b>{formatDistance(away)}</b>
      <span title={`${formatInstant(time)} UTC`}>{text}</span>
      {away > 0 && <Button className="link" of={`, where ${text} ends`} label="Go there" choose={go} />}
    </li>
  );
};

const SetClock = () => {
  const { clock } = useEnvironment();
  const shown = new Date(readClock(clock)).toISOString().slice(0, 16);
  const set = ({ time = '' }) =>
    setClock(clock.mode, Date.parse(`${time}Z`), `Set the clock to ${time.replace('T', ' ')}`);
  return (
    <form class="cluster" onSubmit={submitted(set)}>
      <input type="datetime-local" name="time" aria-label="Time in UTC" required defaultValue={shown} />
      <button type="submit" class="small" children="Set" />
    </form>
  );
};
