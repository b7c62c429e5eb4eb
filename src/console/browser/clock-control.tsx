/** The environment's clock: shows it, freezes it, moves it forward, and sets it to any time. */
import { call, within } from './live/api.ts';
import { formatInstant, readClock, useNow } from './live/clock.ts';
import { useEnvironment } from './live/environment.tsx';
import { type Action, Buttons, calling, ICONS, Popover } from './parts/buttons.tsx';
import { act } from './parts/notices.ts';

export const ClockControl = () => {
  const isFrozen = useEnvironment().clock.mode === 'frozen';
  return (
    <Popover label="Clock" className={isFrozen ? 'clock frozen' : 'clock'} face={<ClockFace />}>
      {() => <ClockSheet />}
    </Popover>
  );
};

/** The time on the button. Only this component is redrawn every second, so that typing below it is not disturbed. */
const ClockFace = () => {
  const { clock } = useEnvironment();
  const [day, time] = formatInstant(useNow(clock)).split(' ');
  const isFrozen = clock.mode === 'frozen';
  return (
    <>
      <span class="unseen">Clock: </span>
      {isFrozen ? ICONS.frozen : ICONS.clock}{' '}
      <time class="digits">
        <span class="day">{day}</span> {time}
      </time>
      <small>{isFrozen ? 'frozen' : 'UTC'}</small>
    </>
  );
};

export const advancing = (environment: string, by: string): Action =>
  calling(by, () => call('POST', within(environment, '/clock/advance'), { by }), `Clock advanced by ${by}.`);

const STEPS = { '+1 min': '1m', '+15 min': '15m', '+1 h': '1h', '+1 day': '1d', '+15 days': '15d' };

const ClockSheet = () => {
  const { name, clock } = useEnvironment();
  const other = clock.mode === 'frozen' ? 'running' : 'frozen';
  const set = (mode: string, now: number, done: string): Promise<unknown> =>
    act(() => call('PUT', within(name, '/clock'), { mode, now: new Date(now).toISOString() }), done);
  const setTo = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): Promise<unknown> => {
    event.preventDefault();
    const now = Date.parse(`${new FormData(event.currentTarget).get('time')}Z`);
    return set(clock.mode, now, `Clock set to ${formatInstant(now)}.`);
  };
  const modes = [
    {
      label: other === 'running' ? 'Unfreeze' : 'Freeze',
      choose: () => set(other, readClock(clock), `Clock ${other}.`),
    },
    { label: 'Use real time', choose: () => set('running', Date.now(), 'Clock set to real time.') },
  ];
  const steps = Object.entries(STEPS).map(([label, by]) => ({ ...advancing(name, by), label }));
  return (
    <>
      <div class="cluster">
        <Buttons actions={steps} />
      </div>
      <form class="cluster" onSubmit={setTo}>
        <label>
          Set to (UTC){' '}
          <input
            name="time"
            type="datetime-local"
            step={1}
            min="1970-01-01T00:00"
            max="8999-12-31T23:59"
            defaultValue={formatInstant(readClock(clock)).replace(' ', 'T')}
            required
          />
        </label>
        <button type="submit">Set</button>
      </form>
      <div class="cluster">
        <Buttons actions={modes} />
      </div>
    </>
  );
};
