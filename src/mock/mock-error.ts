/** The error that the methods of a mock throw when the mock refuses a call. */
export class MockError extends Error {
  /** Always `MockError`. */
  override readonly name = 'MockError';
  /** `NOT_FOUND`, `INVALID_ARGUMENT` and so on, as the control plane sends it. */
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
