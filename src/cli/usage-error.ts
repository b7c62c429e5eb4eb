/** A command line that cannot be understood: the program says why, points at `--help`, and exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
