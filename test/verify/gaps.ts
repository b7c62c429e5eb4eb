/** What of the contract a run of the suite did not touch. */

import type { Contract, ContractOperation } from '../../src/openapi/load.ts';
import type { Exchange } from '../../src/verify/session.ts';
import { limitsOf, valuesAt } from './limits.ts';

/**
 * Gaps that are there for a reason, each by the text that names it.
 * A line that names no gap any more fails the test, so that the list stays true.
 */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  // Behaviour T7: an empty query value is an absent one, so nothing shorter than one character can be sent.
  'empty is absent': [
    'listConnectedAccounts query.identifier minLength 1: one past it',
    'listConnectedAccounts query.provider minLength 1: one past it',
    'getConnectedAccountAuth query.identifier minLength 1: one past it',
    'getConnectedAccountDetails query.identifier minLength 1: one past it',
    'searchConnectedAccounts query.connection_id minLength 1: one past it',
    'listConnections query.domain minLength 1: one past it',
    'listAuthenticationRequests query.resource_id minLength 1: one past it',
    'listAuthenticationRequests query.client_id minLength 1: one past it',
  ],
  // A path with an empty segment is another path, which is not found (behaviour T4).
  'an empty segment is another path': [
    'updateCustomProvider path.identifier minLength 1: one past it',
    'deleteCustomProvider path.identifier minLength 1: one past it',
    'createMembershipByExternalId path.external_id minLength 1: one past it',
    'updateMembershipByExternalId path.external_id minLength 1: one past it',
    'deleteMembershipByExternalId path.external_id minLength 1: one past it',
  ],
  // No connection has a key_id that long, and an unknown connector is 400 too (behaviour A3). The cases send the edge
  // all the same; that the list, the reads and the delete take it shows that 400 characters are allowed.
  'unknown is refused as well': [
    'createConnectedAccount body.connector maxLength 400: at the edge',
    'createMagicLink body.connector maxLength 400: at the edge',
  ],
};

export const EXCEPTIONS: ReadonlySet<string> = new Set(Object.values(REASONS).flat());

/** Statuses, values and limits that no exchange of the run showed; one line each. */
export const findGaps = (
  { document, operations }: Contract,
  exchanges: readonly Exchange[],
): readonly string[] =>
  operations.flatMap((operation) => {
    const own = exchanges.filter(
      ({ operationId, reply }) => operationId === operation.operationId && reply.isOutside !== true,
    );
    return [
      ...statusGaps(operation, own),
      ...limitsOf(document, operation).flatMap((limit) => limitGaps(operation, limit, own)),
    ];
  });

const statusGaps = (
  { operationId, definition }: ContractOperation,
  own: readonly Exchange[],
): readonly string[] =>
  Object.keys(definition.responses)
    .filter((status) => status !== 'default' && !own.some(({ reply }) => reply.status === Number(status)))
    .map((status) => `${operationId} ${status}`);

const limitGaps = (
  { operationId }: ContractOperation,
  { name, place, measure, edge, past }: ReturnType<typeof limitsOf>[number],
  own: readonly Exchange[],
): readonly string[] => {
  const sent = (size: unknown, isRefused: boolean): boolean =>
    own.some(
      (exchange) =>
        valuesAt(exchange, place).some((value) => String(measure(value)) === String(size)) &&
        (isRefused ? exchange.reply.status === 400 : isAccepted(exchange.reply.status)),
    );
  return [
    ...(sent(edge, false) ? [] : [`${operationId} ${name}: at the edge`]),
    ...(past === undefined || sent(past, true) ? [] : [`${operationId} ${name}: one past it`]),
  ];
};

/** The operation looked at the request and found nothing wrong with its form. */
const isAccepted = (status: number): boolean =>
  status < 400 || status === 403 || status === 404 || status === 409;
