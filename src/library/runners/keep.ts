/** Keeps the environments of failed tests, so that a person can look at them in the console (`CA_MOCK_KEEP`). */
import { didYouMean } from '../../engine/core/text.ts';
import type { RemoteMock } from '../mock.ts';
import type { MockEnvironment } from '../mock-environment.ts';

const CHOICES = ['failed', 'all', 'none'];

/** How many environments are kept; then the oldest goes. */
const MOST_KEPT = 20;

/** The snapshot that marks an environment as kept. */
const MARK = 'end of the test';

/** Whether the environment of a test is kept. @throws Error for an unknown value of `CA_MOCK_KEEP` */
export const isKept = (hasFailed: boolean): boolean => {
  const keep = process.env.CA_MOCK_KEEP || 'failed';
  if (!CHOICES.includes(keep))
    throw new Error(
      `CA_MOCK_KEEP is ${JSON.stringify(keep)}, but must be one of ${CHOICES.join(', ')}.${didYouMean(keep, CHOICES)}`,
    );
  return keep === 'all' || (keep === 'failed' && hasFailed);
};

/** Marks an environment as kept, and deletes the oldest of those that are too many. */
export const keep = async (env: MockEnvironment, mock: RemoteMock): Promise<void> => {
  await env.snapshot(MARK);
  const all = await mock.environments();
  const marked = await Promise.all(
    all.map(async (one) => ((await snapshotsOf(one)).some(({ name }) => name === MARK) ? [one] : [])),
  );
  const kept = marked.flat();
  for (const oldest of kept.slice(0, Math.max(0, kept.length - MOST_KEPT)))
    await oldest.delete().catch(() => {}); // another worker may have deleted it
};

/** None for an environment that was deleted meanwhile. */
const snapshotsOf = (env: MockEnvironment) => env.snapshots().catch(() => []);

/** The address of an environment in the console, for the end of a failure's text. */
export const whereKept = ({ name }: MockEnvironment, { url }: RemoteMock): string =>
  `The environment was kept: ${url}/_mock/#/${name}`;

/** Adds text to the end of a failure's message, and to the copy of the message in its stack, which some runners print. */
export const addToFailure = (failure: unknown, text: string): void => {
  const error: { message?: unknown; stack?: unknown } = Object(failure);
  const { message, stack } = error;
  if (typeof message === 'string') {
    error.message = `${message}\n\n${text}`;
    if (typeof stack === 'string') error.stack = stack.replace(message, () => String(error.message));
  } else console.error(text); // the test threw something else than an error
};
