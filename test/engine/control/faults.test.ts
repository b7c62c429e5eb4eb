import { expect, test } from '@jest/globals';
import { Refusal } from '../../../src/engine/core/errors.ts';
import { createFaults, type FaultCall, type FaultForm } from '../../../src/engine/environments/faults.ts';
import { readPreference } from '../../../src/engine/environments/planned-reply.ts';
import type { OperationId } from '../../../src/service/contract.ts';
import { refusal } from '../../support/core.ts';
import { testServer } from '../../support/server.ts';

const server = testServer();

const LIST = '/api/v1/connected_accounts';

test('a call with an injected status gets an error as the contract describes it, and changes nothing', async () => {
  const { control, api } = await server.isolated();
  const limits = { times: 1, retry_after: 7, headers: { 'X-Proxy': 'a' } };
  const rule = { operation: 'createConnectedAccount', status: 500, ...limits };
  const { status, body } = await control('POST', '/faults', rule);
  expect(status).toBe(201);
  expect(body).toEqual({ id: 'fault_1', ...rule, calls: 0, applied: 0, used_up: false });
  const create = () => api('POST', LIST, { connector: 'mail', identifier: 'new@acme.test' });
  const failed = await create();
  expect([failed.status, failed.headers['retry-after'], failed.headers['x-proxy']]).toEqual([500, '7', 'a']);
  expect(failed.body).toMatchObject({ code: 13, details: [{ error_code: 'INTERNAL_ERROR' }] });
  expect((await create()).status).toBe(201);
  expect((await control('GET', '/faults')).body).toMatchObject({
    faults: [{ id: 'fault_1', calls: 2, applied: 1, used_up: true }],
    used_up: 1,
  });
  for (const given of [{ retry_after: 7 }, { headers: { 'Retry-After': '7' } }]) {
    await control('POST', '/faults', {
      operation: 'createConnectedAccount',
      status: 429,
      times: 1,
      ...given,
    });
    expect((await create()).headers['retry-after']).toBe('7'); // without either it is 1
  }
});

test('a delay postpones the answer, and the operation still runs', async () => {
  const { control, api } = await server.isolated();
  await control('POST', '/faults', { operation: 'listConnectedAccounts', delay_ms: 60 });
  const { status } = await api('GET', LIST);
  expect(status).toBe(200);
  const [{ duration_ms, fault }] = (await control('GET', '/requests')).body.requests;
  expect(duration_ms).toBeGreaterThanOrEqual(55);
  expect(fault).toBe('fault_1');
});

test('an abort breaks the connection, and the journal shows it', async () => {
  const { control, api } = await server.isolated();
  await control('POST', '/faults', { operation: 'listConnectedAccounts', abort: true, times: 1 });
  await expect(api('GET', LIST)).rejects.toThrow();
  expect((await control('GET', '/requests?status=0')).body.requests).toMatchObject([
    { fault: 'fault_1', response: { headers: {} } },
  ]);
  expect((await api('GET', LIST)).status).toBe(200);
});

test('behaviour X8: abort "after" makes the change and loses the reply, and the client that tries again gets 409 or 404', async () => {
  const { control, api } = await server.isolated();
  const journal = async () => (await control('GET', '/requests?status=0')).body.requests.at(-1);
  const body = { connector: 'mail', identifier: 'lost@acme.test' };
  await control('POST', '/faults', { operation: '*', abort: 'after', times: 1 });
  await expect(api('POST', LIST, body)).rejects.toThrow();
  expect(await journal()).toMatchObject({
    fault: 'fault_1',
    reason: 'reply lost by fault_1',
    response: { headers: {} },
  });
  expect((await control('GET', '/events')).body.events.at(-1)).toMatchObject({
    type: 'connected_account.created',
  });
  expect((await api('POST', LIST, body)).status).toBe(409);
  await control('POST', '/faults', {
    operation: 'deleteConnectedAccount',
    abort: 'after',
    after: 0,
    times: 1,
  });
  await expect(api('POST', `${LIST}:delete`, body)).rejects.toThrow();
  expect((await api('POST', `${LIST}:delete`, body)).status).toBe(404);
  await control('POST', '/faults', { operation: 'createMembership', abort: 'after', times: 1 });
  const member = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000005';
  await expect(api('POST', member, {})).rejects.toThrow();
  expect((await control('GET', '/outbox')).body.emails).toHaveLength(1);
  await control('POST', '/faults', { operation: '*', abort: 'before', times: 1 });
  await expect(api('POST', LIST, body)).rejects.toThrow();
  expect((await journal()).reason).toBe('connection cut by fault_4, before anything happened');
  expect((await api('POST', LIST, body)).status).toBe(201);
});

