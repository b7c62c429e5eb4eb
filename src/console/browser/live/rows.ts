/** Rows of one kind, as the page reads them from the control plane. */
import { useEffect } from 'preact/hooks';
import type { ResourcePage } from './api.ts';
import { readClock } from './clock.ts';
import { useAnswer, useEnvironment } from './environment.tsx';

/** The longest timer that browsers allow, in milliseconds. No page stays open that long. */
const LONGEST = 2 ** 31 - 1;

/**
 * Reads rows, and reads them again when they change or the next of them expires: a row can expire without any call.
 * @param path the kind, and the query of the list
 */
export const useRows = (path: string) => {
  const { clock } = useEnvironment();
  const page = useAnswer<ResourcePage>(`/resources/${path}`, 'change');
  useEffect(() => {
    if (clock.mode === 'frozen') return;
    const now = readClock(clock);
    const ends = (page.value?.rows ?? [])
      .flatMap(({ token_expires_at, expires_at }) => [token_expires_at, expires_at])
      .map((end) => Date.parse(String(end)) - now);
    const next = Math.min(...ends.filter((rest) => rest > 0));
    if (next > LONGEST) return;
    const timer = setTimeout(page.read, next + 1);
    return () => clearTimeout(timer);
  }, [page.value, clock]);
  return page;
};
