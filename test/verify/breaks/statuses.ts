/** Promises of a status: the operation answers with another one. */

import type { OperationId } from '../../../src/openapi/types.ts';
import type { DescribedPromise, Section } from '../../../src/verify/promises.ts';
import { type Break, restatus } from './break.ts';

const OPERATIONS: Partial<Record<Section, OperationId>> = {
  list: 'listConnectedAccounts',
  update: 'updateConnectedAccount',
  create: 'createConnectedAccount',
  auth: 'getConnectedAccountAuth',
  details: 'getConnectedAccountDetails',
  link: 'createMagicLink',
  verify: 'verifyConnectedAccountUser',
  delete: 'deleteConnectedAccount',
  search: 'searchConnectedAccounts',
  invitations: 'resendInvite',
  logs: 'listAuthenticationRequests',
};

/** A refusal by number, such as `create.409`; undefined for anything else. */
export const breakStatus = ({ id, section }: DescribedPromise): Break | undefined => {
  const status = Number(id.slice(section.length + 1));
  const operationId = OPERATIONS[section];
  return operationId && status >= 400 ? restatus(operationId, status, 418) : undefined;
};
