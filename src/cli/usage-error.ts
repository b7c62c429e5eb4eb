/** A command line that cannot be understood: the program says why, points at `--help`, and exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Whether it is one, of whatever bundle: the start command is built with a class of its own. */
export const isUsageError = (error: unknown): error is UsageError =>
  error instanceof Error && error.name === 'UsageError';
