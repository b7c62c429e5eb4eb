/** Errors: their members, and what every operation refuses alike. */
import type { OperationId } from '../../openapi/types.ts';
import { type Case, group, inferred, promised } from '../case.ts';
import { anInteger, aText, listOf, someOf, someText } from '../pattern.ts';
import { MEMBERS, PROTECTED, SAMPLES } from '../samples.ts';
import { grant } from './tokens.ts';

const MEMBERS_OF_ERRORS = [
  ...group({ about: 'listAuthenticationRequests' }, [
    promised('An error has its code, its message and details of a type with a code of their own', [], (api) =>
      api.send({ query: { page_token: 'no token of any list' } }).answers(400, {
        body: {
          code: anInteger,
          message: someText,
          details: someOf({ '@type': aText(/[./]/), error_code: someText }),
        },
      }),
    ),
  ]),
  ...group({ about: 'deleteMembership' }, [
    inferred('An error of the identity area has its members at the top too', ['R1'], (api) =>
      api.send(SAMPLES.deleteMembership).answers(404, {
        body: {
          error_code: 'NOT_FOUND',
          request_info: { request_id: someText },
          resource_info: { resource_name: someText },
        },
      }),
    ),
  ]),
  // The description calls the members of these errors optional; that this mock sends them is behaviour R1.
  ...group({ about: 'resendInvite' }, [
    ...Object.entries({
      'An error of the identity area has a code of its own': { error_code: someText },
      'An error of the identity area names its reason and its request': {
        request_info: { request_id: someText, serving_data: someText },
      },
      'An error of the identity area says itself in a language': {
        localized_message_info: { locale: someText, message: someText },
      },
      'What was not found is named by the error': { resource_info: { resource_name: someText } },
    }).map(([name, body]) =>
      inferred(name, ['R1'], (api) => api.send(SAMPLES.resendInvite).answers(404, { body })),
    ),
    inferred('What was malformed is named by the error', ['R1'], (api) => {
      const violation = { field: 'organization_id', constraint: someText, description: someText };
      return api
        .send({ path: { ...MEMBERS.PENDING_INVITE, organization_id: 'acme' }, body: {} })
        .answers(400, { body: { validation_error_info: { field_violations: [violation] } } });
    }),
  ]),
  ...group({ about: 'resendInvite', needs: ['write', 'control'] }, [
    inferred('An internal failure says what happened', ['R1'], async (api) => {
      await api.mock.patchSettings({ email_delivery: 'fail' });
      await api.send({ path: MEMBERS.PENDING_INVITE, body: {} }).answers(500, {
        body: { debug_info: { detail: someText, stack_entries: listOf(someText) } },
      });
    }),
  ]),
];

const TOKENS = PROTECTED.flatMap((about) =>
  group({ about }, [
    promised(`${about} needs a token, and a good one`, [], async (api) => {
      await api.send({ ...SAMPLES[about], token: null }).answers(401);
      await api.send({ ...SAMPLES[about], token: 'nobody-issued-this' }).answers(401);
    }),
  ]),
);

const OPERATIONS = Object.keys(SAMPLES) as OperationId[]; // the keys that its type names

/** A little over 1 MiB. */
const TOO_LARGE = 'x'.repeat(1024 * 1024 + 1);

const SIZES = OPERATIONS.flatMap((about) => {
  const { form, ...call } = SAMPLES[about];
  if (form === undefined && call.body === undefined) return [];
  const sent = form ? { form: { ...form, more: TOO_LARGE } } : { ...call, body: { more: TOO_LARGE } };
  return group({ about }, [
    inferred(`${about} takes no body of more than 1 MiB`, ['T4'], (api) => api.send(sent).answers(413)),
  ]);
});

/** The statuses of the description that a client cannot bring about by itself. */
const INJECTED = [429, 500, 501, 504] as const;

const FAULTS = OPERATIONS.flatMap((about) =>
  group({ about, needs: ['control'] }, [
    inferred(`${about} can be made to answer ${INJECTED.join(', ')}`, ['R1', 'T4'], async (api) => {
      const sample = about === 'issueToken' ? { form: grant(api) } : SAMPLES[about];
      for (const status of INJECTED) {
        const prefer = `code=${status}`;
        await api
          .send({ ...sample, headers: { prefer } })
          .answers(status, { headers: { 'preference-applied': prefer } });
      }
    }),
  ]),
);

export const ERROR_CASES: readonly Case[] = [...MEMBERS_OF_ERRORS, ...TOKENS, ...SIZES, ...FAULTS];
