/** The environment that the page shows. All views share it, and its stream keeps it up to date. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo } from 'preact/hooks';
import { call, type Schemas, within } from './api.ts';
import { type LiveClock, startClock } from './clock.ts';
import { type Loaded, useLoaded } from './loaded.tsx';
import { atMostEvery, createStore, type Store } from './store.ts';
import { follow, type LiveEvent } from './stream.ts';

export type Environment = Schemas['Environment'];
export type CallSummary = Schemas['RequestSummary'];

/** Whether an event may change what a view has read. */
export type Concern = (event: LiveEvent) => boolean;

/** A control call, or a stream that opens: anything may have changed. */
export const onControl: Concern = ({ event }) => ['open', 'control', 'reset'].includes(event);

/** An event that may change rows. */
export const onChange: Concern = (happened) => onControl(happened) || happened.event === 'change';

/** An event for new calls. */
export const onCall: Concern = (happened) => onControl(happened) || happened.event === 'request';

/** An event for a call that a fault answered. */
const onFault: Concern = (happened) =>
  onControl(happened) || (happened.event === 'request' && 'fault' in happened.data);

interface Live {
  /** The calls that the page keeps, newest first. */
  readonly calls: Store<readonly CallSummary[]>;
  readonly listeners: Set<(event: LiveEvent) => void>;
}

export interface LiveEnvironment extends Live {
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
  ({ listeners }: Live, concern: Concern) =>
  (listener: () => void): (() => void) => {
    const hear = (event: LiveEvent): void => {
      if (concern(event)) listener();
    };
    listeners.add(hear);
    return () => listeners.delete(hear);
  };

/**
 * Reads a value from this environment, and reads it again after events that concern it.
 * @param key a name for the value
 */
export const useLive = <Value,>(
  key: string,
  load: () => Promise<Value>,
  concern: Concern = onControl,
): Loaded<Value> => {
  const live = useEnvironment();
  return useLoaded(`${live.name} ${key}`, load, subscribeTo(live, concern));
};

/** The control plane's reply to a GET of a path within this environment. */
export const useAnswer = <Reply,>(path: string, concern?: Concern): Loaded<Reply> => {
  const { name } = useEnvironment();
  return useLive(path, () => call<Reply>('GET', within(name, path)), concern);
};

interface EnvironmentProviderProps {
  readonly environment: Environment;
  readonly environments: readonly Environment[];
  readonly onRoster: () => void;
  readonly children: ComponentChildren;
}

/**
 * @param environment an item of the list of all environments
 * @param onRoster called when environments were made or deleted; this environment may be one of them
 */
export const EnvironmentProvider = ({
  environment,
  environments,
  onRoster,
  children,
}: EnvironmentProviderProps) => {
  const { name } = environment;
  const live = useMemo<Live>(
    () => ({ calls: createStore<readonly CallSummary[]>([]), listeners: new Set() }),
    [],
  );
  useEffect(() => listen(name, live, onRoster), []);
  const read =
    <Reply,>(path: string) =>
    () =>
      call<Reply>('GET', within(name, path));
  const { value: details = environment } = useLoaded(
    name,
    read<Environment>(''),
    subscribeTo(live, onControl),
  );
  const faults = useLoaded(name, read<{ faults: Schemas['Fault'][] }>('/faults'), subscribeTo(live, onFault));
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
  const leave = follow(name, (happened) => {
    const { event, data } = happened;
    // The control plane's document describes the data of each event.
    if (event === 'journal') {
      arrived = [];
      calls.set((data as unknown as { requests: CallSummary[] }).requests.toReversed());
    } else if (event === 'request') {
      arrived.push(data as unknown as CallSummary);
      draw();
    }
    if (['environments', 'gone', 'open'].includes(event)) onRoster();
    for (const listener of listeners) listener(happened);
  });
  return () => {
    leave();
    draw.stop();
  };
};
