/**
 * The types of Vitest that `vitest.mts` uses: with Vitest installed, the lock file would not work on every platform.
 * `test/examples/vitest` tests `vitest.mts` with the real Vitest.
 */
declare module 'vitest' {
  /** Empty here: `vitest.mts` adds our matchers to this interface. */
  interface Matchers {}

  interface TestContext {
    readonly task: {
      readonly fails?: boolean;
      readonly result?: { readonly state: string; readonly errors?: readonly object[] };
    };
  }

  export interface TestAPI<Context> {
    (name: string, body: (context: Context & TestContext) => unknown): void;
    extend<Fixtures extends object>(
      fixtures: {
        readonly [Name in keyof Fixtures]: (
          context: Fixtures & TestContext,
          use: (value: Fixtures[Name]) => Promise<void>,
        ) => Promise<void>;
      },
    ): TestAPI<Context & Fixtures>;
  }

  export const test: TestAPI<object>;
  export const expect: { extend(matchers: object): void };
}
