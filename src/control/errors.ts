/** Errors of the control plane: what was wrong, and what to do; and turning those of other rooms into them. */
import { ApiError, ERROR_KINDS } from '../core/errors.ts';

const STATUSES = {
  INVALID_ARGUMENT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  GONE: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  INTERNAL_ERROR: 500,
} as const;

type ControlCode = keyof typeof STATUSES;

/** A refusal. @param hint what to do next */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly code: ControlCode;
  readonly hint: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ControlCode,
    message: string,
    hint: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.headers = headers;
  }
}

/** Where every call is described; ends hints that have nothing better to say. */
export const DOCUMENT_HINT = 'All calls are described in /_mock/openapi.json.';

export interface ErrorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly error: { readonly code: string; readonly message: string; readonly hint: string };
  };
}

/** Anything thrown, as a reply. What nobody foresaw is a fault of the mock itself and shows nothing of the inside. */
export const toErrorReply = (error: unknown): ErrorReply => {
  if (error instanceof ControlError) {
    const { code, message, hint, headers } = error;
    return { status: STATUSES[code], headers, body: { error: { code, message, hint } } };
  }
  if (error instanceof ApiError) {
    const { errorCode: code, message } = error;
    return reply(ERROR_KINDS[code].status, code, message, DOCUMENT_HINT);
  }
  if (isScenarioError(error)) return reply(400, 'INVALID_ARGUMENT', error.message, SCENARIO_HINT);
  return reply(
    500,
    'INTERNAL_ERROR',
    'The mock failed while answering.',
    'Please report the call that led to it.',
  );
};

/** Whether an error was foreseen, so that nobody has to be told of a fault of the mock. */
export const isForeseen = (error: unknown): boolean =>
  error instanceof ControlError || error instanceof ApiError || isScenarioError(error);

const SCENARIO_HINT =
  'Nothing was changed. Mend what is listed and call again; fixtures/scenario.schema.json says what a scenario may hold.';

const reply = (status: number, code: string, message: string, hint: string): ErrorReply => ({
  status,
  headers: {},
  body: { error: { code, message, hint } },
});

/** The scenario room is known here by its types alone, so its error is known by its name. */
const isScenarioError = (error: unknown): error is Error =>
  typeof error === 'object' && error !== null && 'name' in error && error.name === 'ScenarioError';
