import { expect, test } from '@jest/globals';
import { Refusal } from '../../../src/engine/core/errors.ts';
import {
  addFault,
  effectOn,
  type FaultCall,
  type FaultForm,
  presentFault,
  readsBody,
  toFaults,
} from '../../../src/engine/environments/faults.ts';
import { readPreference } from '../../../src/engine/environments/mock-headers.ts';
import type { OperationId } from '../../../src/service/contract.ts';
import { refusal } from '../../support/core.ts';
import { testServer } from '../../support/server.ts';

const server = testServer();

const LIST = '/api/v1/connected_accounts';
const ONCE = { operation: '*', times: 1 };

/** An environment of its own, with short forms of its calls. */
const begin = async (given: object = {}) => {
  const own = await server.isolated(given);
  return {
    ...{ ...own, list: () => own.api('GET', LIST) },
    fault: async (rule: object) => (await own.control('POST', '/faults', rule)).body,
    create: (identifier: string, more: object = {}) =>
      own.api('POST', LIST, { connector: 'mail', identifier, ...more }),
    newest: async (status: number) => (await own.get(`/requests?status=${status}`)).requests.at(-1),
  };
};

test('a call with an injected status gets an error as the contract describes it, and changes nothing', async () => {
  const { fault, create, get } = await begin();
  const limits = { times: 1, retry_after: 7, headers: { 'X-Proxy': 'a' } };
  const rule = { operation: 'createConnectedAccount', status: 500, ...limits };
  expect(await fault(rule)).toEqual({ id: 'fault_1', ...rule, calls: 0, applied: 0, used_up: false });
  const { status, headers, body } = await create('new@acme.test');
  expect([status, headers['retry-after'], headers['x-proxy']]).toEqual([500, '7', 'a']);
  expect(body).toMatchObject({ code: 13, details: [{ error_code: 'INTERNAL_ERROR' }] });
  expect((await create('new@acme.test')).status).toBe(201);
  const counted = { id: 'fault_1', calls: 2, applied: 1, used_up: true };
  expect(await get('/faults')).toMatchObject({ faults: [counted], used_up: 1 });
  for (const given of [{ retry_after: 7 }, { headers: { 'Retry-After': '7' } }]) {
    await fault({ ...ONCE, status: 429, ...given });
    expect((await create('new@acme.test')).headers['retry-after']).toBe('7'); // without either it is 1
  }
});

test('a delay postpones the answer, an abort breaks the connection, and the journal shows both', async () => {
  const { fault, list, newest } = await begin();
  await fault({ ...ONCE, operation: 'listConnectedAccounts', delay_ms: 60 });
  expect((await list()).status).toBe(200);
  const { duration_ms, fault: told } = await newest(200);
  expect([duration_ms >= 55, told]).toEqual([true, 'fault_1']);
  await fault({ ...ONCE, abort: true });
  await expect(list()).rejects.toThrow();
  expect(await newest(0)).toMatchObject({ fault: 'fault_2', response: { headers: {} } });
  expect((await list()).status).toBe(200);
});

test('behaviour X8: abort "after" makes the change and loses the reply, and the client that tries again gets 409 or 404', async () => {
  const { fault, create, api, get, newest } = await begin();
  const pair = { connector: 'mail', identifier: 'lost@acme.test' };
  await fault({ ...ONCE, abort: 'after' });
  await expect(create(pair.identifier)).rejects.toThrow();
  const lost = { fault: 'fault_1', reason: 'reply lost by fault_1', response: { headers: {} } };
  expect(await newest(0)).toMatchObject(lost);
  expect((await get('/events')).events.at(-1)).toMatchObject({ type: 'connected_account.created' });
  expect((await create(pair.identifier)).status).toBe(409);
  await fault({ ...ONCE, operation: 'deleteConnectedAccount', abort: 'after', after: 0 });
  await expect(api('POST', `${LIST}:delete`, pair)).rejects.toThrow();
  expect((await api('POST', `${LIST}:delete`, pair)).status).toBe(404);
  await fault({ ...ONCE, operation: 'createMembership', abort: 'after' });
  const member = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000005';
  await expect(api('POST', member, {})).rejects.toThrow();
  expect((await get('/outbox')).emails).toHaveLength(1);
  await fault({ ...ONCE, abort: 'before' });
  await expect(create(pair.identifier)).rejects.toThrow();
  expect((await newest(0)).reason).toBe('connection cut by fault_4, before anything happened');
  expect((await create(pair.identifier)).status).toBe(201);
});

