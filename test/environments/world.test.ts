import { expect, test } from '@jest/globals';
import { putRow } from '../../src/core/table.ts';
import { withClockAdvanced, withSettings } from '../../src/environments/condition.ts';
import { readNow, run } from '../../src/environments/environment.ts';
import { resetEnvironment, restoreSnapshot } from '../../src/environments/reset.ts';
import { createRuntimeEnvironment, credentialsOf } from '../../src/environments/runtime.ts';
import {
  changeCondition,
  findByAccessToken,
  findByClient,
  findByKey,
  findEnvironment,
  firstEnvironment,
  removeEnvironment,
  totalCoverage,
  type World,
} from '../../src/environments/world.ts';
import { HOUR, refusal, START } from '../support/core.ts';
import { scenarioOf, worldOf } from './support.ts';

const only = (world: World) => firstEnvironment(world);

test('an environment is found by id, name, client, bearer and the key at the end of a token', () => {
  const world = worldOf('one', 'two');
  const two = findEnvironment(world, 'two');
  expect(two?.name).toBe('two');
  expect(findEnvironment(world, 'env_100000000000000002')).toBe(two);
  expect(findByClient(world, 'two-client')).toBe(two);
  expect(findByAccessToken(world, 'two-token')).toBe(two);
  expect(findByKey(world, `anything${two?.key}`)).toBe(two);
  expect(findByKey(world, 'anything')).toBeUndefined();
});

test('behaviour E3: a removed environment is found by nothing any more', () => {
  const world = worldOf('one', 'two');
  const one = only(world);
  removeEnvironment(world, one);
  expect(firstEnvironment(world).name).toBe('two');
  expect([findEnvironment(world, 'one'), findEnvironment(world, one.id)]).toEqual([undefined, undefined]);
  expect([findByClient(world, 'one-client'), findByAccessToken(world, 'one-token')]).toEqual([
    undefined,
    undefined,
  ]);
  expect(findByKey(world, one.key)).toBeUndefined();
});

test('without an environment the first one is refused in words', () => {
  const world = worldOf('one');
  removeEnvironment(world, only(world));
  expect(refusal(() => firstEnvironment(world)).message).toContain('POST /_mock/environments');
});

test('behaviour I1: an id is never given out twice, whatever became of its row', () => {
  const environment = only(worldOf('one'));
  const draw = () =>
    run(environment, 'http://mock.local', (state, env) => ({ drawn: env.id('ca'), state })).drawn;
  const drawn = Array.from({ length: 50 }, draw);
  expect(new Set(drawn).size).toBe(50);
});

test('look-ups follow when the clients and bearers of an environment change', () => {
  const world = worldOf('one');
  const one = only(world);
  const { state } = one.current;
  const clients = putRow(state.clients, { client_id: 'added', client_secret: 's' });
  changeCondition(world, one, { ...one.current, state: { ...state, clients, access_tokens: ['other'] } });
  expect(findByClient(world, 'added')).toBe(one);
  expect(findByAccessToken(world, 'other')).toBe(one);
  expect(findByAccessToken(world, 'one-token')).toBeUndefined();
  resetEnvironment(world, one);
  expect(findByClient(world, 'added')).toBeUndefined();
  expect(findByAccessToken(world, 'one-token')).toBe(one);
});

test('behaviour E5: a client that another environment has is 409 and nothing changes', () => {
  const world = worldOf('one', 'two');
  const one = only(world);
  const before = one.current;
  const clients = putRow(before.state.clients, { client_id: 'two-client', client_secret: 's' });
  const refused = refusal(() =>
    changeCondition(world, one, { ...before, state: { ...before.state, clients, access_tokens: [] } }),
  );
  expect(refused.errorCode).toBe('RESOURCE_ALREADY_EXISTS');
  expect(one.current).toBe(before);
  expect(findByClient(world, 'two-client')?.name).toBe('two');
  expect(findByAccessToken(world, 'one-token')).toBe(one);
});

test('behaviour E5: a bearer that another environment has is refused without being shown', () => {
  const world = worldOf('one', 'two');
  const one = only(world);
  const state = { ...one.current.state, access_tokens: ['two-token'] };
  const { message } = refusal(() => changeCondition(world, one, { ...one.current, state }));
  expect(message).not.toContain('two-token');
});

