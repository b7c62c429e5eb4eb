/** The console's "Copy as test": the copied text is run against a fresh environment, and has to pass. */
import { expect, test } from '@jest/globals';
import { writeTests } from '../../src/library/copied-test.ts';
import { matchers } from '../../src/library/runners/matchers.ts';
import { listeningServer } from '../support/server.ts';

expect.extend(matchers);
const server = await listeningServer();
const { mock } = server;

/** Calls with values to escape, a fault that is used up, a clock that was moved, and masked credentials. */
const record = async () => {
  const { name, api, control, get } = await server.isolated({ scenario: 'default' });
  const account = { connector: 'mail', identifier: `o'\`\${1}"\\\u2028@acme.test` };
  await api('POST', '/api/v1/connected_accounts', account);
  await api('POST', '/api/v1/connected_accounts', '{"__proto__":{"a":1}}');
  await api('GET', `/api/v1/nowhere?a=\`\${1}\``, undefined, { 'x-kind': 'constructor' });
  await control('POST', '/faults', { operation: 'listConnections', status: [503, 429] });
  for (let made = 0; made < 3; made += 1) await api('GET', '/api/v1/connections');
  await control('POST', '/faults', { operation: 'listConnections', abort: true, times: 1 });
  await api('GET', '/api/v1/connections').catch(() => undefined);
  await control('POST', '/clock/advance', { by: '2d' });
  await server.call('GET', '/api/v1/connections', {
    token: 'wrong',
    headers: { 'x-mock-environment': name },
  });
  const environment = await get('');
  await server.issueToken(environment.client_id, environment.client_secret);
  const { requests: calls } = await get('/requests?limit=100');
  return { calls, environment, ...(await get('/faults')), decisions: [] };
};

const recorded = await record();
const [made] = recorded.calls;

/** Runs a text for Jest. @returns the title of its test */
const run = async (text: string): Promise<string> => {
  const ran: { title: string; ended?: Promise<void> } = { title: '' };
  const createTest = (options: object) => (title: string, body: (given: object) => Promise<void>) => {
    ran.title = title;
    ran.ended = mock.createEnvironment(options).then((env) => body({ env }));
  };
  new Function('require', text)((name: string) => {
    expect(name).toBe('connected-accounts-mock/jest');
    return { createTest, expect };
  });
  await ran.ended;
  return ran.title;
};

test('the copied text is a test that passes, with the recorded values, faults and moves of the clock', async () => {
  const text = writeTests(recorded).jest;
  expect(text).toContain("await env.advance('2d');");
  expect(text).not.toContain(recorded.environment.client_id);
  expect(text).not.toContain(`"${recorded.environment.name}"`);
  expect(await run(text)).toContain('createConnectedAccount 201, createConnectedAccount 400, GET 404');
});

