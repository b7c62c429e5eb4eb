/** Reading the journal: limits, single calls, waits and archives; coverage; streams of events. */
import { expect, test } from '@jest/globals';
import { startMock } from '#mock';
import { callsOf, listeningServer } from '../../support/server.ts';

const server = await listeningServer();

const LIST = '/api/v1/connected_accounts';
const CONNECTIONS = '/api/v1/connections';

test('`limit` sets how many of the last calls are returned; without it, a list has 100 calls and an archive has all', async () => {
  const { api, get } = await server.isolated();
  for (let call = 1; call <= 124; call += 1) await api('GET', CONNECTIONS);
  const ask = async (query: string) => await get(`/requests?${query}`);
  const found = async (query: string): Promise<number[]> =>
    (await ask(query)).requests.map(({ sequence }: { sequence: number }) => sequence);
  expect(await found('limit=2')).toEqual([123, 124]);
  const all = await found('');
  expect([all.length, all[0], all.at(-1)]).toEqual([100, 25, 124]);
  expect((await ask('format=har')).log.entries).toHaveLength(124);
  expect((await ask('format=har&limit=3')).log.entries).toHaveLength(3);
  expect(await get('/requests/124')).toEqual((await ask('limit=1')).requests[0]);
});

test('`text` finds a part of path, query, either body or the client, in any case, before bodies are cut', async () => {
  const { api, get } = await server.isolated();
  const connected_account = { api_config: { long: `${'x'.repeat(70_000)} Needle` } };
  await api('POST', LIST, { connector: 'mail', identifier: 'Met@acme.test', connected_account });
  await api('GET', `${LIST}?identifier=zo%C3%AB%40acme.test`);
  await api('GET', CONNECTIONS);
  const found = async (text: string): Promise<number[]> => {
    const { requests } = await get(`/requests?${new URLSearchParams({ text })}`);
    return requests.map(({ sequence }: { sequence: number }) => sequence);
  };
  const wanted = {
    'met@acme': [1],
    NEEDLE: [1],
    'zoë@ACME': [2],
    '/CONNECTIONS': [3],
    key_id: [3],
    nobody: [],
  };
  for (const [text, calls] of Object.entries(wanted))
    expect([text, await found(text)]).toEqual([text, calls]);
  const { client_id, client_secret } = await get('');
  const token = await server.issueToken(client_id, client_secret);
  await server.call('GET', CONNECTIONS, { token });
  expect(await found(client_id.toUpperCase())).toEqual([4, 5]); // the token call, which sends the id, and the call of the client
});

test('a wait ends when its environment is deleted', async () => {
  const { control, name } = await server.isolated();
  const env = await server.mock.environment(name);
  const waiting = env.waitForRequest({ status: 503, timeout: '5m' });
  await Promise.all([
    control('DELETE', ''),
    expect(waiting).rejects.toThrow(/No matching call|does not exist/),
  ]);
});

test('the journal shows the request and the response of a call, and how the call breaks the contract', async () => {
  const { control, api, get } = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  await api('GET', `${LIST}?page_size=1000`);
  const { body } = await control('GET', '/requests');
  expect(body.dropped).toBe(0);
  expect(body.requests).toMatchObject([
    {
      request_id: 'req_1',
      time: '2026-03-01T12:00:00.000Z',
      operation: 'listConnectedAccounts',
      status: 400,
      request: { method: 'GET', url: `${LIST}?page_size=1000`, headers: { authorization: 'Bearer ***' } },
      response: { headers: { 'x-request-id': 'req_1' }, body: { code: 3 } },
      violations: [{ field: 'page_size', constraint: 'maximum' }],
    },
  ]);
  await api('POST', LIST, '{"connector":"mail","connector":"chat"}'); // refused before it is parsed
  const [refused] = (await get('/requests?limit=1')).requests;
  expect(refused).toMatchObject({ status: 400, request: { body: { connector: 'chat' } } });
});

test('coverage shows which operations, statuses, parameters and members were used and which were not', async () => {
  const { control, api } = await server.isolated();
  await api('GET', `${LIST}?connector=mail`);
  await api('PUT', LIST, { id: 'ca_100000000000000001', connected_account: { api_config: { a: 1 } } });
  const { body } = await control('GET', '/coverage');
  const of = (id: string) =>
    body.by_operation.find(({ operation }: { operation: string }) => operation === id);
  const { statuses, parameters } = of('listConnectedAccounts');
  expect([statuses.seen, parameters.seen]).toEqual([{ 200: 1 }, ['connector']]);
  expect(statuses.missing).toContain(400);
  expect(parameters.missing).toContain('organization_id');
  const { seen, missing } = of('updateConnectedAccount').members;
  expect(seen.toSorted()).toEqual(['connected_account', 'connected_account.api_config', 'id']);
  expect(missing).toContain('connected_account.authorization_details');
  expect(of('deleteConnectedAccount').calls).toBe(0);
  expect(body.operations).toEqual({ seen: 2, total: body.by_operation.length });
  expect(body.percent).toBeGreaterThan(0);
  expect(body.percent).toBeLessThan(20);
});

