/** The one kind of error that methods of a mock are refused with. */

/** What a method of a mock is refused with. */
export class MockError extends Error {
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

/** An argument that a caller without types may have left out. @throws MockError for nothing, and for an empty text */
export const requireGiven = <Value>(name: string, value: Value): Value => {
  if (value !== undefined && value !== '') return value;
  throw new MockError({
    code: 'INVALID_ARGUMENT',
    message: `${name} is missing.`,
    hint: 'Give it as the first argument.',
  });
};
