/** Rows change without any call when something of theirs ends; the next such instant is known, so nobody has to ask. */
import { useEffect } from 'preact/hooks';
import { readClock } from '../live/clock.ts';
import { useEnvironment } from '../live/environment.tsx';
import type { Row } from './row.ts';

/** Milliseconds; a timer takes no more, and an end further away is waited for by nobody. */
const LONGEST = 2 ** 31 - 1;

/** Has the rows read again as soon as a token, a link or an invitation among them has ended. */
export const useReadAtNextEnd = (rows: readonly Row[] = []): void => {
  const { clock, changes } = useEnvironment();
  useEffect(() => {
    if (clock.mode === 'frozen') return;
    const now = readClock(clock);
    const next = Math.min(...rows.flatMap(endsOf).filter((end) => end > now));
    if (next - now > LONGEST) return;
    const timer = setTimeout(() => changes.set(changes.get() + 1), next - now + 1);
    return () => clearTimeout(timer);
  }, [rows, clock, changes]);
};

const endsOf = ({ token_expires_at, expires_at }: Row): number[] =>
  [token_expires_at, expires_at].flatMap((end) => (typeof end === 'string' ? [Date.parse(end)] : []));
