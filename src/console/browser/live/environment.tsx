/** What every view shares: the environment that is looked at, kept up to date by its stream. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { call, type Schemas, within } from './api.ts';
import { type LiveClock, startClock } from './clock.ts';
import { follow } from './connection.ts';
import { type Call, type Calls, createCalls } from './journal.ts';
import { type Loaded, useLoaded } from './loaded.ts';
import { createPulse } from './pulse.ts';
import { createStore, either, type Store } from './store.ts';

export type Environment = Schemas['Environment'];

export interface LiveEnvironment {
  readonly name: string;
  readonly details: Environment;
  readonly clock: LiveClock;
  readonly calls: Calls;
  /** Counts up when rows, clock, settings or anything else beside the calls may have changed. */
  readonly changes: Store<number>;
  /** Counts up when calls have arrived. */
  readonly traffic: Store<number>;
  readonly faults: Loaded<readonly Schemas['Fault'][]>;
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

/** Milliseconds between two readings while things change all the time. */
const CHANGES_INTERVAL = 250;
const TRAFFIC_INTERVAL = 1_000;
const ROSTER_INTERVAL = 1_000;

interface Signals {
  readonly calls: Calls;
  readonly changes: Store<number>;
  readonly traffic: Store<number>;
  /** Anything at all. */
  readonly activity: Pick<Store<number>, 'subscribe'>;
}

const createSignals = (): Signals => {
  const [changes, traffic] = [createStore(0), createStore(0)];
  return { calls: createCalls(), changes, traffic, activity: either(changes, traffic) };
};

/** @param onRoster environments were made or dropped, perhaps this one */
export const EnvironmentProvider = ({
  name,
  environments,
  onRoster,
  children,
}: {
  readonly name: string;
  readonly environments: readonly Environment[];
  readonly onRoster: () => void;
  readonly children: ComponentChildren;
}) => {
  const { activity, ...signals } = useMemo(createSignals, [name]);
  const [isConnected, setConnected] = useState(true);
  useEffect(() => listen(name, signals, setConnected, onRoster), [name, signals.calls]);
  const { value: details } = useLoaded(name, () => call<Environment>('GET', within(name)), signals.changes);
  const faults = useLoaded(name, () => readFaults(name), activity);
  const clock = useMemo(() => details && startClock(details.clock), [details]);
  if (!details || !clock) return null;
  const value = { name, details, clock, isConnected, environments, faults, ...signals };
  return <Current.Provider value={value}>{children}</Current.Provider>;
};

const readFaults = async (name: string): Promise<readonly Schemas['Fault'][]> =>
  (await call<{ faults: Schemas['Fault'][] }>('GET', within(name, '/faults'))).faults;

const count = (store: Store<number>): void => store.set(store.get() + 1);

const listen = (
  name: string,
  { calls, changes, traffic }: Omit<Signals, 'activity'>,
  setConnected: (isConnected: boolean) => void,
  onRoster: () => void,
): (() => void) => {
  const changed = createPulse(CHANGES_INTERVAL, () => count(changes));
  const called = createPulse(TRAFFIC_INTERVAL, () => count(traffic));
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
      if (event === 'journal') calls.replace((data as unknown as { requests: Call[] }).requests);
      if (event === 'request') calls.add(data as unknown as Call);
      if (event === 'request' || event === 'journal') called.signal();
      else if (event === 'environments' || event === 'gone') roster.signal();
      else changed.signal();
    },
  });
  return () => {
    leave();
    changed.stop();
    called.stop();
    roster.stop();
  };
};
