/** The environment that the page shows. All views share it, and its stream keeps it up to date. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo } from 'preact/hooks';
import { call, type Row, type Schemas, within } from './api.ts';
import { type LiveClock, startClock } from './clock.ts';
import { type Loaded, useLoaded } from './loaded.tsx';
import { atMostEvery, createStore, type Store } from './store.ts';
import { follow } from './stream.ts';

export type Environment = Schemas['Environment'];
export type CallSummary = Schemas['RequestSummary'];

/** Events after which anything may have changed: a control call, or a stream that opens. */
const OF_EVERYTHING = ['open', 'control', 'reset'];

interface Live {
  /** The calls that the page keeps, newest first. */
  readonly calls: Store<readonly CallSummary[]>;
  /** Called with the name of each event; with `fault` too for a call that a fault answered. */
  readonly listeners: Set<(event: string) => void>;
}

interface LiveEnvironment extends Live {
  readonly name: string;
  readonly details: Environment;
  readonly clock: LiveClock;
  readonly faults: Loaded<{ readonly faults: readonly Schemas['Fault'][] }>;
  /** All environments of the server. */
  readonly environments: readonly Environment[];
}

const Current = createContext<LiveEnvironment | undefined>(undefined);

/** The environment of the views within an `EnvironmentProvider`. */
export const useEnvironment = (): LiveEnvironment => {
  const environment = useContext(Current);
  if (!environment) throw new Error('There is no EnvironmentProvider around this component.');
  return environment;
};

const subscribeTo =
  ({ listeners }: Live, events: readonly string[]) =>
  (listener: () => void): (() => void) => {
    const hear = (event: string): void => {
      if (OF_EVERYTHING.includes(event) || events.includes(event)) listener();
    };
    listeners.add(hear);
    return () => listeners.delete(hear);
  };

/**
 * Reads a value from this environment, and reads it again after control calls and after these events.
 * @param key a name for the value
 */
export const useLive = <Value,>(
  key: string,
  load: () => Promise<Value>,
  ...events: readonly string[]
): Loaded<Value> => {
  const live = useEnvironment();
  return useLoaded(`${live.name} ${key}`, load, subscribeTo(live, events));
};

/** The control plane's reply to a GET of a path within this environment. */
export const useAnswer = <Reply,>(path: string, ...events: readonly string[]): Loaded<Reply> => {
  const { name } = useEnvironment();
  return useLive(path, () => call<Reply>('GET', within(name, path)), ...events);
};

interface EnvironmentProviderProps {
  /** An item of the list of all environments. */
  readonly environment: Environment;
  readonly environments: readonly Environment[];
  /** Called when environments were made or deleted; this environment may be one of them. */
  readonly onRoster: () => void;
  readonly children: ComponentChildren;
}

export const EnvironmentProvider = (props: EnvironmentProviderProps) => {
  const { environment, environments, onRoster, children } = props;
  const { name } = environment;
  const live = useMemo<Live>(() => ({ calls: createStore([]), listeners: new Set() }), []);
  useEffect(() => listen(name, live, onRoster), []);
  const useOwn = <Reply,>(path: string, ...events: string[]) =>
    useLoaded(name, () => call<Reply>('GET', within(name, path)), subscribeTo(live, events));
  const { value: details = environment } = useOwn<Environment>('');
  const faults = useOwn<{ readonly faults: Schemas['Fault'][] }>('/faults', 'fault');
  const clock = useMemo(() => startClock(details.clock), [details]);
  return (
    <Current.Provider value={{ name, details, clock, environments, faults, ...live }}>
      {children}
    </Current.Provider>
  );
};

/** How many milliseconds pass at least before the journal is drawn again. */
const DRAWN_EVERY = 100;

/** How many calls the page keeps. */
const KEPT = 1_000;

const listen = (name: string, { calls, listeners }: Live, onRoster: () => void): (() => void) => {
  let arrived: CallSummary[] = [];
  const draw = atMostEvery(DRAWN_EVERY, () => {
    calls.set([...arrived.reverse(), ...calls.get()].slice(0, KEPT));
    arrived = [];
  });
  const tell = (event: string): void => {
    for (const listener of listeners) listener(event);
  };
  // The control plane's document describes the data of each event.
  const hear = (event: string, data: Row): void => {
    if (event === 'journal') {
      arrived = [];
      calls.set((data as unknown as { requests: CallSummary[] }).requests.toReversed());
    } else if (event === 'request') {
      arrived.push(data as unknown as CallSummary);
      draw();
      if ('fault' in data) tell('fault');
    }
    if (['environments', 'gone', 'open'].includes(event)) onRoster();
    tell(event);
  };
  const leave = follow(name, hear);
  return () => {
    leave();
    draw.stop();
  };
};
