/** Something that is read by a call, read again when it may have changed, and shown with what went wrong. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CallError } from './api.ts';
import type { Changing } from './store.ts';

export interface Loaded<Value> {
  /** The last that was read; stays while it is read again, and when that fails. */
  readonly value: Value | undefined;
  /** Why the last reading failed. */
  readonly problem: Error | undefined;
  read(): void;
}

/** Milliseconds until what failed is tried again. */
const PAUSE = 2_000;

/** Whether trying again may help: no server answered, or it has a problem of its own. */
const mayPass = (error: Error): boolean =>
  error instanceof CallError && (error.status === 0 || error.status >= 500);

/**
 * Reads at once, whenever `key` changes, and at each change. One reading at a time: what changes meanwhile leads to
 * one more.
 */
export const useLoaded = <Value,>(
  key: string,
  load: () => Promise<Value>,
  changes?: Changing,
): Loaded<Value> => {
  const [outcome, setOutcome] = useState<Pick<Loaded<Value>, 'value' | 'problem'>>({
    value: undefined,
    problem: undefined,
  });
  const latest = useRef({ load, read: () => {} });
  latest.current.load = load;
  useEffect(() => {
    let isReading = false;
    let isStale = false;
    let isOver = false;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const read = async (): Promise<void> => {
      clearTimeout(retry);
      isStale = isReading;
      if (isReading) return;
      isReading = true;
      const settle = await latest.current.load().then(
        (value) => () => setOutcome({ value, problem: undefined }),
        (problem: Error) => () => {
          setOutcome(({ value }) => ({ value, problem }));
          if (mayPass(problem)) retry = setTimeout(read, PAUSE);
        },
      );
      isReading = false;
      if (isOver) return;
      settle();
      if (isStale) read();
    };
    latest.current.read = read;
    read();
    const leave = changes?.subscribe(read);
    return () => {
      isOver = true;
      clearTimeout(retry);
      leave?.();
    };
  }, [key, changes]);
  return { ...outcome, read: () => latest.current.read() };
};

/** Shows what was read. Where it cannot be had, says so and offers to try again; what was read before stays below. */
export const Loading = <Value,>({
  from: { value, problem, read },
  children,
}: {
  readonly from: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}) => (
  <>
    {problem !== undefined && (
      <div class="problem" role="alert">
        <p>
          {problem.message} {problem instanceof CallError && problem.hint}
        </p>
        <button type="button" class="small" onClick={read}>
          Try again
        </button>
      </div>
    )}
    {value !== undefined && children(value)}
  </>
);
