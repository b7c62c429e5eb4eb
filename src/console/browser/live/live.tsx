/** What the page reads from the mock, and reads again whenever it may have changed; above all the environment that it shows. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { answer, CallError, here, type Kind, type MockSchemas, mayPass } from './api.ts';
import { readClock, startClock } from './clock.ts';
import { announce, listeners, pause } from './stream.ts';

interface Outcome<Value> {
  /** The value from the last successful reading. */
  readonly value?: Value;
  readonly problem?: Error | undefined;
}

/** The shortest pauses between two readings, and while the user types, in milliseconds. */
const [INTERVAL, TYPING] = [1_000, 120];

/** Reads a value at once, and again when `key` changes, after each of the events, or if the failure may pass. */
export const useLoaded = <Value,>(key: string, load: () => Promise<Value>, ...events: readonly string[]) => {
  const [outcome, setOutcome] = useState<Outcome<Value>>({});
  useEffect(() => {
    let [isOver, isBusy, isWanted] = [false, false, false];
    const read = async (): Promise<void> => {
      isWanted = true;
      if (isBusy) return;
      isBusy = true;
      while (isWanted && !isOver) {
        isWanted = false;
        const next = await load().then(
          (value) => ({ value, problem: undefined }),
          (problem: Error) => ({ problem }),
        );
        if (!isOver) setOutcome((last) => ({ ...last, ...next }));
        await pause(INTERVAL);
        isWanted ||= mayPass(next.problem);
      }
      isBusy = false;
    };
    if ('problem' in outcome) setTimeout(read, TYPING);
    else read();
    listeners.set(read, events);
    return () => {
      isOver = true;
      listeners.delete(read);
    };
  }, [key]);
  return outcome;
};

/** Reads a value again also after all that may change anything: a control call, a reset, the opening of the stream. */
export const useLive = <Value,>(key: string, load: () => Promise<Value>, ...events: readonly string[]) =>
  useLoaded(key, load, 'open', 'control', 'reset', ...events);

type LoadingProps<Value> = { readonly from: Outcome<Value>; children(value: Value): ComponentChildren };

/** Shows the value and any error from the server. The top of the page tells if the server does not respond. */
export const Loading = <Value,>({ from: { value, problem }, children }: LoadingProps<Value>) => (
  <>
    {problem instanceof CallError && problem.status !== 0 && (
      <p class="problem" role="alert">
        {problem.message} {problem.hint} {mayPass(problem) && 'Trying again…'}
      </p>
    )}
    {value === undefined && !problem && <p class="loading">Loading…</p>}
    {value !== undefined && children(value)}
  </>
);

type Environment = MockSchemas['Environment'];
type Shown = Readonly<{ environment: Environment; environments: readonly Environment[] }>;

/** The longest timer that browsers allow, in milliseconds. No page stays open that long. */
const LONGEST = 2 ** 31 - 1;

const useValues = ({ environment, environments }: Shown) => {
  const details = useLive('', () => answer(here.GET(''))).value ?? environment;
  const faults = useLive('', () => answer(here.GET('/faults')), 'request').value?.faults ?? [];
  /** The steps that can be undone, oldest first. */
  const steps = useLive('', () => answer(here.GET('/undo-points')), 'change').value?.points ?? [];
  /** The kinds of rows, with their numbers. Empty until they are read. */
  const kinds = useLive('', () => answer(here.GET('/kinds')), 'change').value?.kinds ?? [];
  const ends = useLive('', () => answer(here.GET('/ends')), 'change').value;
  const clock = useMemo(() => startClock(details.clock), [details]);
  /** The environment's own clock, to which "Back to now" leads. */
  const home = useMemo(() => ends && startClock(ends.home), [ends]);
  const next = ends?.coming[0]?.at;
  // The next row ends without any call.
  useEffect(() => {
    if (clock.mode === 'frozen' || next === undefined) return;
    const rest = Math.max(0, Date.parse(next) - readClock(clock)) + 1;
    const timer = setTimeout(announce, Math.min(rest, LONGEST), 'change');
    return () => clearTimeout(timer);
  }, [next, clock]);
  return { name: environment.name, environments, details, clock, faults, steps, kinds, ends, home };
};

const Current = createContext({} as ReturnType<typeof useValues>); // all views stand inside a provider

export const EnvironmentProvider = (props: Shown & { readonly children: ComponentChildren }) => (
  <Current.Provider value={useValues(props)}>{props.children}</Current.Provider>
);

export const useEnvironment = () => useContext(Current);

export const useKind = (name: string): Kind | undefined =>
  useEnvironment().kinds.find(({ kind }) => kind === name);

export const readRows = (kind: string, query = '') =>
  answer(here.GET('/rows/{kind}', { params: { path: { kind }, query: { query } } }));
