import { expect, test } from '@jest/globals';
import { putRow } from '../../src/core/table-writer.ts';
import { openStep, readNow, runStep } from '../../src/environments/environment.ts';
import { withClockAdvanced, withSettings } from '../../src/environments/environment-state.ts';
import {
  changeState,
  type Environments,
  findByAccessToken,
  findByClient,
  findByKey,
  findEnvironment,
  firstEnvironment,
  removeEnvironment,
  totalCoverage,
} from '../../src/environments/environments.ts';
import {
  createRuntimeEnvironment,
  credentialsOf,
  resetEnvironment,
  restoreSnapshot,
} from '../../src/environments/lifecycle.ts';
import { HOUR, refusal, START } from '../support/core.ts';
import { environmentsOf, scenarioOf } from './support.ts';

const only = (environments: Environments) => firstEnvironment(environments);

test('an environment is found by id, name, client, access token and the key at the end of a token', () => {
  const environments = environmentsOf('one', 'two');
  const two = findEnvironment(environments, 'two');
  expect(two?.name).toBe('two');
  expect(findEnvironment(environments, 'env_100000000000000002')).toBe(two);
  expect(findByClient(environments, 'two-client')).toBe(two);
  expect(findByAccessToken(environments, 'two-token')).toBe(two);
  expect(findByKey(environments, `anything${two?.key}`)).toBe(two);
  expect(findByKey(environments, 'anything')).toBeUndefined();
});

test('behaviour E3: a removed environment cannot be found by any of these', () => {
  const environments = environmentsOf('one', 'two');
  const one = only(environments);
  removeEnvironment(environments, one);
  expect(firstEnvironment(environments).name).toBe('two');
  expect([findEnvironment(environments, 'one'), findEnvironment(environments, one.id)]).toEqual([
    undefined,
    undefined,
  ]);
  expect([findByClient(environments, 'one-client'), findByAccessToken(environments, 'one-token')]).toEqual([
    undefined,
    undefined,
  ]);
  expect(findByKey(environments, one.key)).toBeUndefined();
});

test('a request for the first environment is refused with a message if there is none', () => {
  const environments = environmentsOf('one');
  removeEnvironment(environments, only(environments));
  expect(refusal(() => firstEnvironment(environments)).message).toContain('POST /_mock/environments');
});

test('behaviour I1: an id is never given out twice, even if its row was deleted', () => {
  const environment = only(environmentsOf('one'));
  const draw = () =>
    runStep(environment, 'http://mock.local', (state, env) => ({ drawn: env.id('ca'), state })).drawn;
  const drawn = Array.from({ length: 50 }, draw);
  expect(new Set(drawn).size).toBe(50);
});

test('an environment is found by its new clients and access tokens after they change', () => {
  const environments = environmentsOf('one');
  const one = only(environments);
  const { data } = one.current;
  const clients = putRow(data.clients, { client_id: 'added', client_secret: 's' });
  changeState(environments, one, { ...one.current, data: { ...data, clients, access_tokens: ['other'] } });
  expect(findByClient(environments, 'added')).toBe(one);
  expect(findByAccessToken(environments, 'other')).toBe(one);
  expect(findByAccessToken(environments, 'one-token')).toBeUndefined();
  resetEnvironment(environments, one);
  expect(findByClient(environments, 'added')).toBeUndefined();
  expect(findByAccessToken(environments, 'one-token')).toBe(one);
});

test('behaviour E5: a client that another environment has is 409 and nothing changes', () => {
  const environments = environmentsOf('one', 'two');
  const one = only(environments);
  const before = one.current;
  const clients = putRow(before.data.clients, { client_id: 'two-client', client_secret: 's' });
  const refused = refusal(() =>
    changeState(environments, one, { ...before, data: { ...before.data, clients, access_tokens: [] } }),
  );
  expect(refused.errorCode).toBe('RESOURCE_ALREADY_EXISTS');
  expect(one.current).toBe(before);
  expect(findByClient(environments, 'two-client')?.name).toBe('two');
  expect(findByAccessToken(environments, 'one-token')).toBe(one);
});

test('behaviour E5: an access token that another environment has is refused, and the message does not show it', () => {
  const environments = environmentsOf('one', 'two');
  const one = only(environments);
  const data = { ...one.current.data, access_tokens: ['two-token'] };
  const { message } = refusal(() => changeState(environments, one, { ...one.current, data }));
  expect(message).not.toContain('two-token');
});

