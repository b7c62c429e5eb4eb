/** The environment that the page shows. All views share it, and a stream of events keeps it up to date. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo } from 'preact/hooks';
import { within } from '../route.ts';
import { answer, api, type Entry, type MockSchemas, readFile, setAway } from './api.ts';
import { type LiveClock, startClock } from './clock.ts';
import { useLoaded } from './loaded.tsx';
import { atMostEvery, createStore, type Store } from './store.ts';

export type EnvironmentDetails = MockSchemas['Environment'];
export type UndoStep = { readonly id: string; readonly label: string; readonly later: number };
/** A call as the stream tells it. */
export type CallSummary = Omit<Entry, 'request' | 'response' | 'violations'> &
  Pick<Entry['request'], 'method' | 'url'> & {
    readonly violations: readonly string[];
    readonly telling: readonly string[];
  };

/** Events after which anything may have changed: a control call, a reset, or the opening of the stream. */
const OF_EVERYTHING = ['open', 'control', 'reset'];

interface Live {
  /** The latest calls, newest first. */
  readonly calls: Store<readonly CallSummary[]>;
  /** Functions to call with the name of each event. */
  readonly listeners: Set<(event: string) => void>;
}

interface LiveEnvironment extends Live {
  readonly name: string;
  readonly details: EnvironmentDetails;
  readonly clock: LiveClock;
  readonly faults: readonly MockSchemas['Fault'][];
  /** The steps that can be undone, oldest first. */
  readonly steps: readonly UndoStep[];
  readonly ends: MockSchemas['Ends'] | undefined;
  /** The environment's own clock, to which "Back to now" leads. */
  readonly home: LiveClock | undefined;
  readonly environments: readonly EnvironmentDetails[];
}

const Current = createContext<LiveEnvironment | undefined>(undefined);

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

/** Reads a value of this environment with `load`, and reads it again after control calls and after `events`. */
export const useLive = <Value,>(key: string, load: () => Promise<Value>, ...events: string[]) => {
  const live = useEnvironment();
  return useLoaded(`${live.name} ${key}`, load, subscribeTo(live, events));
};

export interface ProviderProps {
  /** The element of `environments` to show. */
  readonly environment: EnvironmentDetails;
  readonly environments: readonly EnvironmentDetails[];
  /** Called when environments may have been created or deleted. */
  readonly onRoster: () => void;
  readonly children: ComponentChildren;
}

export const EnvironmentProvider = (props: ProviderProps) => {
  const { environment, environments, onRoster, children } = props;
  const { name } = environment;
  const live = useMemo<Live>(
    () => ({ calls: createStore<readonly CallSummary[]>([]), listeners: new Set() }),
    [],
  );
  useEffect(() => listen(name, live, onRoster), []);
  const useOwn = <Value,>(load: () => Promise<Value>, ...events: string[]) =>
    useLoaded(name, load, subscribeTo(live, events)).value;
  const path = within();
  const details = useOwn(() => answer(api.GET('/environments/{env}', { params: { path } }))) ?? environment;
  const read = useOwn(() => answer(api.GET('/environments/{env}/faults', { params: { path } })), 'request');
  const steps = useOwn(
    () => answer(api.GET('/environments/{env}/undo-points', { params: { path } })),
    'change',
  );
  const ends = useOwn(() => answer(api.GET('/environments/{env}/ends', { params: { path } })), 'change');
  const clock = useMemo(() => startClock(details.clock), [details]);
  const home = useMemo(() => ends && startClock(ends.home), [ends]);
  return (
    <Current.Provider
      value={{
        name,
        details,
        clock,
        environments,
        faults: read?.faults ?? [],
        steps: steps?.points ?? [],
        ends,
        home,
        ...live,
      }}
    >
      {children}
    </Current.Provider>
  );
};

/** The shortest time between two updates of the journal on the page, in milliseconds. */
const DRAWN_EVERY = 100;

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
  // The casts are safe: the control plane's OpenAPI document states which `data` each event has.
  const hear = (event: string, data: object): void => {
    if (event === 'journal') {
      arrived = [];
      calls.set((data as unknown as { requests: CallSummary[] }).requests.toReversed());
    } else if (event === 'request') {
      arrived.push(data as unknown as CallSummary);
      draw();
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

/** @param event a name from the control plane's OpenAPI document, such as `request`; `open` when the stream begins */
type OnEvent = (event: string, data: object) => void;

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 5_000;

/**
 * Follows one environment until the returned function is called. A hidden page closes its stream, because a browser
 * opens only six connections to a host and the user may have more tabs.
 */
export const follow = (environment: string, onEvent: OnEvent): (() => void) => {
  const path = `live?${new URLSearchParams({ environments: environment })}`;
  let current: AbortController | undefined;
  let pause = FIRST_PAUSE;
  const read = async (signal: AbortSignal): Promise<void> => {
    try {
      const response = await readFile(path, signal);
      pause = FIRST_PAUSE;
      onEvent('open', {});
      setAway(onEvent, false);
      await readEvents(response, onEvent);
    } catch {
      // After any failure, the lines below open the stream again.
    }
    if (signal.aborted) return;
    setAway(onEvent, true);
    setTimeout(() => signal.aborted || read(signal), pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  };
  const adapt = (): void => {
    current?.abort();
    current = document.hidden ? undefined : new AbortController();
    if (current) read(current.signal);
  };
  adapt();
  document.addEventListener('visibilitychange', adapt);
  return () => {
    document.removeEventListener('visibilitychange', adapt);
    current?.abort();
    setAway(onEvent, false);
  };
};

const readEvents = async (response: Response, onEvent: OnEvent): Promise<void> => {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    setAway('call', false); // data arrived, so the mock is responding
    const blocks = (text + part.value).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      // A block without an event only keeps the stream alive.
      const [, event, data] = /^event: (.*)\ndata: (.*)$/m.exec(block) ?? [];
      if (event !== undefined && data !== undefined) onEvent(event, JSON.parse(data));
    }
  }
};
