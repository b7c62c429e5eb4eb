/** The error that a mock's methods throw when a call is refused. */
export class MockError extends Error {
  /** `MockError`. */
  override readonly name = 'MockError';
  /** `NOT_FOUND`, `INVALID_ARGUMENT` and so on, as the control plane says it. */
  readonly code: string;
  /** What to do next; the message ends with it. */
  readonly hint: string;

  constructor(
    { code, message, hint }: { readonly code: string; readonly message: string; readonly hint: string },
    options?: ErrorOptions,
  ) {
    super(`${message} ${hint}`, options);
    this.code = code;
    this.hint = hint;
  }
}