test('behaviour E5: a runtime environment has its own id, name, client and access token, and the same data', () => {
  const environments = environmentsOf('one');
  const made = createRuntimeEnvironment(environments);
  const other = createRuntimeEnvironment(environments);
  expect(made.id).toMatch(/^env_\d{18}$/);
  expect(new Set([made.id, other.id, only(environments).id]).size).toBe(3);
  expect(made.name).not.toBe(other.name);
  const { client_id = '', access_token = '' } = credentialsOf(made);
  expect(findByClient(environments, client_id)).toBe(made);
  expect(findByAccessToken(environments, access_token)).toBe(made);
  expect(made.current.data.users).toBe(only(environments).current.data.users);
});

test('behaviour E5: a copy takes the data of the scenario, without later changes', () => {
  const environments = environmentsOf('one');
  const one = only(environments);
  one.current = withSettings(one.current, { strict: true });
  expect(createRuntimeEnvironment(environments).current.settings.strict).toBe(false);
});

test('the id of an environment cannot be the name of another', () => {
  const environments = environmentsOf('one');
  const { errorCode } = refusal(() =>
    createRuntimeEnvironment(environments, { name: 'env_100000000000000001' }),
  );
  expect(errorCode).toBe('RESOURCE_ALREADY_EXISTS');
});

test('two servers with the same seed give runtime environments different names, ids and credentials', () => {
  const made = [
    createRuntimeEnvironment(environmentsOf('one')),
    createRuntimeEnvironment(environmentsOf('one')),
  ];
  const drawn = made.flatMap((one) => [one.id, one.name, ...Object.values(credentialsOf(one))]);
  expect(new Set(drawn).size).toBe(10);
});

test('a reset restores the same state and repeats ids, and counters restart', () => {
  const environments = environmentsOf('one');
  const one = only(environments);
  const draw = () =>
    runStep(one, environments.baseUrl, (state, env) => ({
      id: env.id('ca'),
      token: env.accessTokenId(),
      state,
    }));
  const first = draw();
  one.counters.requests = 5;
  resetEnvironment(environments, one);
  expect(one.current.data).toBe(one.initial.state);
  expect(one.counters.requests).toBe(0);
  expect(draw()).toMatchObject({ id: first.id, token: first.token });
});

test('a step that throws, or is not committed, does not change the environment', () => {
  const environments = environmentsOf('one');
  const one = only(environments);
  const before = one.current;
  const fail = (): never => {
    throw new Error('no');
  };
  expect(() => runStep(one, environments.baseUrl, fail)).toThrow('no');
  expect(openStep(one, environments.baseUrl).env.id('ca')).toMatch(/^ca_/);
  expect(one.current).toBe(before);
});

test('a switch of scenario takes the credentials of the environment of the same name; a runtime environment keeps its own', () => {
  const environments = environmentsOf('one');
  const made = createRuntimeEnvironment(environments, { name: 'mine' });
  const own = credentialsOf(made);
  const other = scenarioOf('two', 'mine');
  resetEnvironment(environments, made, other);
  expect(credentialsOf(made)).toEqual(own);
  resetEnvironment(environments, only(environments), scenarioOf('zero', 'one'));
  expect(credentialsOf(only(environments)).client_id).toBe('one-client');
  expect(only(environments).id).toBe('env_100000000000000001');
});

test('restoring a snapshot restores the same state object, with clock and settings', () => {
  const environments = environmentsOf('one');
  const one = only(environments);
  const kept = one.current;
  one.snapshots.take(one.current, readNow(one), 'a');
  one.current = withSettings(withClockAdvanced(one.current, HOUR), { strict: true });
  expect(readNow(one)).toBe(START + HOUR);
  restoreSnapshot(environments, one, 'a');
  expect(one.current).toBe(kept);
});

test('the total coverage includes deleted environments', () => {
  const environments = environmentsOf('one', 'two');
  const one = only(environments);
  one.coverage.record('listConnections', 200, ['domain'], undefined);
  removeEnvironment(environments, one);
  firstEnvironment(environments).coverage.record('listConnections', 200, [], undefined);
  expect(totalCoverage(environments).byOperation().get('listConnections')).toMatchObject({
    calls: 2,
    statuses: new Map([[200, 2]]),
    parameters: new Set(['domain']),
  });
});
