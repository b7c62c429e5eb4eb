/** What every operation answers alike: no token, a body that is too large, and what a fault can make it answer. */
import type { Basis } from '../../openapi/reply-check.ts';
import type { OperationId } from '../../openapi/types.ts';
import type { Call } from '../call.ts';
import { type Case, define } from '../case.ts';
import type { PromiseId } from '../promises.ts';
import { PROTECTED, SAMPLES } from '../samples.ts';

/** Where the description says it of the operation once more. */
const OWN_401: Readonly<Partial<Record<OperationId, readonly PromiseId[]>>> = {
  listConnectedAccounts: ['list.401'],
  updateConnectedAccount: ['update.401'],
  createConnectedAccount: ['create.401'],
  getConnectedAccountAuth: ['auth.401'],
  getConnectedAccountDetails: ['details.401'],
  createMagicLink: ['link.401'],
  verifyConnectedAccountUser: ['verify.401'],
  deleteConnectedAccount: ['delete.401'],
  searchConnectedAccounts: ['search.401'],
  listAuthenticationRequests: ['logs.401'],
};

const withoutToken = (operationId: OperationId): Case =>
  define({
    name: `${operationId} needs a token, and a good one`,
    operationId,
    basis: 'promised',
    cites: [
      'authentication.required',
      'authentication.missing',
      'authentication.invalid',
      ...(OWN_401[operationId] ?? []),
    ],
    send: () => ({ ...SAMPLES[operationId], token: null }),
    status: 401,
    afterwards: [{ send: () => ({ ...SAMPLES[operationId], token: 'nobody-issued-this' }), status: 401 }],
  });

/** A little over 1 MiB. */
const TOO_LARGE = 'x'.repeat(1024 * 1024 + 1);

const tooLarge = (operationId: OperationId): Case =>
  define({
    name: `${operationId} takes no body of more than 1 MiB`,
    operationId,
    basis: 'inferred',
    cites: ['T4'],
    send: () => enlarge(SAMPLES[operationId]),
    status: 413,
    error: 'PAYLOAD_TOO_LARGE',
  });

const enlarge = (call: Call): Call =>
  call.form ? { form: { ...call.form, more: TOO_LARGE } } : { ...call, body: { more: TOO_LARGE } };

const hasBody = (operationId: OperationId): boolean =>
  SAMPLES[operationId].body !== undefined || SAMPLES[operationId].form !== undefined;

/** The statuses of the description that a client cannot bring about by itself. */
const FAULTS = [429, 500, 501, 504] as const;

const faults = (operationId: OperationId): Case => {
  const step = (code: (typeof FAULTS)[number]) => ({
    send: ({ clientId, clientSecret }: { clientId: string; clientSecret: string }): Call => ({
      ...SAMPLES[operationId],
      ...(operationId === 'issueToken' && {
        form: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
      }),
      headers: { prefer: `code=${code}` },
    }),
    status: code,
    headers: { 'preference-applied': `code=${code}` },
  });
  return define({
    name: `${operationId} can be made to answer ${FAULTS.join(', ')}`,
    operationId,
    basis: 'inferred' satisfies Basis,
    cites: ['errors.429', 'errors.500', 'errors.501', 'errors.504', 'R1', 'T4'],
    needs: ['control'],
    ...step(429),
    afterwards: [step(500), step(501), step(504)],
  });
};

const ALL = Object.keys(SAMPLES) as OperationId[]; // the keys that its type names

export const REFUSAL_CASES = [
  ...PROTECTED.map(withoutToken),
  ...ALL.filter(hasBody).map(tooLarge),
  ...ALL.map(faults),
];
