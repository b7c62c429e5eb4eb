/** Calls in words, for a test that failed. */
import { describeCall } from '../mock/describe-call.ts';
import type { MockEnvironment } from '../mock/environment.ts';
import type { RecordedRequest } from '../mock/generated.ts';

export const NO_CALLS =
  'The mock received no call in this environment. Does your application use env.url and env.credentials?';

/** More than this is not read. */
const MOST = 50;

/** What the mock saw of a test: calls that broke the contract first, then the others, oldest first. */
export const reportCalls = async (env: MockEnvironment): Promise<string> => {
  const calls = await env.requests();
  if (calls.length === 0) return NO_CALLS;
  const broken = calls.filter(isBroken);
  const others = calls.filter((call) => !isBroken(call));
  const shown = [...broken, ...others].slice(0, MOST);
  const left = calls.length - shown.length;
  return [
    `Calls in environment ${env.name}${broken.length > 0 ? ', those that broke the contract first' : ''}:`,
    ...shown.map(describeCall),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ].join('\n');
};

const isBroken = ({ violations }: RecordedRequest): boolean => violations.length > 0;
