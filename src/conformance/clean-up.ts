/** What a call left on the server, and the call that removes it again. */
import type { OperationId } from '../contract/types.ts';
import { type Call, type Reply, valueAt } from './call.ts';

/** The call that takes back what this one created; undefined if it created nothing. */
export const cleanUpAfter = (
  operationId: OperationId,
  { path = {}, body, follow }: Call,
  reply: Reply,
): readonly [OperationId, Call] | undefined => {
  if (follow || (reply.status !== 200 && reply.status !== 201)) return undefined;
  if (operationId === 'createConnectedAccount') {
    const id = valueAt(reply.body, 'connected_account', 'id');
    return ['deleteConnectedAccount', { body: { id } }];
  }
  if (operationId === 'createMagicLink') {
    // The pair may have had no account before; one that was named by id is somebody else's to remove.
    const [connector, identifier] = [valueAt(body, 'connector'), valueAt(body, 'identifier')];
    const isById = valueAt(body, 'id') !== undefined;
    return isById ? undefined : ['deleteConnectedAccount', { body: { connector, identifier } }];
  }
  if (operationId === 'createCustomProvider') {
    const identifier = String(valueAt(reply.body, 'provider', 'identifier'));
    return ['deleteCustomProvider', { path: { identifier } }];
  }
  if (operationId === 'createMembership') return ['deleteMembership', { path }];
  if (operationId === 'createMembershipByExternalId') return ['deleteMembershipByExternalId', { path }];
  return undefined;
};