test('faults can be deleted one by one or all at once', async () => {
  const { fault, control, list } = await begin();
  for (const status of [500, 504]) await fault({ operation: '*', status });
  expect((await control('DELETE', '/faults?id=fault_1')).status).toBe(200);
  expect((await list()).status).toBe(504);
  await control('DELETE', '/faults');
  expect((await list()).status).toBe(200);
});

test('a request with Prefer: code=N gets that status and Preference-Applied, and changes nothing', async () => {
  const { api, create } = await begin();
  const body = { connector: 'mail', identifier: 'preferred@acme.test' };
  for (const code of [400, 418, 429, 599]) {
    const { status, headers } = await api('POST', LIST, body, { prefer: `code=${code}` });
    expect([status, headers['preference-applied']]).toEqual([code, `code=${code}`]);
  }
  expect((await create(body.identifier)).status).toBe(201);
  const { status, headers } = await api('GET', LIST, undefined, { prefer: 'code=200' });
  expect([status, headers['preference-applied']]).toEqual([200, undefined]);
});

test('behaviour R1: an injected error has all members of a real error with its code', async () => {
  const { api, fault } = await begin();
  const body = { connector: 'mail', identifier: 'shaped@acme.test' };
  const preferred = async (code: number) =>
    (await api('POST', LIST, body, { prefer: `code=${code}` })).body.details[0];
  const violation = { field: 'request', constraint: 'injected', description: expect.any(String) };
  expect(await preferred(400)).toMatchObject({ validation_error_info: { field_violations: [violation] } });
  const resource_info = { resource_name: 'operation createConnectedAccount' };
  for (const code of [403, 404, 409]) expect(await preferred(code)).toMatchObject({ resource_info });
  expect(await preferred(500)).toMatchObject({ debug_info: { stack_entries: [] } });
  await fault({ operation: 'listConnections', error_code: 'CONNECTION_NOT_ENABLED' });
  const failed = (await api('GET', '/api/v1/connections')).body;
  expect(failed).toMatchObject({ resource_info: { resource_name: 'operation listConnections' } });
  expect(failed.details[0].resource_info).toEqual(failed.resource_info);
});

test('the body of a fault is sent unchanged, even if the contract does not allow it, and is in the journal', async () => {
  const { fault, list, newest } = await begin();
  await fault({ ...ONCE, status: 502, body: '<h1>Bad gateway</h1>' });
  await fault({ ...ONCE, body: { connected_accounts: 'none' } });
  const { status, text } = await list();
  expect([status, text]).toEqual([502, '<h1>Bad gateway</h1>']);
  expect((await list()).body).toEqual({ connected_accounts: 'none' });
  expect(await newest(502)).toMatchObject({ fault: 'fault_1', response: { body: '<h1>Bad gateway</h1>' } });
});

test('a fault for one identifier or body affects only matching calls, and a body that is not JSON is still 400', async () => {
  const { fault, api, create } = await begin();
  await fault({ match: { identifier: 'unlucky@acme.test' }, status: 409 });
  await fault({ match: { body: { user_id: 'u1' } }, status: 503 });
  expect((await create('unlucky@acme.test')).status).toBe(409);
  expect((await create('lucky@acme.test')).status).toBe(201);
  expect((await create('other@acme.test', { user_id: 'u1' })).status).toBe(503);
  expect((await api('POST', LIST, '{"broken')).status).toBe(400);
  const rule = { operation: 'listConnectedAccounts', match: { query: { connector: 'crm' } }, status: 504 };
  expect((await fault(rule)).id).toBe('fault_3'); // a call without a body has a query
  expect((await api('GET', `${LIST}?connector=crm`)).status).toBe(504);
});

