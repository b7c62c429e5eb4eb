/** What every view shares: the environment that is looked at, kept up to date by its stream. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { call, type Schemas, within } from './api.ts';
import { type LiveClock, startClock } from './clock.ts';
import { follow } from './connection.ts';
import { type Loaded, useLoaded } from './loaded.tsx';
import { type Changing, createPulse, createStore, type Store } from './store.ts';

export type Environment = Schemas['Environment'];
export type CallSummary = Schemas['RequestSummary'];

interface Signals {
  /** The calls that the journal keeps, newest first. */
  readonly calls: Store<readonly CallSummary[]>;
  /** Counts up when rows, clock, settings or anything else beside the calls may have changed. */
  readonly changes: Store<number>;
  /** Counts up when calls have arrived. */
  readonly traffic: Store<number>;
  /** Counts up with both. */
  readonly activity: Store<number>;
}

export interface LiveEnvironment extends Signals {
  readonly name: string;
  readonly details: Environment;
  readonly clock: LiveClock;
  readonly faults: Loaded<{ readonly faults: readonly Schemas['Fault'][] }>;
  readonly isConnected: boolean;
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

/** What the control plane answers for a path within this environment. */
export const useAnswer = <Reply,>(path: string, changes?: Changing): Loaded<Reply> => {
  const { name } = useEnvironment();
  return useLoaded(name + path, () => call<Reply>('GET', within(name, path)), changes);
};

const createSignals = (): Signals => ({
  calls: createStore<readonly CallSummary[]>([]),
  changes: createStore(0),
  traffic: createStore(0),
  activity: createStore(0),
});

/**
 * @param environment as the list of all has it
 * @param onRoster environments were made or deleted, perhaps this one
 */
export const EnvironmentProvider = ({
  environment,
  environments,
  onRoster,
  children,
}: {
  readonly environment: Environment;
  readonly environments: readonly Environment[];
  readonly onRoster: () => void;
  readonly children: ComponentChildren;
}) => {
  const { name } = environment;
  const signals = useMemo(createSignals, [name]);
  const [isConnected, setConnected] = useState(true);
  useEffect(() => listen(name, signals, setConnected, onRoster), [name, signals]);
  const readDetails = (): Promise<Environment> => call('GET', within(name));
  const { value: details = environment } = useLoaded(name, readDetails, signals.changes);
  const readFaults = (): Promise<{ faults: Schemas['Fault'][] }> => call('GET', within(name, '/faults'));
  const faults = useLoaded(name, readFaults, signals.activity);
  const clock = useMemo(() => startClock(details.clock), [details]);
  const value = { name, details, clock, isConnected, environments, faults, ...signals };
  return <Current.Provider value={value}>{children}</Current.Provider>;
};

/** Milliseconds between two readings or drawings, however much happens. */
const CALLS_INTERVAL = 100;
const CHANGES_INTERVAL = 250;
const TRAFFIC_INTERVAL = 1_000;
const ROSTER_INTERVAL = 1_000;

/** Calls that the journal keeps. */
const KEPT = 1_000;

const countUp = (...stores: Store<number>[]): void => {
  for (const store of stores) store.set(store.get() + 1);
};

const listen = (
  name: string,
  { calls, changes, traffic, activity }: Signals,
  setConnected: (isConnected: boolean) => void,
  onRoster: () => void,
): (() => void) => {
  let arrived: CallSummary[] = [];
  const drawn = createPulse(CALLS_INTERVAL, () => {
    calls.set([...arrived.reverse(), ...calls.get()].slice(0, KEPT));
    arrived = [];
  });
  const changed = createPulse(CHANGES_INTERVAL, () => countUp(changes, activity));
  const called = createPulse(TRAFFIC_INTERVAL, () => countUp(traffic, activity));
  const roster = createPulse(ROSTER_INTERVAL, onRoster);
  const leave = follow(name, {
    onOpen: () => {
      setConnected(true);
      roster.signal();
      changed.signal();
    },
    onLost: () => setConnected(false),
    onEvent: ({ event, data }) => {
      // The server's own document says what each event holds.
      if (event === 'journal') {
        arrived = [];
        calls.set((data as unknown as { requests: CallSummary[] }).requests.toReversed());
        called.signal();
      } else if (event === 'request') {
        arrived.push(data as unknown as CallSummary);
        drawn.signal();
        called.signal();
      } else if (event === 'environments' || event === 'gone') roster.signal();
      else changed.signal();
    },
  });
  return () => {
    leave();
    for (const pulse of [drawn, changed, called, roster]) pulse.stop();
  };
};
