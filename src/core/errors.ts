/** The errors of the mocked API: one table of kinds (behaviour R1), and the exception that guards throw. */

/** HTTP status and gRPC code of every error_code the mock answers with (behaviour R1). */
export const ERROR_KINDS = {
  INVALID_ARGUMENT: { status: 400, code: 3 },
  FAILED_PRECONDITION: { status: 400, code: 9 },
  PROVIDER_HAS_EXISTING_CONNECTIONS: { status: 400, code: 9 },
  UNAUTHENTICATED: { status: 401, code: 16 },
  PERMISSION_DENIED: { status: 403, code: 7 },
  CONNECTION_NOT_ENABLED: { status: 403, code: 7 },
  NOT_FOUND: { status: 404, code: 5 },
  PATH_NOT_FOUND: { status: 404, code: 5 },
  RESOURCE_ALREADY_EXISTS: { status: 409, code: 6 },
  PAYLOAD_TOO_LARGE: { status: 413, code: 3 },
  RATE_LIMITED: { status: 429, code: 8 },
  INTERNAL_ERROR: { status: 500, code: 13 },
  UNIMPLEMENTED: { status: 501, code: 12 },
  DEADLINE_EXCEEDED: { status: 504, code: 4 },
} as const;

export type ErrorCode = keyof typeof ERROR_KINDS;

/** One thing wrong with one field: which, why, and the rule (a JSON schema keyword where the contract states it). */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
  readonly constraint: string;
}

/** What an error was about; answered as `resource_info` on 403, 404 and 409. */
export interface ResourceInfo {
  readonly resource_name: string;
  readonly description?: string;
}

export interface ErrorExtras {
  readonly violations?: readonly FieldViolation[];
  readonly resource?: ResourceInfo;
  readonly help?: readonly { readonly description: string; readonly url: string }[];
  /** Sent besides the error's own headers, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Asked for by a fault or a preference: the request broke no rule. */
  readonly isInjected?: boolean;
  /** In place of that of the code; only where it is injected. */
  readonly status?: number;
}

/** A refusal: what failed, with which value, and what to do next. Never holds a credential (behaviour R2). */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly errorCode: ErrorCode;
  readonly extras: ErrorExtras;

  constructor(errorCode: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message);
    this.errorCode = errorCode;
    this.extras = extras;
  }
}

/** More violations than these help no one, and a body of a megabyte can have half a million. */
export const MOST_VIOLATIONS = 100;

/** 400 for one or more fields; the message names every one, up to `MOST_VIOLATIONS`. */
export const invalidArgument = (violations: readonly FieldViolation[]): Refusal => {
  const shown = violations.slice(0, MOST_VIOLATIONS);
  const sentences = shown.map((violation) => violation.description);
  if (shown.length < violations.length)
    sentences.push(`These are the first ${shown.length}; there are more.`);
  return new Refusal('INVALID_ARGUMENT', sentences.join(' '), { violations: shown });
};

/** @throws Refusal 400 with every violation, if there is one */
export const refuse = (violations: readonly FieldViolation[]): void => {
  if (violations.length > 0) throw invalidArgument(violations);
};

/** 400 for one field. @param description a sentence: what is wrong, with which value, what to do */
export const invalidField = (field: string, constraint: string, description: string): Refusal =>
  invalidArgument([{ field, constraint, description }]);

/** 404 for a resource that is not there. @param resource such as `connected_account ca_1` */
export const notFound = (resource: string, advice: string): Refusal =>
  new Refusal('NOT_FOUND', `${resource} was not found. ${advice}`, {
    resource: { resource_name: resource },
  });
