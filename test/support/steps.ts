/** Counting what code does instead of timing it: how often V8 enters our functions. */
import { Session } from 'node:inspector';
import { afterAll, beforeAll } from '@jest/globals';

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/** For one file of tests: how many functions below `src/` are called while `happen` runs. */
export const stepCounter = (): ((happen: () => unknown) => number) => {
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
        if (url.includes('/src/')) for (const { ranges } of functions) steps += ranges[0]?.count ?? 0;
    });
    return steps;
  };
  return (happen) => {
    take();
    happen();
    return take();
  };
};
