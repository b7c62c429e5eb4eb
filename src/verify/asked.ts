/** What a call must be answered with, in the words that cases use. */
import { ERROR_KINDS, type ErrorCode } from '../core/errors.ts';
import type { ContractOperation } from '../openapi/load.ts';
import type { ReplyProblem } from '../openapi/reply-check.ts';
import { messageOf, type Reply } from './http.ts';
import { including, mismatches, type Pattern, someText } from './pattern.ts';

/** A reply is not what the case demands; what would follow rests on it, so the case ends. */
export class Failed extends Error {
  override readonly name = 'Failed';
  readonly problems: readonly ReplyProblem[];
  constructor(problems: readonly ReplyProblem[]) {
    super(problems.map(({ text }) => text).join('; '));
    this.problems = problems;
  }
}

export interface Expected {
  readonly body?: Pattern;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, Pattern>>;
  /** The reason in an error body. Default: the usual one of the status. */
  readonly error?: ErrorCode;
  /** A field that the violations of a 400 must name; several: all that they name, in this order. */
  readonly violates?: readonly string[];
}

/** A call that is sent when it is said what it must be answered with. Each gives the reply, or ends the case. */
export interface Asked {
  answers(status: number, expected?: Expected): Promise<Reply>;
  /** The one success that the contract has for the operation. */
  succeeds(body?: Pattern): Promise<Reply>;
  /** A success whose account, provider, user or invite is like this. */
  shows(resource: Pattern): Promise<Reply>;
  /** 400 that names this field among others, or exactly these. */
  isRefused(...fields: readonly string[]): Promise<Reply>;
  /** 404. */
  isMissing(): Promise<Reply>;
}

/** What the replies of an area hold. */
const RESOURCES: Readonly<Record<string, string>> = {
  'connected-accounts': 'connected_account',
  'custom-providers': 'provider',
  memberships: 'user',
  invitations: 'invite',
};

/** The same demands by shorter names. */
export const inWords = (
  { definition, tag }: ContractOperation,
  answers: Asked['answers'],
): Omit<Asked, 'answers'> => {
  const success = Number(Object.keys(definition.responses).find((status) => status.startsWith('2')));
  const succeeds: Asked['succeeds'] = (body) => answers(success, body === undefined ? {} : { body });
  return {
    succeeds,
    shows: (resource) => succeeds({ [RESOURCES[tag] ?? '']: resource }),
    isRefused: (...violates) => answers(400, { violates }),
    isMissing: () => answers(404),
  };
};

export const mismatchesOf = (
  { status, headers, body }: Reply,
  wanted: number,
  expected: Expected,
): readonly string[] => {
  if (status !== wanted) return [`the status should be ${wanted}, but is ${status}${messageOf(body)}`];
  return [
    ...(expected.body === undefined ? [] : mismatches(expected.body, body)),
    ...Object.entries(expected.headers ?? {}).flatMap(([name, pattern]) =>
      mismatches(pattern, headers[name], `the header ${name}`),
    ),
  ];
};

/** The reason that most errors of a status have: the first with that status. */
const usualReason = (status: number): ErrorCode | undefined =>
  (Object.keys(ERROR_KINDS) as ErrorCode[]).find((each) => ERROR_KINDS[each].status === status); // its own keys

/** How the body falls short of what behaviour R1 says of it; always inferred. Empty for a success. */
export const errorMismatches = (
  { operationId }: ContractOperation,
  { status, body }: Reply,
  { error = usualReason(status), violates = [] }: Expected,
): readonly string[] => {
  // RFC 6749 has the word there (behaviour R3).
  const isTokenRefusal = operationId === 'issueToken' && (status === 400 || status === 401);
  if (error === undefined || isTokenRefusal || body === undefined) return [];
  const { code } = ERROR_KINDS[error];
  const detail = { error_code: error, ...(violates.length > 0 ? violationsOf(violates) : {}) };
  return mismatches({ code, message: someText, details: [detail] }, body);
};

const violationsOf = (fields: readonly string[]) => {
  const violations = fields.map((field) => ({ field, description: someText }));
  const [first, ...others] = violations;
  const isOne = first !== undefined && others.length === 0;
  return { validation_error_info: { field_violations: isOne ? including(first) : violations } };
};
