/** How much work grows with its input, on a machine that may be busy: compared with itself, never with a clock's limit. */

/** Rounds of two measures. A busy machine spoils some of them, not all. */
const ROUNDS = 40;

const timeOf = (run: () => void): number => {
  const begun = performance.now();
  run();
  return performance.now() - begun;
};

/** Whether four times the input takes less than ten times the time, in one round at least; work that grows with the square takes sixteen. */
export const growsInProportion = (run: (size: number) => void, size: number): boolean =>
  Array.from({ length: ROUNDS }).some(() => timeOf(() => run(4 * size)) < 10 * timeOf(() => run(size)));
