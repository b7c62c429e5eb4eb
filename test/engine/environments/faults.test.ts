import { expect, test } from '@jest/globals';
import { Refusal } from '../../../src/engine/core/errors.ts';
import { createFaults, type FaultCall, type FaultForm } from '../../../src/engine/environments/faults.ts';
import { readPreference } from '../../../src/engine/environments/instead.ts';
import type { OperationId } from '../../../src/service/contract.ts';
import { refusal } from '../../support/core.ts';

const faultsOf = (...rules: FaultForm[]) => {
  const faults = createFaults();
  for (const rule of rules) faults.add(rule);
  return faults;
};

const callOf = (operation: OperationId, rest: Partial<FaultCall> = {}): FaultCall => ({
  operation,
  client_id: undefined,
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

test('a fault affects calls of its operation, and `*` affects all calls', () => {
  const faults = faultsOf({ operation: 'listConnections', error_code: 'INTERNAL_ERROR' });
  expect(faults.effectOn(KEYS)).toBeUndefined();
  expect(statusOn(faults, callOf('listConnections'))).toBe(500);
  faults.add({ operation: '*', abort: true });
  expect(faults.effectOn(KEYS)).toEqual({ fault: 'fault_2', delayMs: 0, abort: true });
});

test('`after` lets the first calls through, and `times` limits how often a fault takes effect', () => {
  const faults = faultsOf({ operation: '*', abort: true, after: 2, times: 2 });
  const affected = Array.from({ length: 6 }, () => faults.effectOn(KEYS) !== undefined);
  expect(affected).toEqual([false, false, true, true, false, false]);
  expect(faults.list()).toMatchObject([{ calls: 6, applied: 2, used_up: true }]);
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

test('a list of statuses is used once, in sequence, and a 200 in it lets the call through', () => {
  const faults = faultsOf({ operation: '*', status: [503, 200, 429] });
  expect(Array.from({ length: 4 }, () => statusOn(faults))).toEqual([503, undefined, 429, undefined]);
  expect(faults.list()).toMatchObject([{ calls: 4, applied: 2 }]);
});

test('a fault with status 200 can delay the call, and a list of statuses begins after the calls of `after`', () => {
  const faults = faultsOf({ operation: '*', status: [200, 503], delay_ms: 5, after: 1 });
  const effects = Array.from({ length: 3 }, () => faults.effectOn(KEYS));
  expect(effects.map((effect) => effect?.delayMs)).toEqual([undefined, 5, 5]);
  expect(effects.map((effect) => effect?.instead !== undefined)).toEqual([false, false, true]);
});

test('with `times`, a list of statuses repeats', () => {
  const faults = faultsOf({ operation: '*', status: [503, 429], times: 3 });
  expect(Array.from({ length: 4 }, () => statusOn(faults))).toEqual([503, 429, 503, undefined]);
  expect(faults.list()).toMatchObject([{ calls: 4, applied: 3, used_up: true }]);
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
  expect(operations.map(faults.readsBody)).toEqual([true, true, false]);
});

test('an injected 429 has Retry-After, and other injected errors have it only if the fault sets it', () => {
  const faults = faultsOf(
    { operation: 'getKeys', error_code: 'RATE_LIMITED' },
    { operation: 'listConnections', error_code: 'NOT_FOUND' },
    { operation: 'issueToken', status: 503, retry_after: 7, headers: { 'X-Served-By': 'proxy' } },
  );
  const headersOn = (operation: OperationId) => {
    const answer = faults.effectOn(callOf(operation))?.instead;
    return answer instanceof Refusal ? answer.extras.headers : undefined;
  };
  expect(headersOn('getKeys')).toEqual({ 'Retry-After': '1' });
  expect(headersOn('listConnections')).toEqual({});
  expect(headersOn('issueToken')).toEqual({ 'Retry-After': '7', 'X-Served-By': 'proxy' });
});

test.each([
  [503, 'UNAVAILABLE'],
  [502, 'UNAVAILABLE'],
  [599, 'INTERNAL_ERROR'],
  [504, 'DEADLINE_EXCEEDED'],
  [418, 'INVALID_ARGUMENT'],
  [409, 'RESOURCE_ALREADY_EXISTS'],
  [403, 'PERMISSION_DENIED'],
  [405, 'INVALID_ARGUMENT'],
])('an injected %i has the error code %s, which is its code in the contract or the first code of its class', (status, code) => {
  const answer = faultsOf({ operation: '*', status }).effectOn(KEYS)?.instead;
  expect(answer).toMatchObject({ errorCode: code, extras: { status, isInjected: true } });
});

test.each([
  [{ status: 502, body: '<h1>Bad gateway</h1>' }, 502, 'text/html; charset=utf-8'],
  [{ body: '{"connected_accounts": [' }, 200, 'application/json; charset=utf-8'],
  [{ status: 500, body: { error: 'down' } }, 500, 'application/json; charset=utf-8'],
  [{ status: 503, body: 'busy' }, 503, 'text/plain; charset=utf-8'],
  [{ status: 503, body: '' }, 503, 'text/plain; charset=utf-8'],
  [{ error_code: 'NOT_FOUND', body: ' [1' }, 404, 'application/json; charset=utf-8'],
])('a call that gets the fault %j is answered with %i as %s', (rule, status, type) => {
  const answer = faultsOf({ operation: '*', ...rule }).effectOn(KEYS)?.instead;
  const text = typeof rule.body === 'string' ? rule.body : JSON.stringify(rule.body);
  expect(answer).toEqual({ status, headers: { 'Content-Type': type }, text });
});

test('a content-type header of a fault decides the type of its body, ignoring case', () => {
  const headers = { 'content-type': 'application/xml' };
  const answer = faultsOf({ operation: '*', body: '<a/>', headers }).effectOn(KEYS)?.instead;
  expect(answer).toEqual({ status: 200, headers, text: '<a/>' });
  const other = faultsOf({ operation: '*', body: '<a/>', headers: { 'X-Own': '1' } }).effectOn(KEYS)?.instead;
  expect(other).toMatchObject({ headers: { 'X-Own': '1', 'Content-Type': 'text/html; charset=utf-8' } });
});

test.each([
  [{ error_code: 'QUOTA_EXCEEDED', status: 429 }, 'RATE_LIMITED', 429],
  [{ error_code: 'QUOTA_EXCEEDED' }, 'INTERNAL_ERROR', 500],
  [{ error_code: 'NOT_FOUND', status: 410 }, 'NOT_FOUND', 410],
  [{ error_code: 'NOT_FOUND' }, 'NOT_FOUND', 404],
])('an error code may be any text: the error of %j has the members of %s and the status %i', (rule, errorCode, status) => {
  const answer = faultsOf({ operation: '*', ...rule }).effectOn(KEYS)?.instead;
  expect(answer).toMatchObject({ errorCode, extras: { status, shownCode: rule.error_code } });
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
