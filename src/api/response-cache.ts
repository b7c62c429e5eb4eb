/**
 * Answers that need not be made again. A read is decided by the request line and the environment's state, which is one
 * immutable value, as long as the clock passes no end that was looked at. So its text is kept beside the state, together
 * with the period over which it holds; any write, reset or setting makes another state, and the old texts go.
 */
import type { RequestHandler } from 'express';
import type { ValidityPeriod } from '../core/moment.ts';
import { readNow } from '../environments/environment.ts';
import type { EnvironmentState } from '../environments/environment-state.ts';
import { addWarnings, warningsOf } from '../http/progress.ts';
import { type Call, callOf } from './call.ts';
import { asksForStrict } from './input.ts';

interface CachedAnswer {
  readonly text: string;
  readonly sentNames: readonly string[];
  readonly warnings: readonly string[];
  readonly validity: Readonly<ValidityPeriod>;
}

const answers = new WeakMap<EnvironmentState, Map<string, CachedAnswer>>();

/** So many texts are kept for one state, of so many characters each. */
const MOST_ANSWERS = 500;
const LONGEST = 64 * 1024;

/** Answers a GET or HEAD if the same was asked in the same state and still holds. */
export const answerFromCache: RequestHandler = (_request, response, next) => {
  const call = callOf(response);
  const known = answers.get(call.environment.current)?.get(keyOf(call));
  const now = readNow(call.environment);
  if (!known || now < known.validity.from || now >= known.validity.until) return next();
  call.sentNames = known.sentNames;
  addWarnings(response, known.warnings);
  response.type('json').send(known.text);
};

/** Keeps the text of a success that changed nothing. */
export const cacheAnswer = (call: Call, validity: Readonly<ValidityPeriod>): void => {
  const { answerText: text, sentNames } = call;
  const warnings = warningsOf(call.response);
  if (text.length > LONGEST) return;
  const { current } = call.environment;
  const kept = answers.get(current) ?? new Map<string, CachedAnswer>();
  if (kept.size >= MOST_ANSWERS) kept.clear();
  kept.set(keyOf(call), { text, sentNames, warnings, validity });
  answers.set(current, kept);
};

/** Strict mode asks more of the same request line. */
const keyOf = ({ request }: Call): string => (asksForStrict(request) ? `strict ${request.url}` : request.url);
