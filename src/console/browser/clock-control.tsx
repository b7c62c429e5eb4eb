/** The environment's clock: shows it, freezes it, moves it forward, and sets it to any time. */
import { formatInstant, readClock, useNow } from './live/clock.ts';
import { useEnvironment } from './live/environment.tsx';
import { ICONS, Menu } from './parts/buttons.tsx';
import { advancing, setClock } from './views/moves.ts';

const STEPS = { '+1 min': '1m', '+15 min': '15m', '+1 h': '1h', '+1 day': '1d', '+15 days': '15d' };

export const ClockControl = () => {
  const { clock } = useEnvironment();
  const [day = '', time = ''] = formatInstant(useNow(clock)).split(' ');
  const isFrozen = clock.mode === 'frozen';
  const kind = isFrozen ? 'frozen' : 'UTC';
  const other = isFrozen ? 'running' : 'frozen';
  const items = [
    ...Object.entries(STEPS).map(([label, by]) => ({ ...advancing(by), label })),
    {
      label: isFrozen ? 'Unfreeze' : 'Freeze',
      choose: () => setClock(other, readClock(clock), `Clock ${other}.`),
    },
    {
      label: 'Use real time',
      choose: () => setClock('running', Date.now(), 'Clock set to real time.'),
    },
  ];
  const face = (
    <>
      {isFrozen ? ICONS.frozen : ICONS.clock}{' '}
      <time class="digits">
        <span class="day">{day}</span> {time}
      </time>
      <small>{kind}</small>
    </>
  );
  const className = isFrozen ? 'clock frozen' : 'clock';
  return <Menu label={`Clock: ${day} ${time} ${kind}`} {...{ className, face, items }} />;
};