test('a fault for one client affects only that client, and no fault affects calls without a valid token', async () => {
  const { fault, get, name } = await begin();
  const { client_id, client_secret, access_token } = await get('');
  const token = await server.issueToken(client_id, client_secret);
  await fault({ match: { client_id }, status: 503 });
  expect((await server.call('GET', LIST, { token })).status).toBe(503);
  expect((await server.call('GET', LIST, { token: access_token })).status).toBe(200);
  expect(await server.issueToken(client_id, client_secret)).toBeUndefined(); // it names the client too
  await fault({ operation: '*', status: 504 });
  const headers = { 'x-mock-environment': name };
  expect((await server.call('GET', LIST, { token: 'nobody', headers })).status).toBe(401);
});

test('behaviour X7: faults of a scenario are there at the start and after a reset, with their counts at zero', async () => {
  const { create, control, get } = await begin({ scenario: 'verify-flow' });
  const statuses: number[] = [];
  for (const name of ['down', 'limited', 'a']) statuses.push((await create(`${name}@acme.test`)).status);
  expect(statuses).toEqual([503, 429, 201]);
  const { faults } = await get('/faults');
  expect(faults.map(({ applied }: { applied: number }) => applied)).toEqual([0, 1, 1]);
  await control('DELETE', '/faults');
  await control('POST', '/reset');
  const reset = [{ id: 'fault_1', calls: 0 }, { applied: 0 }, { applied: 0 }];
  expect(await get('/faults')).toMatchObject({ faults: reset });
});

test('behaviour X7: an export has the faults that can still take effect, PUT puts them in place, and PATCH refuses them', async () => {
  const { fault, list, get, control, api } = await begin();
  await fault({ operation: 'listConnectedAccounts', status: [503, 429, 504], retry_after: 2 });
  await fault({ ...ONCE, delay_ms: 1 });
  await control('POST', '/snapshots', { name: 'full' });
  expect((await list()).status).toBe(503);
  await api('GET', '/api/v1/connections');
  const state = await get('/state');
  const faults = [{ operation: 'listConnectedAccounts', status: [429, 504], retry_after: 2 }];
  expect(state.faults).toEqual(faults);
  await control('DELETE', '/faults');
  expect((await control('PUT', '/state', state)).status).toBe(200);
  expect(await get('/state')).toEqual(state);
  expect((await list()).status).toBe(429);
  for (const status of [503, 503]) {
    await control('POST', '/snapshots/full/restore');
    expect((await list()).status).toBe(status);
  }
  const { status, body } = await control('PATCH', '/state', { faults });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('use POST .../faults')]);
});

const faultsOf = (...rules: FaultForm[]) => {
  let faults = toFaults(rules);
  return {
    add: (rule: FaultForm) => ({ faults } = addFault(faults, rule)),
    list: () => faults.map(presentFault),
    readsBody: (operation: string) => readsBody(faults, operation),
    effectOn: (call: FaultCall) => {
      const after = effectOn(faults, call);
      faults = after.faults;
      return after.effect;
    },
  };
};

const callOf = (operation: OperationId, rest: Partial<FaultCall> = {}): FaultCall => ({
  operation,
  path: '/keys',
  query: '',
  body: undefined,
  ...rest,
});

const KEYS = callOf('getKeys');

/** The status that a fault gives the call; undefined if no fault answers the call. */
const statusOn = (faults: ReturnType<typeof faultsOf>, call = KEYS): number | undefined => {
  const answer = faults.effectOn(call)?.instead;
  return answer instanceof Refusal ? answer.extras.status : answer?.status;
};

