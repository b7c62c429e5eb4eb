/** Counting what code does instead of timing it: how often V8 enters our functions. */
import { Session } from 'node:inspector';
import { afterAll, beforeAll } from '@jest/globals';

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/** Sources, and what is built of them with the packages they use (`built/build.mjs`). */
const COUNTED = /[/]src[/]|[/]\.cache[/]ca-mock[/]/;

/** Counts how many functions are called until `happen` is over: those of `src/`, and of packages as far as built with it. */
type CountSteps = (happen: () => unknown) => Promise<number>;

/** For one file of tests. */
export const stepCounter = (): CountSteps => {
  const session = new Session();
  beforeAll(() => {
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  });
  afterAll(() => session.disconnect());
  // Taking the counts sets them back to 0. Its callback is called before `post` returns.
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
