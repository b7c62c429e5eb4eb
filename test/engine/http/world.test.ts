/** Behaviour E8: a call belongs to the state in which it began. */
import { once } from 'node:events';
import { afterAll, expect, test } from '@jest/globals';
import { createMock } from '#mock';
import { serveHttp } from '../../support/http-server.ts';
import { callsOf, type Isolated } from '../../support/server.ts';

const ACCOUNTS = '/api/v1/connected_accounts';
const mock = createMock({ log: 'silent' });
const { url, server, close } = await serveHttp(mock.app);
afterAll(close);
const { isolated, control } = callsOf(mock, server);

/** Sends the first half of a body, then does something else, then sends the second half. */
const postWhile = async (
  path: string,
  headers: Record<string, string>,
  [first, second]: readonly [string, string],
  happen: () => PromiseLike<unknown>,
) => {
  const hasBegun = once(server, 'request');
  async function* halves() {
    yield Buffer.from(first);
    await hasBegun;
    await happen();
    yield Buffer.from(second);
  }
  const body = ReadableStream.from(halves());
  const reply = await fetch(url + path, {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
    redirect: 'manual',
  });
  return { status: reply.status, body: await reply.text() };
};

const createWhile = ({ token }: Isolated, happen: () => PromiseLike<unknown>) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return postWhile(ACCOUNTS, headers, ['{"connector":"mail",', '"identifier":"late@acme.test"}'], happen);
};

const findLate = async ({ api }: Isolated): Promise<number> =>
  (await api('GET', `${ACCOUNTS}?identifier=late@acme.test`)).body.total_size;

test.each<[what: string, method: string, path: string, toBody?: (token: string) => object]>([
  ['reset', 'POST', '/reset'],
  ['switched to another scenario', 'POST', '/reset', () => ({ scenario: 'default' })],
  ['made again', 'PUT', '', () => ({})],
  ['replaced', 'PUT', '/state', (token) => ({ access_tokens: [token] })],
  ['restored', 'POST', '/snapshots/first/restore', () => ({})],
])('behaviour E8: a call whose environment was %s meanwhile changes nothing, and is a 503 without a new request id', async (_what, method, path, toBody = () => ({})) => {
  const own = await isolated();
  await own.control('POST', '/snapshots', { name: 'first' });
  const happened: number[] = [];
  const { status, body } = await createWhile(own, async () => {
    happened.push((await own.control(method, path, toBody(own.token))).status);
  });
  expect([happened, status]).toEqual([[200], 503]);
  expect(JSON.parse(body)).toMatchObject({ code: 14, details: [{ error_code: 'UNAVAILABLE' }] });
  if (path === '/reset') expect((await own.api('GET', ACCOUNTS)).headers['x-request-id']).toBe('req_1');
  expect(await findLate(own)).toBe(0);
  const events = await own.get('/events');
  expect(JSON.stringify(events)).not.toContain('connected_account.created');
});

test('behaviour E8: a call whose environment was deleted meanwhile is a 503, and counts in the totals', async () => {
  const countCalls = async (): Promise<number> => {
    const counts: { operation: string; calls: number }[] = (await control('GET', '/coverage')).body
      .by_operation;
    return counts.find(({ operation }) => operation === 'createConnectedAccount')?.calls ?? 0;
  };
  const own = await isolated();
  const before = await countCalls();
  expect(await createWhile(own, () => own.control('DELETE', ''))).toMatchObject({ status: 503 });
  expect(await countCalls()).toBe(before + 1);
});

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

test('behaviour E8: a token request whose environment was reset meanwhile is a 503', async () => {
  const own = await isolated();
  const { name, client_id, client_secret } = await own.get('');
  const first = `grant_type=client_credentials&client_id=${client_id}`;
  const form = [first, `&client_secret=${client_secret}`] as const;
  const send = (happen: () => PromiseLike<unknown>) => postWhile('/oauth/token', FORM, form, happen);
  expect(await send(() => own.control('POST', '/reset'))).toMatchObject({
    status: 503,
    body: expect.stringContaining(`The environment ${name} was reset`),
  });
  expect(await send(() => Promise.resolve())).toMatchObject({ status: 200 });
});

test('behaviour E8: a decision on a page whose environment was restored meanwhile decides nothing', async () => {
  const own = await isolated();
  const late = { connector: 'mail', identifier: 'late@acme.test' };
  const { pathname } = new URL((await own.api('POST', `${ACCOUNTS}/magic_link`, late)).body.link);
  await own.control('POST', '/snapshots', { name: 'open' });
  const decide = (happen: () => PromiseLike<unknown>) =>
    postWhile(pathname, FORM, ['decision=', 'approve'], happen);
  const decided = await decide(() => own.control('POST', '/snapshots/open/restore'));
  expect(decided).toMatchObject({ status: 503, body: expect.stringContaining('data-testid="refused"') });
  expect(await decide(() => Promise.resolve())).toMatchObject({ status: 302 });
});

test('behaviour E8: rows, settings and time may change while a call is under way', async () => {
  const own = await isolated();
  const { status } = await createWhile(own, async () => {
    await own.control('PATCH', '/state', { organizations: [{ name: 'new' }] });
    await own.control('PATCH', '/settings', { strict: true });
    await own.control('POST', '/clock/advance', { by: '1h' });
  });
  const { organizations } = await own.get('/state');
  expect([status, await findLate(own), organizations.length]).toEqual([201, 1, 3]);
});

test('behaviour E8: a delayed call whose client has left changes nothing', async () => {
  await using mock = createMock({ log: 'silent' });
  const environment = await mock.environment();
  const match = { identifier: 'late@acme.test' }; // so that the body is read before the delay
  await environment.faults.add({ operation: 'createConnectedAccount', delay_ms: 600_000, match });
  const leaving = new AbortController();
  const reply = mock.fetch(ACCOUNTS, {
    method: 'POST',
    headers: { authorization: 'Bearer dev-token', 'content-type': 'application/json' },
    body: '{"connector":"mail","identifier":"late@acme.test"}',
    signal: leaving.signal,
  });
  while ((await environment.faults.list())[0]?.applied !== 1);
  leaving.abort();
  await expect(reply).rejects.toThrow();
  const { status } = await environment.waitForRequest({ operation: 'createConnectedAccount' });
  const { connected_accounts } = await environment.state();
  expect([status, connected_accounts?.length]).toEqual([0, 12]);
});

test('behaviour X6, E8: delayed replies of a stub come in sequence, and none comes after a reset', async () => {
  const replies = [{ delay_ms: 50 }, { status: 202 }];
  const stubs = [{ method: 'GET' as const, path: '/steps', auth: false, replies }];
  await using mock = createMock({ scenario: { environments: { test: { stubs } } }, log: 'silent' });
  const environment = await mock.environment();
  const ask = async () => (await mock.fetch('/steps')).status;
  expect(await Promise.all([ask(), ask()])).toEqual([200, 202]);
  expect((await environment.requests()).at(-1)?.duration_ms).toBeGreaterThanOrEqual(45);
  await environment.reset();
  const late = ask();
  await environment.reset();
  expect(await late).toBe(503);
});
