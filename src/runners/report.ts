/** Describes the calls of an environment when a test fails. */

import { describeCall, type MockEnvironment } from '../mock/environment.ts';
import type { RecordedRequest } from '../mock/generated.ts';
import { watchOf } from './watched.ts';

/** A message for an environment without calls. Says which other environments received calls, if there are any. */
export const noCalls = async (env: MockEnvironment): Promise<string> => {
  const elsewhere = await callsElsewhere(env);
  const advice =
    elsewhere.length > 0
      ? `${elsewhere.join(', ')}: let your application pass the header \`baggage\` on, or use env.credentials.`
      : 'Does your application use env.url and env.credentials?';
  return `The mock received no call in this environment. ${advice}`;
};

/** The client id of an environment that was made at run time, for another test. */
const DRAWN_CLIENT = /^client_[\w-]{22}$/;

/**
 * For each environment of the scenario that received calls, a text such as `3 calls came to development (dev-client)`.
 */
const callsElsewhere = async (env: MockEnvironment): Promise<readonly string[]> => {
  const { mock, since = 0 } = watchOf(env) ?? {};
  const all = (await mock?.environments()) ?? [];
  const others = all.filter(({ credentials }) => !DRAWN_CLIENT.test(credentials.clientId));
  const found = others.map(async (other) => {
    const calls = await other.requests();
    const { length } = calls.filter(({ real_time }) => Date.parse(real_time) >= since);
    const count = length === 1 ? '1 call' : `${length} calls`;
    return length === 0
      ? []
      : [`${count} came to ${other.name} (${other.credentials.clientId || 'no client'})`];
  });
  return (await Promise.all(found)).flat();
};

/** The most calls that the report reads. */
const MOST = 50;

/**
 * Lists the calls of a test: first the calls that broke the contract, then the other calls, each group oldest first.
 */
export const reportCalls = async (env: MockEnvironment): Promise<string> => {
  const calls = await env.requests();
  if (calls.length === 0) return noCalls(env);
  const broken = calls.filter(isBroken);
  const others = calls.filter((call) => !isBroken(call));
  const shown = [...broken, ...others].slice(0, MOST);
  const left = calls.length - shown.length;
  return [
    `Calls in environment ${env.name}${broken.length > 0 ? ', starting with those that broke the contract' : ''}:`,
    ...shown.map(describeCall),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ].join('\n');
};

const isBroken = ({ violations }: RecordedRequest): boolean => violations.length > 0;
