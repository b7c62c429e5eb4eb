/** How the API and the control plane refuse requests. */
import { withoutTokens } from './secrets.ts';

/**
 * The HTTP status, the gRPC code (behaviour R1) and the default rule (`src/RULES.md`) of each `error_code`. Only the
 * control plane uses codes without a rule. A service can have codes of its own, each of one of these kinds.
 */
export const ERROR_KINDS = {
  INVALID_ARGUMENT: { status: 400, code: 3, rule: 'R1' },
  FAILED_PRECONDITION: { status: 400, code: 9, rule: 'R1' },
  UNAUTHENTICATED: { status: 401, code: 16, rule: 'T4' },
  PERMISSION_DENIED: { status: 403, code: 7, rule: 'R1' },
  FORBIDDEN: { status: 403, code: 7, rule: undefined },
  NOT_FOUND: { status: 404, code: 5, rule: 'I2' },
  PATH_NOT_FOUND: { status: 404, code: 5, rule: 'T4' },
  METHOD_NOT_ALLOWED: { status: 405, code: 12, rule: undefined },
  RESOURCE_ALREADY_EXISTS: { status: 409, code: 6, rule: 'N4' },
  GONE: { status: 410, code: 5, rule: undefined },
  PAYLOAD_TOO_LARGE: { status: 413, code: 3, rule: 'T4' },
  RATE_LIMITED: { status: 429, code: 8, rule: 'X2' },
  INTERNAL_ERROR: { status: 500, code: 13, rule: 'R1' },
  UNIMPLEMENTED: { status: 501, code: 12, rule: 'T4' },
  UNAVAILABLE: { status: 503, code: 14, rule: 'E8' },
  DEADLINE_EXCEEDED: { status: 504, code: 4, rule: 'R1' },
} as const;

export type ErrorCode = keyof typeof ERROR_KINDS;

/** The codes that only one service has, with the code of the same kind that every service has. */
export type OwnCodes = Readonly<Record<string, ErrorCode>>;

export interface FieldViolation {
  readonly field: string;
  /** Says what is wrong, and quotes the value that was sent. */
  readonly description: string;
  /** The JSON schema keyword that the value violates, or a keyword of this mock if no schema states the rule. */
  readonly constraint: string;
  /** What to do about the problem, if the description does not say. */
  readonly advice?: string;
  /** The rule of `src/RULES.md` that the value breaks. Default: the rule of the `error_code`. */
  readonly rule?: string;
}

export interface RefusalExtras {
  readonly violations?: readonly FieldViolation[];
  /** What the error is about; sent as `resource_info` with 403, 404 and 409. */
  readonly resource?: { readonly resource_name: string; readonly description?: string };
  readonly headers?: Readonly<Record<string, string>>;
  readonly rule?: string;
  /** The section of the guide that the caller needs next, such as `flags#rate-limit`; its address ends the message. */
  readonly guide?: string;
  /** Whether a fault or a `Prefer` header caused the refusal; then the request broke no rule. */
  readonly isInjected?: boolean;
  /** Replaces the status of the `error_code`; for injected refusals only. */
  readonly status?: number;
  /** The `error_code` to send instead of the usual one: a code of the service, or of an injected refusal. */
  readonly shownCode?: string;
}

/** A refusal of a request. Never holds a credential (behaviour R2). */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly errorCode: ErrorCode;
  /** What failed, and the value that was sent. */
  readonly problem: string;
  /** What the caller can do next; can be "". The error's message is the problem and the hint. */
  readonly hint: string;
  readonly extras: RefusalExtras;

  constructor(errorCode: ErrorCode, problem: string, hint = '', extras: RefusalExtras = {}) {
    const [shown, advice] = [withoutTokens(problem), withoutTokens(hint)];
    super(advice === '' ? shown : `${shown} ${advice}`);
    this.errorCode = errorCode;
    this.problem = shown;
    this.hint = advice;
    this.extras = extras;
  }

  /** This getter is not called `status`, because body parsers assign to `status` of errors that they catch. */
  get httpStatus(): number {
    return this.extras.status ?? ERROR_KINDS[this.errorCode].status;
  }

  /** The rule that requires this refusal; undefined if the refusal was injected. */
  get rule(): string | undefined {
    const { isInjected, rule, violations = [] } = this.extras;
    if (isInjected) return undefined;
    return rule ?? violations.find((violation) => violation.rule)?.rule ?? ERROR_KINDS[this.errorCode].rule;
  }
}

/** How many violations a refusal lists at most. A request body of one megabyte can have half a million violations. */
export const MOST_VIOLATIONS = 100;

/** Thrown for a file or address from the user that cannot be used. The CLI prints the message and exits with 2. */
export class Unusable extends Error {
  override readonly name = 'Unusable';
}

/** A 400 for one or more fields; lists up to `MOST_VIOLATIONS` of them. */
export const invalidArgument = (all: readonly FieldViolation[]): Refusal => {
  const violations = all
    .slice(0, MOST_VIOLATIONS)
    .map((one) => ({ ...one, description: withoutTokens(one.description) }));
  const sentences = violations.map(({ description }) => description);
  if (violations.length < all.length)
    sentences.push(`Only the first ${violations.length} violations are listed.`);
  return new Refusal('INVALID_ARGUMENT', sentences.join(' '), adviceOf(violations), { violations });
};

/** The advice of all violations. Names the field of each, unless the same advice is for all of them. */
const adviceOf = (violations: readonly FieldViolation[]): string => {
  const fields = new Map<string, string[]>();
  for (const { advice, field } of violations)
    if (advice !== undefined) fields.set(advice, [...(fields.get(advice) ?? []), field]);
  return Array.from(fields, ([advice, of]) =>
    of.length === violations.length ? advice : `${of.join(', ')}: ${advice}`,
  ).join(' ');
};

/** Throws all violations in one refusal, if there are any. @throws Refusal 400 */
export const refuse = (violations: readonly FieldViolation[]): void => {
  if (violations.length > 0) throw invalidArgument(violations);
};

export const invalidField = (
  field: string,
  constraint: string,
  description: string,
  advice: string,
  rule?: string,
): Refusal => invalidArgument([{ field, constraint, description, advice, ...(rule && { rule }) }]);

/** @throws Refusal 400 if there are already as many of these as there can be */
export const requireRoom = (size: number, most: number, these: string, hint: string): void => {
  if (size >= most) throw new Refusal('FAILED_PRECONDITION', `There are already ${most} ${these}.`, hint);
};

/** A 404 for a missing resource. @param resource such as `connected_account ca_1` */
export const notFound = (resource: string, hint: string, rule?: string): Refusal =>
  new Refusal('NOT_FOUND', `${resource} was not found.`, hint, {
    resource: { resource_name: resource },
    ...(rule !== undefined && { rule }),
  });

/** The row that a lookup found. @param about what `notFound` needs to know of it @throws Refusal 404 if it found none */
export const requireFound = <Row>(row: Row | undefined, ...about: Parameters<typeof notFound>): Row => {
  if (row !== undefined) return row;
  throw notFound(...about);
};
