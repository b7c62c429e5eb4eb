/** Finds the call that removes what another call created. */
import { valueAt } from '../core/object.ts';
import type { OperationId } from '../openapi/types.ts';
import type { Call } from './client.ts';
import type { Reply } from './reply-check.ts';

export interface Undo {
  readonly operationId: OperationId;
  readonly call: Call;
}

/**
 * @param reply undefined if no reply came; the call may still have created something
 * @returns undefined if the call created nothing
 */
export const undoOf = (operationId: OperationId, call: Call, reply: Reply | undefined): Undo | undefined => {
  const isRefused = reply !== undefined && reply.status >= 400 && reply.status < 500;
  return isRefused || call.method !== undefined ? undefined : UNDO[operationId]?.(call, reply);
};

/** Removes an account that the call may have created. If the call named the account by id, it existed before. */
const deleteAccount = ({ body }: Call): Undo | undefined => {
  if (valueAt(body, 'id') !== undefined) return undefined;
  const address = { connector: valueAt(body, 'connector'), identifier: valueAt(body, 'identifier') };
  return { operationId: 'deleteConnectedAccount', call: { body: address } };
};

type ToUndo = (call: Call, reply: Reply | undefined) => Undo | undefined;

const UNDO: Readonly<Partial<Record<OperationId, ToUndo>>> = {
  createConnectedAccount: deleteAccount,
  createMagicLink: deleteAccount,
  createCustomProvider: (_, reply) => {
    const identifier = valueAt(reply?.body, 'provider', 'identifier');
    if (typeof identifier !== 'string') return undefined;
    return { operationId: 'deleteCustomProvider', call: { path: { identifier } } };
  },
  createMembership: ({ path = {} }) => ({ operationId: 'deleteMembership', call: { path } }),
  createMembershipByExternalId: ({ path = {} }) => ({
    operationId: 'deleteMembershipByExternalId',
    call: { path },
  }),
};
