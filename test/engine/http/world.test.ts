/** Behaviour E8: a call belongs to the state in which it began. */
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { createMock } from '../../../src/index.ts';
import { ACCOUNTS, asking, openWith, UNGIVEN } from '../../support/contract.ts';
import { serveHttp } from '../../support/http-server.ts';

const { app } = openWith(asking('get', { 200: UNGIVEN }), 'off');
let began = (): void => {};
const { port, server, close } = await serveHttp((incoming, response) => {
  app(incoming, response);
  began();
});
afterAll(close);

const control = (method: 'post' | 'put' | 'patch' | 'delete', path: string, body?: object) =>
  supertest(server)[method](`/_mock/environments${path}`).send(body);

const makeEnvironment = async (): Promise<{ name: string; access_token: string }> =>
  (await control('post', '', {}).expect(201)).body;

/** Sends the first half of a body, then does something else, then sends the second half. */
const postWhile = async (
  path: string,
  headers: Record<string, string>,
  [first, second]: readonly [string, string],
  happen: () => PromiseLike<unknown>,
) => {
  const call = request({ port, host: '127.0.0.1', path, method: 'POST', headers });
  const hasBegun = new Promise<void>((resolve) => {
    began = resolve;
  });
  const reply = new Promise<{ status: number; body: string }>((resolve, reject) => {
    call.on('error', reject);
    call.on('response', async (answer) =>
      resolve({ status: answer.statusCode ?? 0, body: await text(answer) }),
    );
  });
  call.write(first);
  await hasBegun;
  began = () => {};
  await happen();
  call.end(second);
  return reply;
};

const createWhile = (token: string, happen: () => PromiseLike<unknown>) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return postWhile(ACCOUNTS, headers, ['{"connector":"mail",', '"identifier":"late@acme.test"}'], happen);
};

const findLate = async (token: string): Promise<number> => {
  const path = `${ACCOUNTS}?identifier=late@acme.test`;
  return (
    await supertest(server)
      .get(path)
      .set({ authorization: `Bearer ${token}` })
  ).body.total_size;
};

test.each<[string, (name: string, token: string) => PromiseLike<unknown>]>([
  ['reset', (name) => control('post', `/${name}/reset`).expect(200)],
  [
    'switched to another scenario',
    (name) => control('post', `/${name}/reset`, { scenario: 'default' }).expect(200),
  ],
  ['made again', (name) => control('put', `/${name}`, {}).expect(200)],
  ['replaced', (name, token) => control('put', `/${name}/state`, { access_tokens: [token] }).expect(200)],
  ['restored', (name) => control('post', `/${name}/snapshots/first/restore`).expect(200)],
])('behaviour E8: a call whose environment was %s meanwhile changes nothing, and is a 503', async (_what, happen) => {
  const { name, access_token } = await makeEnvironment();
  await control('post', `/${name}/snapshots`, { name: 'first' }).expect(201);
  const { status, body } = await createWhile(access_token, () => happen(name, access_token));
  expect([status, JSON.parse(body)]).toMatchObject([
    503,
    { code: 14, details: [{ error_code: 'UNAVAILABLE' }] },
  ]);
  expect(await findLate(access_token)).toBe(0);
  const events = await supertest(server).get(`/_mock/environments/${name}/events`);
  expect(JSON.stringify(events.body)).not.toContain('connected_account.created');
});

test('behaviour E8: a call whose environment was reset meanwhile takes no request id of the new state', async () => {
  const { name, access_token } = await makeEnvironment();
  await createWhile(access_token, () => control('post', `/${name}/reset`).expect(200));
  const { headers } = await supertest(server)
    .get(ACCOUNTS)
    .set({ authorization: `Bearer ${access_token}` });
  expect(headers['x-request-id']).toBe('req_1');
});

