/** How large and how deep the values of a body can be, and which numbers it can hold; scenarios hold the same (behaviour E10). */

/** The deepest nesting of a body: some JSON libraries cannot write deeper values. */
export const MOST_LEVELS = 200;

/** What stands around a row in a scenario: `environments`, its name, a list, the row, and lists inside it. */
const AROUND_ROWS = 10;

export const MOST_LEVELS_OF_SCENARIO = MOST_LEVELS + AROUND_ROWS;

/** Whether a number that is written so is read as the same number: not an integer that would be rounded, nor too large. */
export const isExactNumber = (written: string, value: number): boolean =>
  Number.isSafeInteger(value) ||
  (Number.isFinite(value) && (!/^[-+]?\d+$/.test(written) || String(value) === written));
