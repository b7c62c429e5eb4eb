/** Reports the calls of a failed test. */
import { show } from '../../engine/core/contains.ts';
import { describeCall, type MockEnvironment } from '../mock-environment.ts';
import { underTest } from './awaited.ts';

/** A message for an environment without calls. Says which other environments received calls, if there are any. */
export const noCalls = async (env: MockEnvironment): Promise<string> => {
  const elsewhere = await callsElsewhere(env);
  const advice =
    elsewhere.length > 0
      ? `${elsewhere.join(', ')}. Your application must pass on the header \`baggage\`, or use env.credentials.`
      : 'Does your application use env.url and env.credentials?';
  return `The mock received no call in this environment. ${advice}`;
};

/** Matches the client id of an environment that a test created. Such an environment is not part of the scenario. */
const DRAWN_CLIENT = /^client_[\w-]{22}$/;

/** A phrase for each environment of the scenario that received calls: `3 calls went to development (dev-client)`. */
const callsElsewhere = async (env: MockEnvironment): Promise<readonly string[]> => {
  const { mock, since = 0 } = underTest.get(env) ?? {};
  const all = (await mock?.environments()) ?? [];
  const others = all.filter(({ credentials }) => !DRAWN_CLIENT.test(credentials.clientId));
  const found = others.map(async (other) => {
    const calls = await other.requests();
    const { length } = calls.filter(({ real_time }) => Date.parse(real_time) >= since);
    const count = length === 1 ? '1 call' : `${length} calls`;
    const where = `${other.name} (${other.credentials.clientId || 'no client'})`;
    return length === 0 ? [] : [`${count} went to ${where}`];
  });
  return (await Promise.all(found)).flat();
};

/** Names the faults that took effect on no call, with a heading. */
const idleFaults = async (env: MockEnvironment): Promise<readonly string[]> => {
  const idle = (await env.faults.list()).filter(({ applied }) => applied === 0);
  const lines = idle.map(({ id, calls, applied, used_up, ...rule }) => `  ${id} ${show(rule)}`);
  return lines.length === 0 ? [] : ['Faults that took effect on no call:', ...lines];
};

const MOST_LISTED = 50;

/** Lists the calls of a test: first those that broke the contract, then the others, each group oldest first. */
export const reportCalls = async (env: MockEnvironment): Promise<string> => {
  const [calls, idle] = [await env.requests(), await idleFaults(env)];
  if (calls.length === 0) return [await noCalls(env), ...idle].join('\n');
  const broken = calls.filter(({ violations }) => violations.length > 0);
  const shown = [...new Set([...broken, ...calls])].slice(0, MOST_LISTED);
  const left = calls.length - shown.length;
  return [
    `Calls in environment ${env.name}${broken.length > 0 ? ', starting with those that broke the contract' : ''}:`,
    ...shown.map(describeCall),
    ...(left > 0 ? [`  and ${left} more`] : []),
    ...idle,
  ].join('\n');
};
