/** What the description says of the fields of invitations, log entries and errors. */
import { type Case, define } from '../case.ts';
import { MEMBERS } from '../default-rows.ts';
import { type Fields, fieldsOf, valueCites } from '../fields.ts';
import { anInteger, aText, aTime, listOf, type Pattern, someOf, someText } from '../pattern.ts';
import type { PromiseId } from '../promises.ts';
import { SAMPLES } from '../samples.ts';

const INVITE = fieldsOf('invite', {
  created_at: aTime,
  expires_at: aTime,
  inviter_email: aText(/@/),
  organization_id: MEMBERS.PENDING_INVITE.organization_id,
  resent_at: aTime,
  resent_count: anInteger,
  user_id: MEMBERS.PENDING_INVITE.id,
});

const entryCase = (name: string, { cites, pattern }: { cites: readonly PromiseId[]; pattern: Pattern }) =>
  define({
    name,
    operationId: 'listAuthenticationRequests',
    basis: 'promised',
    cites,
    needs: ['control'],
    send: () => ({ query: { page_size: 1, email: 'ada@acme.test' } }),
    status: 200,
    body: { authRequests: [pattern] },
  });

const DETAIL = fieldsOf('connection_details', {
  connection_id: someText,
  connection_provider: someText,
  connection_type: someText,
  organization_id: someText,
});

/** Members of an identity-area error, beside its code and message. */
const identityError = (
  name: string,
  { cites, pattern }: { cites: readonly PromiseId[]; pattern: Pattern },
  refusal: Partial<Case> & Pick<Case, 'send' | 'status'>,
): Case =>
  // The description calls these members optional; that this mock sends them is behaviour R1.
  define({
    name,
    operationId: 'resendInvite',
    basis: 'inferred',
    cites: [...cites, 'R1'],
    ...refusal,
    body: pattern,
  });

/** One object of an error and its fields. */
const part = (
  member: 'debug_info' | 'localized_message_info' | 'request_info' | 'resource_info',
  { cites, pattern }: Fields,
) => ({ cites: [`identity_errors.${member}` as const, ...cites], pattern: { [member]: pattern } });

const VIOLATION = fieldsOf('field_violations', {
  constraint: someText,
  description: someText,
  field: 'organization_id',
});

const notFound = { send: () => SAMPLES.resendInvite, status: 404 };
const malformed = {
  send: () => ({ path: { ...MEMBERS.PENDING_INVITE, organization_id: 'acme' }, body: {} }),
  status: 400,
};

export const RECORD_FIELD_CASES = [
  define({
    name: 'An invitation has its fields',
    operationId: 'resendInvite',
    basis: 'promised',
    cites: [...INVITE.cites, ...valueCites('invite', 'status', ['pending'])],
    needs: ['write', 'control'],
    send: () => ({ path: MEMBERS.PENDING_INVITE, body: {} }),
    status: 200,
    body: { invite: { ...INVITE.pattern, status: 'pending' } },
  }),
  entryCase(
    'A log entry has its fields',
    fieldsOf('log_entry', {
      auth_request_id: someText,
      client_id: someText,
      client_name: someText,
      client_type: someText,
      connection_id: someText,
      connection_provider: someText,
      connection_type: someText,
      email: 'ada@acme.test',
      environment_id: someText,
      organization_id: someText,
      resource_id: someText,
      resource_name: someText,
      resource_type: someText,
      workflow: someText,
      timestamp: aTime,
      connection_details: someOf({}),
    }),
  ),
  entryCase('A log entry names its connections', {
    cites: DETAIL.cites,
    pattern: { connection_details: [DETAIL.pattern] },
  }),
  ...['INITIATED', 'PENDING', 'SUCCESS', 'FAILED'].map((status) =>
    define({
      name: `A log entry can be ${status}`,
      operationId: 'listAuthenticationRequests',
      basis: 'promised',
      cites: valueCites('log_entry', 'status', [status]),
      needs: ['control'],
      send: () => ({ query: { status, page_size: 100 } }),
      status: 200,
      body: { authRequests: someOf({ status }) },
    }),
  ),
  define({
    name: 'An error has its code, its message and details of a type with a code of their own',
    operationId: 'listAuthenticationRequests',
    basis: 'promised',
    cites: [
      ...(['errors.400', 'errors.code', 'errors.message'] as const),
      ...(['errors.details', 'errors.type', 'errors.error_code'] as const),
    ],
    send: () => ({ query: { page_token: 'no token of any list' } }),
    status: 400,
    body: {
      code: anInteger,
      message: someText,
      details: someOf({ '@type': aText(/[./]/), error_code: someText }),
    },
  }),
  identityError(
    'An error of the identity area names its reason and its request',
    part('request_info', fieldsOf('request_info', { request_id: someText, serving_data: someText })),
    notFound,
  ),
  identityError(
    'An error of the identity area has a code of its own',
    fieldsOf('identity_errors', { error_code: someText }),
    notFound,
  ),
  identityError(
    'An error of the identity area says itself in a language',
    part(
      'localized_message_info',
      fieldsOf('localized_message_info', { locale: someText, message: someText }),
    ),
    notFound,
  ),
  identityError(
    'What was not found is named by the error',
    part('resource_info', fieldsOf('resource_info', { resource_name: someText })),
    notFound,
  ),
  identityError(
    'What was malformed is named by the error',
    {
      cites: ['identity_errors.validation_error_info', ...VIOLATION.cites],
      pattern: { validation_error_info: { field_violations: [VIOLATION.pattern] } },
    },
    malformed,
  ),
  identityError(
    'An internal failure says what happened',
    part('debug_info', fieldsOf('debug_info', { detail: someText, stack_entries: listOf(someText) })),
    {
      needs: ['write', 'control'],
      arrange: ({ control }) => control.change({ email_delivery: 'fail' }),
      send: () => ({ path: MEMBERS.PENDING_INVITE, body: {} }),
      status: 500,
    },
  ),
];