test('behaviour E5: a runtime environment has an id, name, client and bearer of its own and shares the data', () => {
  const world = worldOf('one');
  const made = createRuntimeEnvironment(world);
  const other = createRuntimeEnvironment(world);
  expect(made.id).toMatch(/^env_\d{18}$/);
  expect(new Set([made.id, other.id, only(world).id]).size).toBe(3);
  expect(made.name).not.toBe(other.name);
  const { client_id = '', access_token = '' } = credentialsOf(made);
  expect(findByClient(world, client_id)).toBe(made);
  expect(findByAccessToken(world, access_token)).toBe(made);
  expect(made.current.state.users).toBe(only(world).current.state.users);
});

test('behaviour E5: the copy is of the scenario, not of what was made of it since', () => {
  const world = worldOf('one');
  const one = only(world);
  one.current = withSettings(one.current, { strict: true });
  expect(createRuntimeEnvironment(world).current.settings.strict).toBe(false);
});

test('a name that an environment has as its id is taken too', () => {
  const world = worldOf('one');
  const { errorCode } = refusal(() => createRuntimeEnvironment(world, { name: 'env_100000000000000001' }));
  expect(errorCode).toBe('RESOURCE_ALREADY_EXISTS');
});

test('two servers of one seed make the same runtime environments', () => {
  const first = createRuntimeEnvironment(worldOf('one'));
  const second = createRuntimeEnvironment(worldOf('one'));
  expect(credentialsOf(first)).toEqual(credentialsOf(second));
});

test('a reset goes back to the very same state and repeats ids; counters start again', () => {
  const world = worldOf('one');
  const one = only(world);
  const draw = () =>
    run(one, world.baseUrl, (state, env) => ({ id: env.id('ca'), token: env.accessTokenId(), state }));
  const first = draw();
  one.counters.requests = 5;
  resetEnvironment(world, one);
  expect(one.current.state).toBe(one.blueprint.state);
  expect(one.counters.requests).toBe(0);
  expect(draw()).toMatchObject({ id: first.id, token: first.token });
});

test('a step that throws, and a reply that throws, leave the environment as it was', () => {
  const world = worldOf('one');
  const one = only(world);
  const before = one.current;
  const fail = (): never => {
    throw new Error('no');
  };
  expect(() => run(one, world.baseUrl, fail)).toThrow('no');
  expect(() => run(one, world.baseUrl, (state, env) => ({ id: env.id('ca'), state }), fail)).toThrow('no');
  expect(one.current).toBe(before);
});

test('a switch takes the credentials of the environment of the same name, a runtime environment keeps its own', () => {
  const world = worldOf('one');
  const made = createRuntimeEnvironment(world, { name: 'mine' });
  const own = credentialsOf(made);
  const other = scenarioOf('two', 'mine');
  resetEnvironment(world, made, other);
  expect(credentialsOf(made)).toEqual(own);
  resetEnvironment(world, only(world), scenarioOf('zero', 'one'));
  expect(credentialsOf(only(world)).client_id).toBe('one-client');
  expect(only(world).id).toBe('env_100000000000000001');
});

test('a snapshot is restored by its pointer, clock and settings with it', () => {
  const world = worldOf('one');
  const one = only(world);
  const kept = one.current;
  one.snapshots.take(one.current, readNow(one), 'a');
  one.current = withSettings(withClockAdvanced(one.current, HOUR), { strict: true });
  expect(readNow(one)).toBe(START + HOUR);
  restoreSnapshot(world, one, 'a');
  expect(one.current).toBe(kept);
});

test('the total coverage keeps what deleted environments have seen', () => {
  const world = worldOf('one', 'two');
  const one = only(world);
  one.coverage.record('listConnections', 200, ['domain'], undefined);
  removeEnvironment(world, one);
  firstEnvironment(world).coverage.record('listConnections', 200, [], undefined);
  expect(totalCoverage(world).tallies().get('listConnections')).toMatchObject({
    calls: 2,
    statuses: new Map([[200, 2]]),
    parameters: new Set(['domain']),
  });
});