test('behaviour E8: a call whose environment was deleted meanwhile is a 503, and counts in the totals', async () => {
  const countCalls = async (): Promise<number> => {
    const { body } = await supertest(server).get('/_mock/coverage');
    const counts: { operation: string; calls: number }[] = body.by_operation;
    return counts.find(({ operation }) => operation === 'createConnectedAccount')?.calls ?? 0;
  };
  const { name, access_token } = await makeEnvironment();
  const before = await countCalls();
  expect(await createWhile(access_token, () => control('delete', `/${name}`))).toMatchObject({ status: 503 });
  expect(await countCalls()).toBe(before + 1);
});

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

test('behaviour E8: a token request whose environment was reset meanwhile is a 503', async () => {
  const made = await control('post', '', {}).expect(201);
  const { name, client_id, client_secret } = made.body;
  const form = [
    `grant_type=client_credentials&client_id=${client_id}`,
    `&client_secret=${client_secret}`,
  ] as const;
  const send = (happen: () => PromiseLike<unknown>) => postWhile('/oauth/token', FORM, form, happen);
  expect(await send(() => control('post', `/${name}/reset`))).toMatchObject({
    status: 503,
    body: expect.stringContaining(`The environment ${name} was reset`),
  });
  expect(await send(() => Promise.resolve())).toMatchObject({ status: 200 });
});

test('behaviour E8: a decision on a page whose environment was restored meanwhile decides nothing', async () => {
  const { name, access_token } = await makeEnvironment();
  const headers = { authorization: `Bearer ${access_token}` };
  const link = await supertest(server)
    .post(`${ACCOUNTS}/magic_link`)
    .set(headers)
    .send({ connector: 'mail', identifier: 'late@acme.test' });
  const { pathname } = new URL(link.body.link);
  await control('post', `/${name}/snapshots`, { name: 'open' }).expect(201);
  const decide = (happen: () => PromiseLike<unknown>) =>
    postWhile(pathname, FORM, ['decision=', 'approve'], happen);
  const late = await decide(() => control('post', `/${name}/snapshots/open/restore`));
  expect(late).toMatchObject({ status: 503, body: expect.stringContaining('data-testid="refused"') });
  expect(await decide(() => Promise.resolve())).toMatchObject({ status: 302 });
});

test('behaviour E8: rows, settings and time may change while a call is under way', async () => {
  const { name, access_token } = await makeEnvironment();
  const reply = await createWhile(access_token, async () => {
    await control('patch', `/${name}/state`, { organizations: [{ name: 'new' }] }).expect(200);
    await control('patch', `/${name}/settings`, { strict: true }).expect(200);
    await control('post', `/${name}/clock/advance`, { by: '1h' }).expect(200);
  });
  expect([reply.status, await findLate(access_token)]).toEqual([201, 1]);
});

/** Starts a create that a fault delays for ten minutes, after its body was read. */
const startDelayed = async (init: RequestInit = {}) => {
  const mock = createMock({ log: 'silent' });
  const environment = await mock.environment();
  const match = { identifier: 'late@acme.test' };
  await environment.faults.add({ operation: 'createConnectedAccount', delay_ms: 600_000, match });
  const reply = mock.fetch(ACCOUNTS, {
    method: 'POST',
    headers: { authorization: 'Bearer dev-token', 'content-type': 'application/json' },
    body: '{"connector":"mail","identifier":"late@acme.test"}',
    ...init,
  });
  while ((await environment.faults.list())[0]?.applied !== 1);
  return { mock, environment, reply };
};

test('behaviour E8: a delayed call whose client has left changes nothing', async () => {
  const leaving = new AbortController();
  const { mock, environment, reply } = await startDelayed({ signal: leaving.signal });
  leaving.abort();
  await expect(reply).rejects.toThrow();
  const { status } = await environment.waitForRequest({ operation: 'createConnectedAccount' });
  const { faults: _armed, ...rows } = await environment.state();
  expect([status, JSON.stringify(rows)]).toEqual([0, expect.not.stringContaining('late@acme.test')]);
  await mock.close();
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
