/** The environment's clock: shows it, freezes it, moves it forward, and sets it to any time. */
import { call, within } from './live/api.ts';
import { formatInstant, readClock, useNow } from './live/clock.ts';
import { useEnvironment } from './live/environment.tsx';
import { Buttons, ICONS, Popover } from './parts/buttons.tsx';
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

const STEPS = { '+1 min': '1m', '+15 min': '15m', '+1 h': '1h', '+1 day': '1d', '+15 days': '15d' };

const ClockSheet = () => {
  const { name, clock } = useEnvironment();
  const other = clock.mode === 'frozen' ? 'running' : 'frozen';
  const set = (mode: string, now: number, done: string): Promise<unknown> =>
    act(() => call('PUT', within(name, '/clock'), { mode, now: new Date(now).toISOString() }), done);
  const setTo = (text: string): Promise<unknown> => {
    const now = Date.parse(`${text}Z`);
    return set(clock.mode, now, `Clock set to ${formatInstant(now)}.`);
  };
  const advance = (by: string): Promise<unknown> =>
    act(() => call('POST', within(name, '/clock/advance'), { by }), `Clock advanced by ${by}.`);
  const modes = [
    {
      label: other === 'running' ? 'Unfreeze' : 'Freeze',
      choose: () => set(other, readClock(clock), `Clock ${other}.`),
    },
    { label: 'Use real time', choose: () => set('running', Date.now(), 'Clock set to real time.') },
  ];
  const steps = Object.entries(STEPS).map(([label, by]) => ({ label, choose: () => advance(by) }));
  return (
    <>
      <div class="cluster">
        <Buttons actions={steps} />
      </div>
      <form class="cluster" onSubmit={onText(advance)}>
        <label>
          Advance by <input name="text" size={8} placeholder="2h30m" required />
        </label>
        <button type="submit">Advance</button>
      </form>
      <form class="cluster" onSubmit={onText(setTo)}>
        <label>
          Set to (UTC){' '}
          <input
            name="text"
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

/** Returns a submit handler that calls `run` with the text of the form's only field. */
const onText =
  (run: (text: string) => unknown) =>
  (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    run(String(new FormData(event.currentTarget).get('text')));
  };
