/** Calls in words, for a test that failed. */
import type { RemoteEnvironment } from '../mock/mock.ts';
import type { RecordedRequest } from '../mock/types.ts';

export const NO_CALLS =
  'The mock received no call in this environment. Does your application use env.url and env.credentials?';

/** More than this is not read. */
const MOST = 50;

/** What the mock saw of a test: calls that broke the contract first, then the others, oldest first. */
export const reportCalls = async ({ name, requests }: RemoteEnvironment): Promise<string> => {
  const calls = await requests();
  if (calls.length === 0) return NO_CALLS;
  const broken = calls.filter(isBroken);
  const others = calls.filter((call) => !isBroken(call));
  const shown = [...broken, ...others].slice(0, MOST);
  const left = calls.length - shown.length;
  return [
    `Calls in environment ${name}${broken.length > 0 ? ', those that broke the contract first' : ''}:`,
    ...shown.map(describeCall),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ].join('\n');
};

const isBroken = ({ violations }: RecordedRequest): boolean => violations.length > 0;

/** `  POST /api/v1/connected_accounts 400 createConnectedAccount: identifier is missing` */
export const describeCall = (call: RecordedRequest): string => {
  const { request, status, operation = '', reason, warnings, fault } = call;
  const what = `  ${request.method} ${request.url} ${status} ${operation}`.trimEnd();
  return [
    reason === undefined ? what : `${what}: ${reason}`,
    ...(fault === undefined ? [] : [`    decided by fault ${fault}`]),
    ...warnings.map((warning) => `    ${warning}`),
  ].join('\n');
};