test.each(['vitest', 'playwright'] as const)('the text for %s imports its entry point', (runner) => {
  const text = writeTests(recorded)[runner];
  expect(text).toMatch(`import { createTest, expect } from 'connected-accounts-mock/${runner}';\n`);
  expect(text.match(/fetch\(/g)).toHaveLength(9);
});

test.each([
  [400, 400],
  [60_000, 1_000],
])('a fault of the text that waits %d ms in the record waits %d ms', (delay_ms, expected) => {
  const faults = recorded.faults.map((fault: object) => ({ ...fault, delay_ms }));
  expect(writeTests({ ...recorded, faults }).jest).toContain(`"delay_ms":${expected}`);
});

test('the text says which calls it leaves out, and why', () => {
  const { request } = made;
  const verify = (sequence: number, status: number, auth_request_id = 'x'.repeat(54)) => ({
    ...{ ...made, sequence, status, operation: 'verifyConnectedAccountUser' },
    request: { ...request, body: { auth_request_id } },
  });
  const calls = [
    { ...made, sequence: 1, grpc_method: 'accounts.v1.Accounts/Create' },
    { ...made, sequence: 2, status: 0 },
    { ...made, sequence: 3, request: { ...request, body_cut: true } },
    ...[verify(4, 200), verify(5, 200, 'of-the-scenario')],
    { ...made, sequence: 6, request: { ...request, body: { password: '***' } } },
    ...[verify(7, 403), verify(8, 404)],
  ];
  const text = writeTests({ ...recorded, calls }).vitest;
  const leftOut = (call: number, why: string) => `// Left out: call ${call} of the journal, because ${why}.`;
  expect(text.match(/^\/\/ .*$/gm)?.slice(0, 6)).toEqual([
    leftOut(1, 'it came over gRPC'),
    leftOut(2, 'its client left before the answer'),
    leftOut(3, 'the journal keeps only the first 64 KiB of its body'),
    leftOut(4, 'the call that made its link is not marked'),
    leftOut(7, 'the call that made its link is not marked'),
    '// Replace *** with test values: the journal keeps no credentials.',
  ]);
  expect(text.match(/fetch\(/g)).toHaveLength(3);
});

test.each([
  ['a fault', { fault: 'flt_1' }, /"authorization": `Bearer \$\{env\.credentials\.accessToken\}`/],
  ['the mock', {}, /"authorization": "Bearer \*\*\*"/],
])('after a 401 of %s, the text sends the credentials that make it pass again', (_who, by, sent) => {
  const text = writeTests({ ...recorded, calls: [{ ...made, status: 401, ...by }] }).jest;
  expect(text).toMatch(sent);
});

test('a redirect is not followed, and headers that clients set by themselves are left out', () => {
  const sent = [299, 300, 399, 400].map((status) => {
    const accept = status === 300 ? 'text/x' : '*/*';
    const headers = { accept, origin: 'http://a.test', 'sec-fetch-mode': 'cors' };
    return { ...made, status, request: { ...made.request, headers } };
  });
  const text = writeTests({ ...recorded, calls: sent }).jest;
  expect(text.match(/redirect: 'manual'/g)).toHaveLength(2);
  expect(text.match(/headers: .*/g)).toEqual([
    'headers: { "x-mock-environment": env.name },',
    'headers: { "accept": "text/x", "x-mock-environment": env.name },',
    ...Array(2).fill('headers: { "x-mock-environment": env.name },'),
  ]);
});

test('a frozen clock begins in the test where it began, and goes back where it went back', async () => {
  const { api, control, get } = await server.isolated({ from: 'production', clock: '2026-03-01T12:00:00Z' });
  await control('POST', '/clock/advance', { by: '15d' });
  await api('GET', '/api/v1/connections');
  await control('PUT', '/clock', { mode: 'frozen', now: '2026-03-02T12:00:00Z' });
  await api('GET', '/api/v1/connections');
  const environment = await get('');
  expect(environment).toMatchObject({ from: 'production', start: '2026-03-01T12:00:00.000Z' });
  const { requests: calls } = await get('/requests');
  const text = writeTests({ environment, calls, faults: [], decisions: [] }).vitest;
  expect(text).toContain('{"scenario":"default","from":"production","clock":"2026-03-01T12:00:00.000Z"}');
  expect(text).toMatch(
    /env\.advance\('15d'\)[\s\S]*env\.setClock\({ mode: 'frozen', now: "2026-03-02T12:00:00\.000Z" }\)/,
  );
});

test.each([
  [1_000, false],
  [2_000, true],
])('a clock that is %d ms further at the next call was moved: %s', (ms, isMove) => {
  const time = new Date(Date.parse(made.time) + ms).toISOString();
  const text = writeTests({ ...recorded, calls: [made, { ...made, time }] }).vitest;
  expect(text.includes("await env.advance('2s');")).toBe(isMove);
  expect(text.includes('env.advance')).toBe(isMove);
});

test('a decision on a link is made behind the call that made the link, and ids that calls made are read from their replies', async () => {
  await using env = await mock.createEnvironment({ clock: '2026-03-01T12:00:00Z' });
  const ask = async (method: string, path: string, body?: object) => {
    const token = env.credentials.accessToken;
    return (await server.call(method, `/api/v1/${path}`, { token, body })).body;
  };
  const pair = { connector: 'mail', identifier: 'new@acme.test' };
  const form = { ...pair, user_verify_url: 'https://a.test' };
  const { link } = await ask('POST', 'connected_accounts/magic_link', form);
  await ask('GET', 'connections');
  const denied = await ask('POST', 'connected_accounts/magic_link', form);
  const { auth_request_id = '' } = await env.links.approve(link);
  await env.links.deny(denied.link); // at the same time
  await env.advance('5m');
  await ask('POST', 'connected_accounts/user/verify', { auth_request_id, identifier: pair.identifier });
  const auth_patterns = [{ type: 'BASIC' }];
  const copy = { display_name: 'Copy', proxy_url: 'https://a.test', auth_patterns };
  const { identifier } = (await ask('POST', 'custom-providers', copy)).provider;
  await ask('DELETE', `custom-providers/${encodeURIComponent(identifier)}`);
  const other = { ...pair, identifier: 'b@acme.test' };
  const { connected_account } = await ask('POST', 'connected_accounts', other);
  await ask('POST', 'connected_accounts:delete', { id: connected_account.id });
  await ask('GET', `connected_accounts:search?query=${encodeURIComponent(identifier)}`);
  const sequences = (await env.requests()).map((_, place) => place + 1);
  const tests = await server.call('POST', `/_mock/environments/${env.name}/tests`, { body: { sequences } });
  const text = tests.body.jest;
  expect(text).toMatch(
    /magic_link[\s\S]*decision1 = await env\.links\.approve\(reply1\.link\);[\s\S]*v1\/connections`[\s\S]*await env\.advance\('5m'\)/,
  );
  for (const read of [
    'decision1.auth_request_id',
    'env.links.deny(reply3.link)',
    '/{reply5.provider.identifier}`',
    'query={encodeURIComponent(reply5.provider.identifier)}`',
    '"id":"{reply7.connected_account.id}"',
  ])
    expect(text.replaceAll('$', '')).toContain(read);
  expect(text).not.toContain('reply2 ='); // it made nothing
  expect(await run(text)).toContain('verifyConnectedAccountUser 200');
});