test('behaviour X8, N1: abort is true, "before" or "after", and a misspelt word is refused with the nearest', async () => {
  const { control } = await server.isolated();
  const refusal = async (abort: unknown) => (await control('POST', '/faults', { abort })).body.error;
  expect((await refusal('late')).message).toContain(
    'abort is "late", but must be one of true, before, after',
  );
  expect((await refusal('afer')).hint).toContain('Did you mean "after"?');
  expect((await refusal('true')).hint).toContain('Write true without quotes.');
});

test('faults can be deleted one by one or all at once', async () => {
  const { control, api } = await server.isolated();
  await control('POST', '/faults', { operation: '*', status: 500 });
  await control('POST', '/faults', { operation: '*', status: 504 });
  expect((await control('DELETE', '/faults?id=fault_1')).status).toBe(200);
  expect((await api('GET', LIST)).status).toBe(504);
  await control('DELETE', '/faults');
  expect((await api('GET', LIST)).status).toBe(200);
});

test('a request with Prefer: code=N gets that status and Preference-Applied, and changes nothing', async () => {
  const { api } = await server.isolated();
  const body = { connector: 'mail', identifier: 'preferred@acme.test' };
  for (const code of [400, 418, 429, 599]) {
    const { status, headers } = await api('POST', LIST, body, { prefer: `code=${code}` });
    expect([status, headers['preference-applied']]).toEqual([code, `code=${code}`]);
  }
  expect((await api('POST', LIST, body)).status).toBe(201);
});

test('behaviour R1: an injected error has all members of a real error with its code', async () => {
  const { control, api } = await server.isolated();
  const body = { connector: 'mail', identifier: 'shaped@acme.test' };
  const preferred = async (code: number) =>
    (await api('POST', LIST, body, { prefer: `code=${code}` })).body.details[0];
  const violation = { field: 'request', constraint: 'injected', description: expect.any(String) };
  expect(await preferred(400)).toMatchObject({ validation_error_info: { field_violations: [violation] } });
  for (const code of [403, 404, 409]) {
    const resource_name = 'operation createConnectedAccount';
    expect(await preferred(code)).toMatchObject({ resource_info: { resource_name } });
  }
  expect(await preferred(500)).toMatchObject({ debug_info: { stack_entries: [] } });
  await control('POST', '/faults', { operation: 'listConnections', error_code: 'CONNECTION_NOT_ENABLED' });
  const failed = (await api('GET', '/api/v1/connections')).body;
  expect(failed).toMatchObject({ resource_info: { resource_name: 'operation listConnections' } });
  expect(failed.details[0].resource_info).toEqual(failed.resource_info);
});

test('the body of a fault is sent unchanged, even if the contract does not allow it, and is in the journal', async () => {
  const { control, api } = await server.isolated();
  await control('POST', '/faults', { operation: '*', status: 502, body: '<h1>Bad gateway</h1>', times: 1 });
  await control('POST', '/faults', { operation: '*', body: { connected_accounts: 'none' }, times: 1 });
  const { status, text } = await api('GET', LIST);
  expect([status, text]).toEqual([502, '<h1>Bad gateway</h1>']);
  expect((await api('GET', LIST)).body).toEqual({ connected_accounts: 'none' });
  const [shown] = (await control('GET', '/requests?status=502')).body.requests;
  expect(shown).toMatchObject({ fault: 'fault_1', response: { body: '<h1>Bad gateway</h1>' } });
});

test('a fault for one identifier or body affects only matching calls, and a body that is not JSON is still 400', async () => {
  const { control, api } = await server.isolated();
  await control('POST', '/faults', { match: { identifier: 'unlucky@acme.test' }, status: 409 });
  await control('POST', '/faults', { match: { body: { user_id: 'u1' } }, status: 503 });
  const create = async (given: object) => (await api('POST', LIST, { connector: 'mail', ...given })).status;
  expect(await create({ identifier: 'unlucky@acme.test' })).toBe(409);
  expect(await create({ identifier: 'lucky@acme.test' })).toBe(201);
  expect(await create({ identifier: 'other@acme.test', user_id: 'u1' })).toBe(503);
  expect((await api('POST', LIST, '{"broken')).status).toBe(400);
  const rule = { operation: 'listConnectedAccounts', match: { query: { connector: 'crm' } }, status: 504 };
  expect((await control('POST', '/faults', rule)).status).toBe(201); // a call without a body has a query
  expect((await api('GET', `${LIST}?connector=crm`)).status).toBe(504);
});