test.each<[title: string, Partial<FaultForm>, replies: string, applied: number, isUsedUp: boolean]>([
  ['a list is used once, in sequence, and a 200 passes', { status: [503, 200, 429] }, '503 - 429 -', 2, true],
  ['with `times`, a list repeats', { status: [503, 429], times: 3 }, '503 429 503 -', 3, true],
  ['`after` comes first, `times` ends it', { status: 500, after: 2, times: 2 }, '- - 500 500 - -', 2, true],
  ['without either, it has no end', { status: 500 }, '500 500 500', 3, false],
])('the replies of a fault: %s', (_title, rule, replies, applied, used_up) => {
  const faults = faultsOf({ operation: '*', ...rule });
  const calls = replies.split(' ');
  expect(calls.map(() => statusOn(faults) ?? '-').join(' ')).toBe(replies);
  expect(faults.list()).toMatchObject([{ calls: calls.length, applied, used_up }]);
});

test('a fault with status 200 can delay the call, and a list of statuses begins after the calls of `after`', () => {
  const faults = faultsOf({ operation: '*', status: [200, 503], delay_ms: 5, after: 1 });
  const effects = Array.from({ length: 3 }, () => faults.effectOn(KEYS));
  expect(effects.map((effect) => effect?.delayMs)).toEqual([undefined, 5, 5]);
  expect(effects.map((effect) => effect?.instead !== undefined)).toEqual([false, false, true]);
});

test('delays add up, and after one fault answers a call the next fault is not used up', () => {
  const faults = faultsOf(
    { operation: '*', delay_ms: 10 },
    { operation: '*', error_code: 'UNIMPLEMENTED', delay_ms: 5, times: 1 },
    { operation: '*', error_code: 'INTERNAL_ERROR', times: 1 },
    { operation: '*', delay_ms: 1 },
  );
  expect(faults.effectOn(KEYS)).toMatchObject({ fault: 'fault_2', delayMs: 15 });
  expect(statusOn(faults)).toBe(500);
  expect(faults.effectOn(KEYS)).toEqual({ fault: 'fault_1', delayMs: 11 });
});

test.each<[NonNullable<FaultForm['match']>, Partial<FaultCall>, boolean]>([
  [{ client_id: 'one' }, { client_id: 'one' }, true],
  [{ client_id: 'one' }, { client_id: 'two' }, false],
  [{ client_id: 'one' }, {}, false],
  [{ identifier: 'ada@acme.test' }, { query: 'identifier=ada%40acme.test' }, true],
  [{ identifier: 'ada@acme.test' }, { body: { identifier: 'ada@acme.test' } }, true],
  [{ identifier: 'ada@acme.test' }, { body: { metadata: { identifier: 'ada@acme.test' } } }, false],
  [{ query: { page_size: '5', connector: 'crm' } }, { query: 'connector=mail&page_size=5' }, false],
  [{ body: { roles: [{ name: 'admin' }] } }, { body: { roles: [{ id: '1' }, { name: 'admin' }] } }, true],
  [{ body: { roles: [{ name: 'admin' }] } }, { body: { roles: [{ name: 'member' }] } }, false],
  [{ body: { metadata: {} } }, { body: { metadata: 'text' } }, false],
  [{ body: { toString: 'x' } }, { body: {} }, false],
  [{ body: { organization_id: 'o' } }, { body: { organizationId: 'o' } }, true],
  [{ body: { organizationId: 'o' } }, { body: { organization_id: 'o' } }, true],
  [{ query: { organization_id: 'o' } }, { query: 'organizationId=o' }, true],
  [{ path: '/api/v1/connections' }, { path: '/api/v1/connected_accounts' }, false],
])('a fault that matches %j affects a call with %j: %s', (match, call, expected) => {
  const faults = faultsOf({ operation: '*', status: 500, match });
  expect(faults.effectOn(callOf('createConnectedAccount', call)) !== undefined).toBe(expected);
  expect(faults.list()).toMatchObject([{ calls: expected ? 1 : 0 }]);
});

test('the body is read early only if a fault of the operation compares it', () => {
  const faults = faultsOf(
    { operation: 'createMembership', status: 500, match: { body: { metadata: {} } } },
    { operation: 'createMagicLink', status: 500, match: { identifier: 'a' } },
    { operation: '*', status: 500, match: { query: { a: 'b' } } },
  );
  const operations = ['createMembership', 'createMagicLink', 'listConnections'];
  expect(operations.map((each) => faults.readsBody(each))).toEqual([true, true, false]);
});

