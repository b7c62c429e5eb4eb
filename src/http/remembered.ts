/**
 * Answers that need not be made again. A read is decided by the request line and the environment's condition, which is
 * one immutable value, as long as the clock passes no end that was looked at. So its text is kept beside the condition,
 * together with the span over which it holds; any write, reset or setting makes another condition, and the old texts go.
 */
import type { ValidityPeriod } from '../core/moment.ts';
import { readNow } from '../environments/environment.ts';
import type { EnvironmentState } from '../environments/environment-state.ts';
import type { Call } from './call.ts';

interface Remembered {
  readonly text: string;
  readonly sentNames: readonly string[];
  readonly span: Readonly<ValidityPeriod>;
}

const answers = new WeakMap<EnvironmentState, Map<string, Remembered>>();

/** So many texts are kept for one condition, of so many characters each. */
const MOST = 500;
const LONGEST = 64 * 1024;

/** The text for a GET or HEAD, if the same was asked under the same condition and still holds. */
export const recall = (call: Call): Remembered | undefined => {
  const known = answers.get(call.environment.current)?.get(keyOf(call));
  if (!known) return undefined;
  const now = readNow(call.environment);
  return now >= known.span.from && now < known.span.until ? known : undefined;
};

/** Keeps the text of a success that changed nothing. */
export const remember = (call: Call, text: string, span: Readonly<ValidityPeriod>): void => {
  if (text.length > LONGEST) return;
  const { current } = call.environment;
  const held = answers.get(current) ?? new Map<string, Remembered>();
  if (held.size >= MOST) held.clear();
  held.set(keyOf(call), { text, sentNames: call.sentNames, span });
  answers.set(current, held);
};

/** Strict mode asks more of the same request line. */
const keyOf = ({ request }: Call): string =>
  request.headers['x-mock-strict'] === '1' ? `strict ${request.url}` : request.url;
