/** Which rule (`src/RULES.md`) a refusal follows, so that its reader can go on to the words of the rule. */
import type { ErrorCode, Refusal } from '../core/errors.ts';
import type { OperationId } from '../openapi/types.ts';

/** The table of kinds of errors, which has them all. */
const ANY = 'R1';

/** Kinds whose rule is the same in every operation. */
const BY_CODE: { readonly [Code in ErrorCode]?: string } = {
  PATH_NOT_FOUND: 'T4',
  UNIMPLEMENTED: 'T4',
  PAYLOAD_TOO_LARGE: 'T4',
  RATE_LIMITED: 'X2',
  NOT_FOUND: 'I2',
  PERMISSION_DENIED: 'V6',
  FAILED_PRECONDITION: 'M7',
  PROVIDER_HAS_EXISTING_CONNECTIONS: 'P3',
};

/** Constraints of our own, which no schema states, and fields with a rule for themselves. */
const BY_VIOLATION: Readonly<Record<string, string>> = {
  unknown: 'T2',
  spelling: 'T3',
  authorization_details: 'A5',
  role: 'M2',
  page_size: 'I3',
  page_token: 'I4',
};

const BY_OPERATION: { readonly [Id in OperationId]?: Readonly<Record<string, string>> } = {
  issueToken: { INVALID_ARGUMENT: 'R3' },
  listConnectedAccounts: { NOT_FOUND: 'A1' },
  createConnectedAccount: { RESOURCE_ALREADY_EXISTS: 'A4', connector: 'A3' },
  updateConnectedAccount: { NOT_FOUND: 'A2' },
  getConnectedAccountAuth: { NOT_FOUND: 'A2' },
  getConnectedAccountDetails: { NOT_FOUND: 'A2' },
  createMagicLink: { NOT_FOUND: 'A2' },
  verifyConnectedAccountUser: { NOT_FOUND: 'V6' },
  deleteConnectedAccount: { NOT_FOUND: 'A2' },
  createCustomProvider: { RESOURCE_ALREADY_EXISTS: 'P2' },
  updateCustomProvider: { RESOURCE_ALREADY_EXISTS: 'P2', NOT_FOUND: 'P3' },
  deleteCustomProvider: { NOT_FOUND: 'P3' },
  resendInvite: { NOT_FOUND: 'M7', INTERNAL_ERROR: 'M7' },
  createMembership: { RESOURCE_ALREADY_EXISTS: 'M1', NOT_FOUND: 'M1' },
  createMembershipByExternalId: { RESOURCE_ALREADY_EXISTS: 'M1', NOT_FOUND: 'M1' },
  listAuthenticationRequests: { order: 'L1' },
};

/** @returns undefined where a fault or a preference decided: the request broke no rule */
export const ruleOf = (
  { errorCode, extras }: Refusal,
  operation: OperationId | undefined,
): string | undefined => {
  if (extras.isInjected) return undefined;
  const own = operation ? BY_OPERATION[operation] : undefined;
  const [violated] = (extras.violations ?? []).flatMap(
    ({ field, constraint }) =>
      lookUp(own, constraint) ?? lookUp(BY_VIOLATION, constraint) ?? lookUp(BY_VIOLATION, field) ?? [],
  );
  return violated ?? own?.[errorCode] ?? BY_CODE[errorCode] ?? ANY;
};

/** Fields are named by callers, and never mean what a prototype has (behaviour T10). */
const lookUp = (table: Readonly<Record<string, string>> = {}, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
