/** How long a call waits for something to happen. */
import { parseDuration } from '../../core/duration.ts';
import { ControlError } from '../errors.ts';

const LONGEST = 5 * 60_000;

/** Milliseconds; 0 where nothing is said. @throws ControlError 400 beyond five minutes */
export const readWait = (wait: string | undefined): number => {
  const ms = wait === undefined ? 0 : (parseDuration(wait) ?? 0);
  if (ms <= LONGEST) return ms;
  throw new ControlError(
    'INVALID_ARGUMENT',
    `wait is ${wait}, but may be 5m at most.`,
    'Wait less, and ask again.',
  );
};