test('a request for coverage is 412 if less than `min` is covered, and 200 otherwise', async () => {
  const { control, api, get } = await server.isolated();
  await api('GET', LIST);
  const answer = async (min: number) => (await control('GET', `/coverage?min=${min}`)).status;
  expect([await answer(80), await answer(0.5)]).toEqual([412, 200]);
  expect(await answer((await get('/coverage')).percent)).toBe(200);
});

test('coverage is a text table if `format` or Accept asks for text, and a browser is redirected to the console', async () => {
  const { control, api, name } = await server.isolated();
  const text = await control('GET', '/coverage?format=text');
  expect(text.headers['content-type']).toContain('text/plain');
  expect(text.text).toMatch(/^Coverage of the contract by development-\w{6}: 0%\n/);
  expect(text.text).toMatch(/\nlistConnectedAccounts +0 +0\/\d+ +never called\n/);
  const accepting = (accept: string) => ({ headers: { accept } });
  const accepted = await control('GET', '/coverage', undefined, accepting('text/plain, application/json'));
  expect(accepted.text).toBe(text.text);
  const json = await control('GET', '/coverage', undefined, accepting('application/json, text/plain'));
  expect(json.body.percent).toBe(0);
  const browser = accepting('text/html,*/*;q=0.8');
  const { status, headers } = await control('GET', '/coverage', undefined, browser);
  expect([status, headers.location]).toEqual([303, `${server.mock.url}/_mock/#/${name}/reference`]);
  await api('GET', `${LIST}?connector=mail`);
  await api('GET', `${LIST}?connector=`, undefined, { prefer: 'code=400' });
  const row = (await control('GET', '/coverage?format=text')).text.match(/^listConnectedAccounts .*$/m)?.[0];
  expect(row).toMatch(/^listConnectedAccounts +2 +200 400 +1\/\d+ +401 .*\?organization_id/);
});

test('the coverage of all environments is one table, and is cleared for all of them', async () => {
  const { control, api } = await server.isolated();
  await api('GET', LIST);
  const { text } = await server.control('GET', '/coverage?format=text');
  expect(text).toMatch(/^Coverage of the contract by all environments: /);
  expect(text).toMatch(/\nlistConnectedAccounts +[1-9]/);
  const { headers } = await server.control('GET', '/coverage', undefined, {
    headers: { accept: 'text/html' },
  });
  expect(headers.location).toBe(`${server.mock.url}/_mock/#/development/reference`);
  const deleted = await server.isolated();
  await deleted.api('GET', LIST);
  await server.control('DELETE', `/environments/${deleted.name}`);
  await server.control('DELETE', '/coverage');
  for (const { body } of [await server.control('GET', '/coverage'), await control('GET', '/coverage')])
    expect(body.operations.seen).toBe(0);
});

test('coverage ignores statuses that come from limits, faults and transport', async () => {
  const { api, get } = await server.isolated();
  const percent = async () => (await get('/coverage')).percent;
  await api('GET', LIST);
  const before = await percent();
  await api('GET', LIST, undefined, { prefer: 'code=429' });
  const { by_operation, statuses } = await get('/coverage');
  const seen = { 200: 1, 429: 1 };
  expect(by_operation).toContainEqual(
    expect.objectContaining({ statuses: expect.objectContaining({ seen }) }),
  );
  for (const { statuses: own } of by_operation)
    for (const status of [413, 429, 500, 501, 504]) expect(own.missing).not.toContain(status);
  expect(await percent()).toBe(before);
  await api('GET', LIST, undefined, { prefer: 'code=418' });
  expect((await get('/coverage')).statuses).toEqual(statuses);
});

test('what users do on hosted pages does not count as API calls', async () => {
  const { control, get } = await server.isolated();
  const account = 'ca_100000000000000002';
  const { link } = (await control('POST', `/rows/connected_accounts/${account}/open`)).body;
  const before = await get('/coverage?format=json');
  const body = new URLSearchParams({ decision: 'approve' });
  expect((await server.mock.fetch(link)).status).toBe(200);
  expect((await server.mock.fetch(link, { method: 'POST', body, redirect: 'manual' })).status).toBe(302);
  expect((await get('/requests')).requests).toEqual([]);
  expect(await get('/coverage?format=json')).toEqual(before);
});

