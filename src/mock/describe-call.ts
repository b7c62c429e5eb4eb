/** Describes a call of the journal for people. */
import type { RecordedRequest } from './generated.ts';

/** Such as ` POST /api/v1/connected_accounts 400 createConnectedAccount: identifier is missing`. */
export const describeCall = (call: RecordedRequest): string => {
  const { request, status, operation = '', reason, warnings, fault } = call;
  const what = `  ${request.method} ${request.url} ${status} ${operation}`.trimEnd();
  return [
    reason === undefined ? what : `${what}: ${reason}`,
    ...(fault === undefined ? [] : [`    decided by fault ${fault}`]),
    ...warnings.map((warning) => `    ${warning}`),
  ].join('\n');
};
