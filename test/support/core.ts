/** The start of every test environment, lengths of time, and what a refusal says. */
import { Refusal } from '../../src/engine/core/errors.ts';

/** The start of every test environment, and the default time of its clock. */
export const START = Date.UTC(2026, 2, 1, 12);
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const DAY = 1_440 * MINUTE;

/** The Refusal that `attempt` throws. Any other outcome fails the test. */
export const refusal = (attempt: () => unknown): Refusal => {
  try {
    attempt();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('The attempt was not refused.');
};

/** Reads rows of a table: what is given, and the expected problem or result after `=>`. */
export const rowsOf = (table: string) =>
  Array.from(table.matchAll(/^(.+) => (.+)$/gm), ([, given = '', told = '']) => [given, told] as const);
