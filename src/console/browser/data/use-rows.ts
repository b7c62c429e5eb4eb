/** Rows that the page keeps true. */
import { useEffect } from 'preact/hooks';
import { answer, here } from '../live/api.ts';
import { readClock } from '../live/clock.ts';
import { useEnvironment, useLive } from '../live/live.tsx';

/** A page of the rows of a kind. */
export const readRows = (kind: string, query: { readonly query?: string; readonly page?: number } = {}) =>
  answer(here.GET('/rows/{kind}', { params: { path: { kind }, query } }));

/** The longest timer that browsers allow, in milliseconds. No page stays open that long. */
const LONGEST = 2 ** 31 - 1;

/** Reads a value again when rows change, or when the next of them ends: a row can end without any call. */
export const useRows = <Value>(key: string, load: () => Promise<Value>) => {
  const { clock, ends } = useEnvironment();
  const found = useLive(key, load, 'change');
  const next = ends?.coming[0]?.at;
  useEffect(() => {
    if (clock.mode === 'frozen' || next === undefined) return;
    const rest = Date.parse(next) - readClock(clock);
    if (rest > LONGEST) return;
    const timer = setTimeout(found.read, Math.max(0, rest) + 1);
    return () => clearTimeout(timer);
  }, [next, clock]);
  return found;
};
