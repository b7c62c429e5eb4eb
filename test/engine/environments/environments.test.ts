import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { EnvironmentClock } from '../../../src/engine/core/clock.ts';
import { putRow } from '../../../src/engine/core/table.ts';
import { Environments } from '../../../src/engine/environments/all-environments.ts';
import { createRateLimiter } from '../../../src/engine/environments/environment.ts';
import type { InitialEnvironment, Scenario } from '../../../src/engine/scenario/scenario.ts';
import { service } from '../../../src/service/index.ts';
import { settings } from '../../../src/service/settings.ts';
import { emptyState } from '../../../src/service/state.ts';
import { MINUTE, refusal, SECOND, START } from '../../support/core.ts';

const only = (environments: Environments) => environments.first();

test('behaviour E3: a removed environment is no longer found by id, name, client, access token or key', () => {
  const environments = environmentsOf('one', 'two');
  const one = only(environments);
  const found = () => [
    environments.find('one'),
    environments.find(one.id),
    environments.find('one-client', 'client'),
    environments.find('one-token', 'bearer'),
    environments.findByKey(`anything${one.key}`),
  ];
  expect(found()).toEqual(Array(5).fill(one));
  environments.remove(one);
  expect(found()).toEqual(Array(5).fill(undefined));
  expect(environments.first().name).toBe('two');
  environments.remove(only(environments));
  expect(refusal(() => environments.first()).message).toContain('POST /_mock/environments');
});

test('behaviour I1: an id is never given out twice, even if its row was deleted', () => {
  const environment = only(environmentsOf('one'));
  const draw = () => environment.runStep((state, env) => ({ drawn: env.id('ca'), state })).drawn;
  const drawn = Array.from({ length: 50 }, draw);
  expect(new Set(drawn).size).toBe(50);
});

test('an environment is found by its new clients and access tokens after they change', () => {
  const environments = environmentsOf('one');
  const one = only(environments);
  const { data } = one.current;
  const clients = putRow(data.clients, { client_id: 'added', client_secret: 's' });
  environments.change(one, { ...one.current, data: { ...data, clients, access_tokens: ['other'] } });
  expect(environments.find('added', 'client')).toBe(one);
  expect(environments.find('other', 'bearer')).toBe(one);
  expect(environments.find('one-token', 'bearer')).toBeUndefined();
  environments.restart(one);
  expect(environments.find('added', 'client')).toBeUndefined();
  expect(environments.find('one-token', 'bearer')).toBe(one);
});

test('behaviour E5: a change that takes a client or token of another environment is 409, shows no token and has no effect', () => {
  const environments = environmentsOf('one', 'two');
  const one = only(environments);
  const before = one.current;
  const clients = putRow(before.data.clients, { client_id: 'two-client', client_secret: 's' });
  const refused = refusal(() =>
    environments.change(one, { ...before, data: { ...before.data, clients, access_tokens: [] } }),
  );
  expect(refused.errorCode).toBe('RESOURCE_ALREADY_EXISTS');
  const taken = { ...before, data: { ...before.data, access_tokens: ['two-token'] } };
  expect(refusal(() => environments.change(one, taken)).message).not.toContain('two-token');
  expect(one.current).toBe(before);
  expect(environments.find('two-client', 'client')?.name).toBe('two');
  expect(environments.find('one-token', 'bearer')).toBe(one);
});

test('the id of an environment cannot be the name of another', () => {
  const environments = environmentsOf('one');
  const { errorCode } = refusal(() => environments.create({}, 'env_100000000000000001'));
  expect(errorCode).toBe('RESOURCE_ALREADY_EXISTS');
});

test('a step that throws, or is not committed, does not change the environment', () => {
  const environments = environmentsOf('one');
  const one = only(environments);
  const before = one.current;
  const fail = (): never => {
    throw new Error('no');
  };
  expect(() => one.runStep(fail)).toThrow('no');
  expect(one.openStep().env.id('ca')).toMatch(/^ca_/);
  expect(one.current).toBe(before);
});

test('a snapshot never replaces another (behaviour N4), and they are listed in the order in which they were taken', () => {
  const one = only(environmentsOf('one'));
  one.takeSnapshot('snapshot-1');
  expect(one.takeSnapshot().name).toBe('snapshot-2');
  one.takeSnapshot('before');
  expect(() => one.takeSnapshot('snapshot-1')).toThrow('The snapshot snapshot-1 exists already.');
  expect([...one.snapshots.keys()]).toEqual(['snapshot-1', 'snapshot-2', 'before']);
});

test('an environment keeps at most 1,000 snapshots, and a removed one makes room', () => {
  const one = only(environmentsOf('one'));
  for (let nth = 0; nth < 1_000; nth += 1) one.takeSnapshot();
  expect(refusal(() => one.takeSnapshot()).hint).toBe('Delete some snapshots first.');
  one.snapshots.delete('snapshot-500');
  expect(one.takeSnapshot().name).toBe('snapshot-500');
});

const LIMIT = { requests: 2, per: MINUTE };
const frozen = (now: number): EnvironmentClock => ({ mode: 'frozen', now });

test('behaviour X2: a client over its limit must wait until the time span ends, in whole seconds', () => {
  const limiter = createRateLimiter();
  expect(limiter.take('a', LIMIT, frozen(START))).toBeUndefined();
  expect(limiter.take('a', LIMIT, frozen(START))).toBeUndefined();
  expect(limiter.take('a', LIMIT, frozen(START))).toBe(60);
  expect(limiter.take('b', LIMIT, frozen(START))).toBeUndefined();
  expect(limiter.take('a', LIMIT, frozen(START + 29.5 * SECOND))).toBe(31);
  expect(limiter.take('a', LIMIT, frozen(START + MINUTE))).toBeUndefined();
});

test('behaviour X2: while the clock is frozen, real time counts, so that waiting helps', async () => {
  const limiter = createRateLimiter();
  const quick = { requests: 1, per: 20 };
  expect(limiter.take('a', quick, frozen(START))).toBeUndefined();
  while (limiter.take('a', quick, frozen(START)) !== undefined) await setImmediate(); // without end if only the frozen clock counts
});

test('a new time span begins if the clock is set back, or starts to run', () => {
  const limiter = createRateLimiter();
  const single = { requests: 1, per: MINUTE };
  expect(limiter.take('a', single, frozen(START))).toBeUndefined();
  expect(limiter.take('a', single, frozen(START - MINUTE))).toBeUndefined();
  expect(limiter.take('a', single, { mode: 'running', offset: 0 })).toBeUndefined();
  expect(limiter.take('a', single, { mode: 'running', offset: 0 })).toBe(60);
});

/** An environment frozen at `START`, with one client `NAME-client` and one bearer `NAME-token`. */
const initialEnvironment = (name: string, number: number): InitialEnvironment => {
  const state = emptyState(1);
  const client = { client_id: `${name}-client`, client_secret: `${name}-secret` };
  return {
    service,
    id: `env_10000000000000000${number}`,
    name,
    state: { ...state, clients: putRow(state.clients, client), access_tokens: [`${name}-token`] },
    settings: settings.defaults,
    clock: { mode: 'frozen', now: START },
    faults: [],
  };
};

const scenarioOf = (...names: string[]): Scenario => ({
  name: names.join('-'),
  description: '',
  seed: 1,
  environments: names.map((name, index) => initialEnvironment(name, index + 1)),
});

const environmentsOf = (...names: string[]): Environments =>
  new Environments(service, scenarioOf(...names), 'http://mock.local');
