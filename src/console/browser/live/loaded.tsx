/** Reads a value from the server, and reads it again whenever it may have changed. Shows the value or the error. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CallError, isAway, mayPass, setAway } from './api.ts';
import { atMostEvery } from './store.ts';

export interface Loaded<Value> {
  /** The value from the last successful reading. */
  readonly value?: Value;
  readonly problem?: Error;
  /** Reads the value again, at most once a second. */
  read(): void;
}

const INTERVAL = 1_000;

/** The pause before trying again after a failure, in milliseconds. */
const PAUSE = 2_000;

/** Reads a value at once, and again when `key` changes or `subscribe` reports a change. Reads never overlap. */
export const useLoaded = <Value,>(
  key: string,
  load: () => Promise<Value>,
  subscribe?: (listener: () => void) => () => void,
) => {
  const [outcome, setOutcome] = useState<Omit<Loaded<Value>, 'read'>>({});
  const reader = useRef((): void => {});
  useEffect(() => {
    let isReading = false;
    let isStale = false;
    let isOver = false;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const fail = (problem: Error): void => {
      if (isOver) return;
      setOutcome((last) => ({ ...last, problem }));
      if (mayPass(problem)) retry = setTimeout(read, PAUSE);
      else setAway(reader, false);
    };
    const read = atMostEvery(INTERVAL, async () => {
      clearTimeout(retry);
      isStale = isReading;
      if (isReading) return;
      isReading = true;
      await load().then((value) => {
        if (isOver) return;
        setOutcome({ value });
        setAway(reader, isStale && isAway.get());
      }, fail);
      isReading = false;
      if (isStale && !isOver) read();
    });
    const ask = (): void => {
      if (isAway.get()) setAway(reader, true);
      read();
    };
    reader.current = ask;
    read();
    const leave = subscribe?.(ask);
    return () => {
      isOver = true;
      setAway(reader, false);
      read.stop();
      clearTimeout(retry);
      leave?.();
    };
  }, [key]);
  return { ...outcome, read: () => reader.current() };
};

interface LoadingProps<Value> {
  readonly from: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** Shows the value and any error from the server. The top of the page tells if the server does not respond. */
export const Loading = <Value,>({ from: { value, problem }, children }: LoadingProps<Value>) => (
  <>
    {problem instanceof CallError && problem.status !== 0 && (
      <div class="problem" role="alert">
        <p>
          {problem.message} {problem.hint}
        </p>
        {mayPass(problem) && <p>Trying again…</p>}
      </div>
    )}
    {value === undefined && !problem && <p class="loading">Loading…</p>}
    {value !== undefined && children(value)}
  </>
);
