/** Counts how often V8 enters our functions, so that tests need not measure time. */
import { Session } from 'node:inspector';
import { afterAll, beforeAll } from '@jest/globals';

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/** Matches files of the sources, and of their build (`built/build.mjs`), which contains the packages that they use. */
const COUNTED = /[/]src[/]|[/]\.cache[/]ca-mock[/]/;

/** Counts the function calls in the files that `COUNTED` matches, until `happen` ends. */
type CountSteps = (happen: () => unknown) => Promise<number>;

/** Makes a counter for one test file. */
export const stepCounter = (): CountSteps => {
  const session = new Session();
  beforeAll(() => {
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  });
  afterAll(() => session.disconnect());
  // Reading the counts resets them to 0. V8 calls the callback before `post` returns.
  const take = (): number => {
    let steps = 0;
    session.post('Profiler.takePreciseCoverage', (_error, coverage) => {
      for (const { url, functions } of (coverage as Coverage).result)
        if (COUNTED.test(url)) for (const { ranges } of functions) steps += ranges[0]?.count ?? 0;
    });
    return steps;
  };
  return async (happen) => {
    take();
    await happen();
    return take();
  };
};