// Streams of events.

/** Opens a stream of events. `read` resolves with the text of the next event, and skips heartbeats. */
const openStream = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${server.mock.url}/_mock${path}`, {
    headers: { accept: 'text/event-stream', ...headers },
  });
  async function* events() {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const parts = (text + chunk).split('\n\n');
      text = parts.pop() ?? '';
      yield* parts.filter((event) => !event.startsWith(':'));
    }
  }
  const all = events();
  return { response, all, read: async () => (await all.next()).value, cancel: () => all.return() };
};

const SIGN_IN = 'authentication_request.created';
const signIn = { email: 'ada@acme.test', outcome: 'failed' };

test('a stream sends past changes, then new ones and resets, and no number twice', async () => {
  const { name, control } = await server.isolated();
  await control('POST', '/sign-ins', signIn);
  const { response, read, cancel } = await openStream(`/environments/${name}/events`);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no', // a proxy sends each event on at once
  });
  expect(await read()).toMatch(/^id: 1\nevent: [a-z_.]+\ndata: \{.*"sequence":1/);
  await control('POST', '/sign-ins', signIn);
  expect(await read()).toMatch(/^id: 2\n/);
  await control('POST', '/reset');
  expect(await read()).toMatch(/^id: 3\nevent: reset\n/);
  await control('POST', '/sign-ins', signIn);
  expect(await read()).toMatch(/^id: 4\n/);
  expect((await control('GET', '/events')).body.events).toMatchObject([{ sequence: 4 }]);
  await cancel();
});

test.each([
  ['1', ['2 reset', `3 ${SIGN_IN}`]],
  ...['0', 'none', '2'].map((last): [string, string[]] => [last, [`3 ${SIGN_IN}`]]),
  ['3', []],
  ['99', ['2 reset', `3 ${SIGN_IN}`]],
])('a client that reconnects behind event %s learns of a reset that it missed', async (last, missed) => {
  const { name, control } = await server.isolated();
  await control('POST', '/sign-ins', signIn);
  await control('POST', '/reset');
  await control('POST', '/sign-ins', signIn);
  const { all } = await openStream(`/environments/${name}/events`, { 'last-event-id': last });
  await control('POST', '/sign-ins', signIn); // this one comes in any case, so that no read waits for ever
  const found: string[] = [];
  for await (const event of all) {
    found.push(event.replace(/^id: (\d+)\nevent: (\S+)\n.*/s, '$1 $2'));
    if (event.startsWith('id: 4\n')) break;
  }
  expect(found).toEqual([...missed, `4 ${SIGN_IN}`]);
});

test('a stream ends when its environment is deleted', async () => {
  const { name } = await server.isolated();
  const { read } = await openStream(`/environments/${name}/events`);
  await server.control('DELETE', `/environments/${name}`);
  expect(await read()).toBeUndefined();
});

test('the stream of the console tells the calls of an environment, and when one is created or deleted', async () => {
  const own = await server.isolated();
  await own.api('GET', '/api/v1/connections');
  const { read, cancel } = await openStream(`/live?environment=${own.name}`);
  const first = await read();
  expect(first).toContain('event: journal\ndata: {"requests":[{"sequence":1,');
  expect(first).toContain('listConnections');
  await own.api('GET', '/api/v1/connections');
  expect(await read()).toContain('event: request\ndata: {"sequence":2,');
  await own.control('GET', '/requests'); // reading causes no event
  await own.control('DELETE', '/requests');
  expect(await read()).toBe('event: journal\ndata: {"requests":[]}');
  expect(await read()).toBe('event: control\ndata: {"operation":"clearRequests"}');
  const other = await server.isolated();
  expect(await read()).toBe('event: environments\ndata: {}');
  await server.control('DELETE', `/environments/${own.name}`);
  expect(await read()).toBe('event: environments\ndata: {}');
  expect(await read()).toBe('event: gone\ndata: {}');
  await server.control('DELETE', `/environments/${other.name}`);
  expect(await read()).toBe('event: environments\ndata: {}');
  await cancel();
  const { read: readMissing, cancel: leave } = await openStream('/live?environment=nowhere');
  expect(await readMissing()).toBe('event: gone\ndata: {}');
  await leave();
});

test('closing the server ends waiting calls at once', async () => {
  const own = await startMock({ port: 0, log: 'silent' });
  const { control } = await callsOf(own).isolated();
  const waiting = control('GET', '/outbox?wait=4m');
  // Once a later call has been answered, the server has received the waiting call.
  await control('GET', '/clock');
  await own.close();
  expect((await waiting).body).toEqual({ emails: [] });
});
