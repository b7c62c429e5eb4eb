import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ControlServer, startControlServer } from '../support/control.ts';

let server: ControlServer;
beforeAll(async () => {
  server = await startControlServer();
});
afterAll(() => server.close());

const LIST = '/api/v1/connected_accounts';

test('a fault by status answers the contract-shaped error and changes nothing', async () => {
  const { control, api } = await server.isolated();
  const { status, body } = await control('POST', '/faults', {
    operation: 'createConnectedAccount',
    status: 500,
    times: 1,
  });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: 'fault_1',
    operation: 'createConnectedAccount',
    status: 500,
    times: 1,
    calls: 0,
    applied: 0,
  });
  const create = () => api('POST', LIST, { connector: 'mail', identifier: 'new@acme.test' });
  const failed = await create();
  expect(failed.status).toBe(500);
  expect(failed.body).toMatchObject({ code: 13, details: [{ error_code: 'INTERNAL_ERROR' }] });
  expect((await create()).status).toBe(201);
  const { faults } = (await control('GET', '/faults')).body;
  expect(faults).toMatchObject([{ id: 'fault_1', calls: 2, applied: 1 }]);
});

test('a 429 that was asked for has Retry-After, on the token operation too', async () => {
  const { control, api, name } = await server.isolated();
  await control('POST', '/faults', { operation: '*', error_code: 'RATE_LIMITED' });
  const limited = await api('GET', LIST);
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
  const { client_id, client_secret } = (await server.control('GET', `/environments/${name}`)).body;
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const token = await server.call('POST', '/oauth/token', { token: null, body: form });
  expect(token.status).toBe(429);
  expect(token.body.code).toBe(8);
});

test('a delay holds the answer back, and the operation runs', async () => {
  const { control, api } = await server.isolated();
  await control('POST', '/faults', { operation: 'listConnectedAccounts', delay_ms: 60 });
  const { status } = await api('GET', LIST);
  expect(status).toBe(200);
  const [{ duration_ms, fault }] = (await control('GET', '/requests')).body.requests;
  expect(duration_ms).toBeGreaterThanOrEqual(55);
  expect(fault).toBe('fault_1');
});

test('an abort breaks the connection off and is noted in the journal', async () => {
  const { control, api } = await server.isolated();
  await control('POST', '/faults', { operation: 'listConnectedAccounts', abort: true, times: 1 });
  await expect(api('GET', LIST)).rejects.toThrow();
  expect((await control('GET', '/requests?status=0')).body.requests).toMatchObject([{ fault: 'fault_1' }]);
  expect((await api('GET', LIST)).status).toBe(200);
});

test('faults are deleted one by one, or all', async () => {
  const { control, api } = await server.isolated();
  await control('POST', '/faults', { operation: '*', status: 500 });
  await control('POST', '/faults', { operation: '*', status: 504 });
  expect((await control('DELETE', '/faults?id=fault_1')).status).toBe(200);
  expect((await api('GET', LIST)).status).toBe(504);
  expect((await control('DELETE', '/faults?id=fault_1')).status).toBe(404);
  expect((await control('DELETE', '/faults?id=')).status).toBe(400);
  expect((await api('GET', LIST)).status).toBe(504);
  await control('DELETE', '/faults');
  expect((await api('GET', LIST)).status).toBe(200);
});

test.each([
  [
    { operation: 'listConnectedAcounts', status: 500 },
    'no operation of the contract',
    'Did you mean "listConnectedAccounts"?',
  ],
  [{ operation: '*' }, 'says nothing', 'Add one or more of preset'],
  [{ operation: '*', status: 399 }, 'status is 399, but must be', 'POST /environments/{env}/faults'],
  [
    { operation: '*', status: 404, error_code: 'RATE_LIMITED' },
    'RATE_LIMITED goes with status 429',
    'Leave one',
  ],
  [
    { operation: '*', error_code: 'RATE_LIMIT' },
    'which the contract does not have',
    'Did you mean "RATE_LIMITED"?',
  ],
  [{ operation: '*', status: '429' }, 'status is "429", but must be a whole number', 'faults'],
  [{ operation: '*', abort: true, status: 500 }, 'breaks off before the answer', '"abort": "body"'],
  [{ preset: 'outages' }, 'preset is "outages"', 'Did you mean "outage"?'],
  [{ operation: '*', delay_ms: { min: 20, max: 10 } }, 'delay_ms has 20 as its min', 'Exchange the two'],
  [
    { operation: '*', delay_ms: { median: 20, p99: 10 } },
    'delay_ms has 20 as its median',
    'Exchange the two',
  ],
  [{ operation: '*', delay_ms: 5, headers: { a: 'b' } }, 'Headers need an answer', 'Add a status'],
  [{ operation: '*', delay_ms: 5, retry_after: 5 }, 'Headers need an answer', 'Add a status'],
  [{ operation: '*', status: 500, headers: { 'a b': 'c' } }, 'headers.a b is no header', 'Names are letters'],
  [{ operation: '*', status: 500, headers: { a: 'c\r\nd: e' } }, 'headers.a is no header', 'no line breaks'],
  [{ operation: '*', body: 'x', headers: { 'Content-Length': '9' } }, 'Content-Length', 'set by the mock'],
  [{ operation: '*', status: 500, match: {} }, 'match is an object', 'faults'],
  [{ operation: '*', status: [503, 600] }, 'status.1 is 600', 'faults'],
  [{ operation: '*', status: 500, probability: 2 }, 'probability is 2', 'POST /environments/{env}/faults'],
])('a fault %j is refused and says what to do', async (rule, message, hint) => {
  const { control } = await server.isolated();
  const { status, body } = await control('POST', '/faults', rule);
  expect(status).toBe(400);
  expect(body.error.message).toContain(message);
  expect(body.error.hint).toContain(hint);
  expect((await control('GET', '/faults')).body.faults).toEqual([]);
});

test('a number too large to hold is no number of times', async () => {
  const { control } = await server.isolated();
  const { status, body } = await control('POST', '/faults', '{"operation":"*","status":500,"times":1e400}');
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('times')]);
});

test('a fault with a probability takes effect on the same calls again after a reset', async () => {
  const { control, api } = await server.isolated();
  const run = async () => {
    await control('POST', '/reset');
    await control('POST', '/faults', { operation: '*', status: 504, probability: 0.5 });
    const statuses: number[] = [];
    for (let call = 0; call < 12; call += 1) statuses.push((await api('GET', LIST)).status);
    return statuses;
  };
  const first = await run();
  expect(new Set(first)).toEqual(new Set([200, 504]));
  expect(await run()).toEqual(first);
});

test('Prefer: code=N fails one request, changes nothing, and answers Preference-Applied', async () => {
  const { api } = await server.isolated();
  const body = { connector: 'mail', identifier: 'preferred@acme.test' };
  for (const code of [400, 401, 403, 404, 409, 429, 500, 501, 504]) {
    const { status, headers } = await api('POST', LIST, body, { prefer: `code=${code}` });
    expect([status, headers.get('preference-applied')]).toEqual([code, `code=${code}`]);
  }
  expect((await api('POST', LIST, body)).status).toBe(201);
});

test('behaviour R1: an injected error has every member that a real one of its code has', async () => {
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

test('an injected 400 is no rule of the contract that the request broke', async () => {
  const { control, api } = await server.isolated();
  await api('GET', LIST, undefined, { prefer: 'code=400' });
  expect((await control('GET', '/requests')).body.requests).toMatchObject([{ status: 400, violations: [] }]);
});
