/** What a call left on the server, and the call that removes it again. */
import type { OperationId } from '../openapi/types.ts';
import { type Call, type Reply, valueAt } from './call.ts';

/**
 * The call that takes back what this one created; undefined if it created nothing.
 * @param reply undefined if the connection broke
 */
export const cleanUpAfter = (
  operationId: OperationId,
  call: Call,
  reply: Reply | undefined,
): readonly [OperationId, Call] | undefined => {
  if (operationId === 'createConnectedAccount' || operationId === 'createMagicLink')
    return afterAccount(call, reply);
  if (reply?.status !== 201) return undefined;
  const { path = {} } = call;
  if (operationId === 'createCustomProvider') {
    const identifier = String(valueAt(reply.body, 'provider', 'identifier'));
    return ['deleteCustomProvider', { path: { identifier } }];
  }
  if (operationId === 'createMembership') return ['deleteMembership', { path }];
  if (operationId === 'createMembershipByExternalId') return ['deleteMembershipByExternalId', { path }];
  return undefined;
};

/**
 * By connector and identifier, so that an account whose creation broke off half way is removed too. An account that
 * was named by its id was there before; so was one that the server refused to make.
 */
const afterAccount = (
  { body, follow }: Call,
  reply: Reply | undefined,
): readonly [OperationId, Call] | undefined => {
  const isRefused = reply !== undefined && reply.status >= 400 && reply.status < 500;
  if (follow || isRefused || valueAt(body, 'id') !== undefined) return undefined;
  const pair = { connector: valueAt(body, 'connector'), identifier: valueAt(body, 'identifier') };
  return ['deleteConnectedAccount', { body: pair }];
};
