/** The error of the library. */

/** The error that the methods of a mock throw, for example when the mock refuses a call. */
export class MockError extends Error {
  /** Always `MockError`. */
  override readonly name = 'MockError';
  /** The kind of error, such as `NOT_FOUND` or `INVALID_ARGUMENT`. */
  readonly code: string;
  /** What to do next. The message ends with this hint. */
  readonly hint: string;

  constructor(
    { code, message, hint }: { readonly code: string; readonly message: string; readonly hint: string },
    options?: { readonly cause: unknown },
  ) {
    super(`${message} ${hint}`, options);
    this.code = code;
    this.hint = hint;
  }
}

export const invalid = (message: string, hint: string): MockError =>
  new MockError({ code: 'INVALID_ARGUMENT', message, hint });