/** An error of this code and status. */
const errorOf = (errorCode: string, status: number, shownCode?: string) => ({
  errorCode,
  extras: { status, isInjected: true, ...(shownCode && { shownCode }) },
});

/** A reply with this status and type, and the body of the fault. */
const replyOf = (status: number, type: string) => ({
  status,
  headers: { 'Content-Type': `${type}; charset=utf-8` },
});

// The code of an injected status is its code in the contract, or the first code of its class; an `error_code` may be any text.
test.each<[Partial<FaultForm>, object]>([
  [{ status: 503 }, errorOf('UNAVAILABLE', 503)],
  [{ status: 502 }, errorOf('UNAVAILABLE', 502)],
  [{ status: 599 }, errorOf('INTERNAL_ERROR', 599)],
  [{ status: 504 }, errorOf('DEADLINE_EXCEEDED', 504)],
  [{ status: 418 }, errorOf('INVALID_ARGUMENT', 418)],
  [{ status: 409 }, errorOf('RESOURCE_ALREADY_EXISTS', 409)],
  [{ status: 403 }, errorOf('PERMISSION_DENIED', 403)],
  [{ status: 405 }, errorOf('INVALID_ARGUMENT', 405)],
  [{ error_code: 'QUOTA_EXCEEDED', status: 429 }, errorOf('RATE_LIMITED', 429, 'QUOTA_EXCEEDED')],
  [{ error_code: 'QUOTA_EXCEEDED' }, errorOf('INTERNAL_ERROR', 500, 'QUOTA_EXCEEDED')],
  [{ error_code: 'NOT_FOUND', status: 410 }, errorOf('NOT_FOUND', 410, 'NOT_FOUND')],
  [{ error_code: 'NOT_FOUND' }, errorOf('NOT_FOUND', 404, 'NOT_FOUND')],
  [{ status: 502, body: '<h1>Bad gateway</h1>' }, replyOf(502, 'text/html')],
  [{ body: '{"connected_accounts": [' }, replyOf(200, 'application/json')],
  [{ status: 500, body: { error: 'down' } }, replyOf(500, 'application/json')],
  [{ status: 503, body: 'busy' }, replyOf(503, 'text/plain')],
  [{ status: 503, body: '' }, replyOf(503, 'text/plain')],
  [{ error_code: 'NOT_FOUND', body: ' [1' }, replyOf(404, 'application/json')],
])('a call that gets the fault %j is answered with %j', (rule, expected) => {
  const { body } = rule;
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const instead = faultsOf({ operation: '*', ...rule }).effectOn(KEYS)?.instead;
  if (text === undefined) expect(instead).toMatchObject(expected);
  else expect(instead).toEqual({ ...expected, text });
});

test('there can be 1,000 faults, and a used-up fault makes room for another', () => {
  const faults = faultsOf({ operation: '*', delay_ms: 0, times: 1 });
  for (let count = 1; count < 1_000; count += 1) faults.add({ operation: '*', delay_ms: 0 });
  expect(refusal(() => faults.add({ operation: '*', delay_ms: 0 })).message).toContain('1000 faults');
  faults.effectOn(KEYS);
  faults.add({ operation: '*', delay_ms: 0 });
  expect(faults.list()[0]?.id).toBe('fault_2');
});

const ignored = (code: string) => ({
  warning: `Prefer: code=${code} was ignored. The code must be 400 to 599.`,
});

test.each([
  ['code=429', { status: 429 }],
  ['CODE=404', { status: 404 }],
  ['respond-async, code="500"; x=1', { status: 500 }],
  ['xcode=404', { warning: 'Prefer: xcode=404 was ignored. Did you mean "code=404"?' }],
  ['wait=500, return=minimal', undefined],
  ['respond-async', undefined],
  ['', undefined],
  [undefined, undefined],
  ...['200', '600', '4290', 'abc', '', '40'].map((code) => [`code=${code}`, ignored(code)] as const),
])('RFC 7240: Prefer: %s asks for %j', (header, preference) => {
  expect(readPreference(header)).toEqual(preference);
});
