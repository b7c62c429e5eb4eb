/**
 * What the entry for Vitest uses of it: Vitest itself cannot be among the packages of this project, since its lock file
 * would not fit every platform. The TypeScript example is checked with the real one.
 */
declare module 'vitest' {
  /** With what `expect.extend` added. */
  interface Matchers {}

  interface TestContext {
    readonly task: {
      readonly file: { readonly filepath: string };
      readonly result?: { readonly state: string };
    };
  }

  type Fixture<Value, Context> = (
    context: Context & TestContext,
    use: (value: Value) => Promise<void>,
  ) => Promise<void>;

  export interface TestAPI<Context> {
    (name: string, body: (context: Context & TestContext) => unknown): void;
    extend<Fixtures extends object>(
      fixtures: {
        readonly [Name in keyof Fixtures]: Fixture<Fixtures[Name], Fixtures>;
      },
    ): TestAPI<Context & Fixtures>;
  }

  export const afterAll: (run: () => Promise<void>) => void;
  export const test: TestAPI<object>;
  export const expect: { extend(matchers: object): void };
}