test('a fault for one client affects only that client, and no fault affects calls without a valid token', async () => {
  const { control, name } = await server.isolated();
  const { client_id, client_secret, access_token } = (await control('GET', '')).body;
  const token = await server.issueToken(client_id, client_secret);
  await control('POST', '/faults', { match: { client_id }, status: 503 });
  expect((await server.call('GET', LIST, { token })).status).toBe(503);
  expect((await server.call('GET', LIST, { token: access_token })).status).toBe(200);
  expect(await server.issueToken(client_id, client_secret)).toBeUndefined(); // it names the client too
  await control('POST', '/faults', { operation: '*', status: 504 });
  const headers = { 'x-mock-environment': name };
  expect((await server.call('GET', LIST, { token: 'nobody', headers })).status).toBe(401);
});

test('a code in Prefer that is not 400 to 599 is ignored, and the journal says so', async () => {
  const { control, api } = await server.isolated();
  const ignored = await api('GET', LIST, undefined, { prefer: 'code=200' });
  expect([ignored.status, ignored.headers['preference-applied']]).toEqual([200, undefined]);
  await api('GET', LIST);
  const { requests } = (await control('GET', '/requests?status=200')).body;
  expect(requests.map(({ warnings }: { warnings: string[] }) => warnings)).toEqual([
    ['Prefer: code=200 was ignored. The code must be 400 to 599.'],
    [],
  ]);
});

test('behaviour X7: faults of a scenario are there at the start and after a reset, with their counts at zero', async () => {
  const { control, api } = await server.isolated({ scenario: 'verify-flow' });
  const create = async (identifier: string) =>
    (await api('POST', LIST, { connector: 'mail', identifier })).status;
  expect([
    await create('down@acme.test'),
    await create('limited@acme.test'),
    await create('a@acme.test'),
  ]).toEqual([503, 429, 201]);
  const list = async () => (await control('GET', '/faults')).body.faults;
  expect((await list()).map(({ applied }: { applied: number }) => applied)).toEqual([0, 1, 1]);
  await control('DELETE', '/faults');
  await control('POST', '/reset');
  expect(await list()).toMatchObject([{ id: 'fault_1', calls: 0 }, { applied: 0 }, { applied: 0 }]);
});

test('behaviour X7: an export has the faults that can still take effect, PUT puts them in place, and PATCH refuses them', async () => {
  const { control, api } = await server.isolated();
  await control('POST', '/faults', {
    operation: 'listConnectedAccounts',
    status: [503, 429, 504],
    retry_after: 2,
  });
  await control('POST', '/faults', { operation: '*', delay_ms: 1, times: 1 });
  await control('POST', '/snapshots', { name: 'full' });
  expect((await api('GET', LIST)).status).toBe(503);
  await api('GET', '/api/v1/connections');
  const { body } = await control('GET', '/state');
  const faults = [{ operation: 'listConnectedAccounts', status: [429, 504], retry_after: 2 }];
  expect(body.faults).toEqual(faults);
  await control('DELETE', '/faults');
  expect((await control('PUT', '/state', body)).status).toBe(200);
  expect((await control('GET', '/state')).body).toEqual(body);
  expect((await api('GET', LIST)).status).toBe(429);
  for (const status of [503, 503]) {
    await control('POST', '/snapshots/full/restore');
    expect((await api('GET', LIST)).status).toBe(status);
  }
  const refused = await control('PATCH', '/state', { faults });
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    expect.stringContaining('use POST .../faults'),
  ]);
});

test.each([
  [{ operation: 'listConections', status: 503 }, 'faults[0].operation', 'Did you mean "listConnections"?'],
  [
    { operation: 'listConnections', match: { body: { a: 1 } }, status: 503 },
    'faults[0].match.body',
    'have no body',
  ],
  [
    { operation: 'listConnections', match: { path: '/api/v1/conections' }, status: 503 },
    'faults[0].match.path',
    'is /api/v1/connections.',
  ],
  [{ abort: 'afer' }, 'faults[0].abort', 'Did you mean "after"?'],
  [{ stauts: 503 }, 'faults[0].stauts', 'Did you mean "status"?'],
  [{ operation: '*' }, 'faults[0]', 'One of these is required: status, error_code, body, delay_ms, abort.'],
  [{ abort: true, status: 503 }, 'faults[0].status', 'status cannot be combined with abort.'],
  [{ headers: { 'X y': '1' }, status: 503 }, 'faults[0].headers.X y', 'headers.X y'],
])('behaviour X7, N2: a scenario with the fault %j is refused at %s', async (fault, path, words) => {
  const { control } = await server.isolated();
  const { status, body } = await control('PUT', '/state', { faults: [fault] });
  expect(status).toBe(400);
  expect(body.error.message).toContain(path);
  expect(`${body.error.message} ${body.error.hint}`).toContain(words);
});

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
