/** The environment's clock: what it shows, freezing it, and moving it on. */
import { useId } from 'preact/hooks';
import { call, within } from './live/api.ts';
import { formatInstant, readClock, useNow } from './live/clock.ts';
import { useEnvironment } from './live/environment.tsx';
import { ICONS } from './parts/icons.tsx';
import { act } from './parts/notices.tsx';

const STEPS = [
  ['+1 min', '1m'],
  ['+15 min', '15m'],
  ['+1 h', '1h'],
  ['+1 day', '1d'],
  ['+15 days', '15d'],
] as const;

export const ClockControl = () => {
  const { clock } = useEnvironment();
  const now = useNow(clock);
  const id = useId();
  const isFrozen = clock.mode === 'frozen';
  return (
    <>
      <button type="button" class={isFrozen ? 'clock frozen' : 'clock'} popovertarget={id}>
        <span class="unseen">Clock: </span>
        {isFrozen ? ICONS.frozen : ICONS.clock} <ClockFace now={now} />
        <small>{isFrozen ? 'frozen' : 'UTC'}</small>
      </button>
      <fieldset id={id} class="sheet" popover="auto">
        <legend class="unseen">Clock</legend>
        <ClockSheet isFrozen={isFrozen} />
      </fieldset>
    </>
  );
};

/** A small screen has room for the time only. */
const ClockFace = ({ now }: { readonly now: number }) => {
  const [day, time] = formatInstant(now).split(' ');
  return (
    <time class="digits">
      <span class="day">{day}</span> {time}
    </time>
  );
};

const ClockSheet = ({ isFrozen }: { readonly isFrozen: boolean }) => {
  const { name, clock } = useEnvironment();
  const set = (body: object, told: string): void => {
    act(call('PUT', within(name, '/clock'), body), told);
  };
  const advance = (by: string): Promise<unknown> =>
    act(call('POST', within(name, '/clock/advance'), { by }), `The clock moved on by ${by}.`);
  return (
    <>
      <div class="cluster">
        {STEPS.map(([label, by]) => (
          <button type="button" key={by} onClick={() => advance(by)}>
            {label}
          </button>
        ))}
      </div>
      <form
        class="cluster"
        onSubmit={(event) => {
          event.preventDefault();
          advance(String(new FormData(event.currentTarget).get('by') ?? ''));
        }}
      >
        <label>
          Advance by <input name="by" size={8} placeholder="2h30m" required />
        </label>
        <button type="submit">Advance</button>
      </form>
      <div class="cluster">
        {isFrozen ? (
          <button type="button" onClick={() => set({ mode: 'running' }, 'The clock runs.')}>
            Let it run
          </button>
        ) : (
          <button
            type="button"
            onClick={() =>
              set(
                { mode: 'frozen', now: new Date(readClock(clock)).toISOString() },
                'The clock stands still.',
              )
            }
          >
            Freeze
          </button>
        )}
        <button
          type="button"
          onClick={() =>
            set({ mode: 'running', now: new Date().toISOString() }, 'The clock shows the real time.')
          }
        >
          Real time
        </button>
      </div>
    </>
  );
};
