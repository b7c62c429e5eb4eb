/** What every view shares: the environment that is looked at, kept up to date by its stream. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { type CallError, call, type Schemas, within } from './api.ts';
import { type LiveClock, startClock } from './clock.ts';
import { type Calls, createCalls } from './journal.ts';
import { createPulse } from './pulse.ts';
import { createStore, type Store } from './store.ts';
import { follow } from './stream.ts';

export interface LiveEnvironment {
  readonly name: string;
  readonly details: Schemas['Environment'];
  readonly clock: LiveClock;
  readonly calls: Calls;
  /** Counts up when rows, clock, settings or anything else beside the calls may have changed. */
  readonly changes: Store<number>;
  /** Counts up when calls have arrived. */
  readonly traffic: Store<number>;
  readonly isConnected: boolean;
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
}

const createSignals = (): Signals => ({
  calls: createCalls(),
  changes: createStore(0),
  traffic: createStore(0),
});

/** @param onRoster environments were made or dropped, perhaps this one */
export const EnvironmentProvider = ({
  name,
  onRoster,
  children,
}: {
  readonly name: string;
  readonly onRoster: () => void;
  readonly children: ComponentChildren;
}) => {
  const signals = useMemo(createSignals, [name]);
  const [isConnected, setConnected] = useState(true);
  const [details, setDetails] = useState<Schemas['Environment']>();
  useEffect(() => listen(name, signals, setConnected, onRoster), [name, signals]);
  useEffect(() => {
    const read = (): void => {
      call<Schemas['Environment']>('GET', within(name)).then(setDetails, (error: CallError) => {
        if (error.status === 404) onRoster();
      });
    };
    read();
    return signals.changes.subscribe(read);
  }, [name, signals]);
  const clock = useMemo(() => details && startClock(details.clock), [details]);
  if (!details || !clock) return null;
  return (
    <Current.Provider value={{ name, details, clock, isConnected, ...signals }}>{children}</Current.Provider>
  );
};

const listen = (
  name: string,
  signals: Signals,
  setConnected: (isConnected: boolean) => void,
  onRoster: () => void,
): (() => void) => {
  const { calls } = signals;
  const changes = createPulse(CHANGES_INTERVAL, () => signals.changes.set(signals.changes.get() + 1));
  const traffic = createPulse(TRAFFIC_INTERVAL, () => signals.traffic.set(signals.traffic.get() + 1));
  const roster = createPulse(ROSTER_INTERVAL, onRoster);
  const leave = follow(name, {
    onOpen: () => {
      calls.clear();
      setConnected(true);
      changes.signal();
    },
    onLost: () => setConnected(false),
    onEvent: ({ event, data }) => {
      if (event === 'environments') return roster.signal();
      if (event !== 'request') changes.signal();
      if (event === 'request') calls.add(JSON.parse(data));
      if (event === 'request' || data.includes('clear')) traffic.signal();
      if (data.includes('"clearRequests"')) calls.clear();
    },
  });
  return () => {
    leave();
    changes.stop();
    traffic.stop();
    roster.stop();
  };
};
