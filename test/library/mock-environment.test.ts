/** What the library adds to the control plane: files and messages. Each test makes its own environment. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import {
  connectMock,
  createMock,
  type EnvironmentForm,
  type Mock,
  type RemoteMock,
  type ScenarioForm,
  startMock,
} from '#mock';
import { createAsk } from '../../src/library/ask.ts';
import { MockEnvironment } from '../../src/library/mock-environment.ts';
import { temporaryFolder } from '../support/folder.ts';
import { mockOfFile, NEW_ACCOUNT } from './isolated.ts';

const { mock, isolated } = mockOfFile();

/** The state without the members that differ from environment to environment. */
const dataOf = ({ id: _id, clients: _clients, access_tokens: _tokens, ...data }: EnvironmentForm) => data;

const folder = temporaryFolder();

test.each([
  'mine.yaml',
  'mine.json',
])('an environment saved as %s is restored with its state and time', async (name) => {
  const { env, call } = await isolated();
  await call('POST', 'connected_accounts', NEW_ACCOUNT);
  const { now } = await env.advance('30d');
  await env.save(join(folder, name));
  await using again = createMock({ scenario: join(folder, name), log: 'silent' });
  const restored = await again.environment(env.name);
  expect(dataOf(await restored.state())).toEqual(dataOf(await env.state()));
  expect(await restored.clock()).toEqual({ mode: 'frozen', now });
  const copy = await mock.createEnvironment({ scenario: await env.scenario() });
  expect((await copy.state()).connected_accounts).toHaveLength(13);
  await expect(env.save(join(folder, 'nowhere/mine.yaml'))).rejects.toMatchObject({
    ...{ name: 'MockError', code: 'INVALID_ARGUMENT' },
    message: expect.stringContaining(
      'nowhere/mine.yaml cannot be written: its folder does not exist. Create',
    ),
  });
});

test('accounts and members can be named by their natural keys, whatever characters the keys have', async () => {
  const { env } = await isolated();
  const odd = { connector: 'mail', identifier: 'a/b c+1@žluťoučký.🐎', status: 'ACTIVE' as const };
  await env.patchState({ connected_accounts: [odd] });
  expect((await env.accounts.expire(`MAIL/${odd.identifier}`)).status).toBe('EXPIRED');
  expect((await env.waitForStatus(`mail/${odd.identifier}`, 'EXPIRED')).identifier).toBe(odd.identifier);
  expect((await env.memberships.accept('acme', 'Grace@acme.test')).membership_status).toBe('ACTIVE');
});

test('a link can be approved or denied by its address, which may be a string or a URL object', async () => {
  const { env, call } = await isolated();
  const form = { ...NEW_ACCOUNT, user_verify_url: 'https://app.test/done' };
  const link = async (): Promise<string> =>
    (await call('POST', 'connected_accounts/magic_link', form)).body.link;
  const approved = await env.links.approve(await link());
  const denied = await env.links.deny(new URL(await link()));
  expect(denied.redirect_url).toContain('https://app.test/done?error=access_denied');
  const proof = { auth_request_id: approved.auth_request_id, identifier: NEW_ACCOUNT.identifier };
  expect((await call('POST', 'connected_accounts/user/verify', proof)).status).toBe(200);
});

test('an error has the code of the control plane, and suggests the most similar name', async () => {
  const { env } = await isolated();
  await expect(env.advance('15x' as never)).rejects.toMatchObject({
    name: 'MockError',
    code: 'INVALID_ARGUMENT',
  });
  await expect(env.restore('nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const options = { settigns: {} } as object; // as a JavaScript caller could write it
  await expect(mock.createEnvironment(options)).rejects.toThrow('settings');
  await expect(mock.environment('developmnt')).rejects.toThrow(
    'The environment "developmnt" does not exist. Did you mean "development"?',
  );
});

test('`await using` deletes an environment and its token, which may be gone by then', async () => {
  const { env, call } = await isolated();
  {
    await using _inBlock = env;
    await using own = await mock.createEnvironment();
    await own.delete();
    await using other = await mock.createEnvironment();
    await (await mock.environment(other.name)).delete();
  }
  expect((await call('GET', 'connections')).status).toBe(401);
  await expect(env.clock()).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

/** An environment without its types, so that wrong calls compile as they do in JavaScript. */
type Untyped = ReturnType<typeof JSON.parse>;

test.each<[string, (env: Untyped) => unknown, string]>([
  ['restore(5)', (env) => env.restore(5), 'name is 5, but must be a string.'],
  ['accounts.expire({})', (env) => env.accounts.expire({}), 'account is {}, but must be a string.'],
  ['a list of statuses', (env) => env.waitForStatus('mail/a', ['ACTIVE'] as never), "status is [ 'ACTIVE' ]"],
  [
    'since of no time',
    (env) => env.requests({ since: new Date('x') }),
    'since is Invalid Date, but must be a string that is not empty, a number or a Date.',
  ],
  ['memberships.accept(id)', (env) => env.memberships.accept('org_1'), 'user is missing.'],
  ["faults.remove('')", (env) => env.faults.remove(''), 'id is missing.'],
  ['setState()', (env) => env.setState(), 'body is missing.'],
  ['patchState(text)', (env) => env.patchState('users'), 'body is a string, but must be an object.'],
])('%s changes nothing, and the message says why', async (_what, slip, words) => {
  const { env } = await isolated();
  await env.faults.add({ operation: 'getKeys', status: 500 });
  const before = await env.state();
  await expect(async () => slip(env)).rejects.toThrow(words);
  expect(await env.state()).toEqual(before);
  expect(await env.faults.list()).toHaveLength(1);
});

test('no method takes an argument of another kind, and nothing changes (behaviour N1)', async () => {
  const { env }: { env: Untyped } = await isolated();
  const before = await env.state();
  const silent: string[] = [];
  for (const group of ['', 'faults', 'accounts', 'links', 'memberships']) {
    const object = group === '' ? env : env[group];
    const names = Object.keys(object).concat(
      group === '' ? ['waitForRequest', 'waitForEmail', 'waitForStatus', 'save'] : [],
    );
    for (const name of names.filter((each) => each !== 'ask' && typeof object[each] === 'function'))
      for (const wrong of [5, true, ['x']]) {
        const answer: Promise<unknown> = Reflect.apply(object[name], object, [wrong, wrong, {}]);
        const isTold = await answer.then(
          () => false,
          ({ message }: Error) => / (must|takes|missing|not) ?/.test(message),
        );
        if (!isTold) silent.push(`${group}.${name}(${JSON.stringify(wrong)})`);
      }
  }
  expect(silent).toEqual([]);
  expect(await env.state()).toEqual(before);
});

// A test can make environments from its own scenario, given as an object or a file.

const files = temporaryFolder();
const write = (name: string, text: string): string => {
  writeFileSync(join(files, name), text);
  return join(files, name);
};

let served: Mock;
let other: RemoteMock;
beforeAll(async () => {
  served = await startMock({ port: 0, scenario: 'default', log: 'silent', fixtures: files });
  other = await connectMock(served.url);
});
afterAll(() => served.close());

const ACME: ScenarioForm = {
  environments: { mine: { organizations: [{ id: 'org_1', name: 'acme' }] } },
};
const namesIn = async (env: { state(): unknown }) =>
  ((await env.state()) as { organizations?: { name: string }[] }).organizations?.map(({ name }) => name);

test('an environment starts from a scenario object, and a reset returns to its rows', async () => {
  const env = await other.createEnvironment({ scenario: ACME });
  await env.patchState({ organizations: [{ name: 'globex' }] });
  expect(await namesIn(env)).toEqual(['acme', 'globex']);
  await env.reset();
  expect(await namesIn(env)).toEqual(['acme']);
});

test('a scenario object can extend other scenarios, and later scenarios override earlier ones', async () => {
  const scenario: ScenarioForm = {
    extends: ['empty', ACME, { environments: { mine: { organizations: [{ name: 'initech' }] } } }],
    environments: { mine: { organizations: [{ id: 'org_1', display_name: 'Acme & Sons' }] } },
  };
  const env = await other.createEnvironment({ scenario, from: 'mine' });
  expect((await env.state()).organizations).toMatchObject([
    { id: 'org_1', name: 'acme', display_name: 'Acme & Sons' },
    { name: 'initech' },
  ]);
});

test('an environment starts from a scenario file, with everything that the file extends', async () => {
  write('named.yaml', 'environments: { mine: { organizations: [{ name: named }] } }');
  write('base.json', JSON.stringify(ACME));
  const file = write(
    'mine.yaml',
    'extends: [named, ./base.json]\nenvironments: { mine: { organizations: [{ name: own }] } }',
  );
  const env = await other.createEnvironment({ scenario: file });
  expect(await namesIn(env)).toEqual(['named', 'acme', 'own']);
  await env.reset({ scenario: 'empty' });
  expect(await namesIn(env)).toBeUndefined();
  await env.reset({ scenario: file });
  expect(await namesIn(env)).toEqual(['named', 'acme', 'own']);
});

test('the error for a mistake in a file names its line and column, and for a mistake in an object its path', async () => {
  const make = (scenario: string | ScenarioForm) => other.createEnvironment({ scenario });
  const file = write('wrong.yaml', 'environments:\n  mine:\n    organizations:\n      - { nam: acme }\n');
  await expect(make(file)).rejects.toMatchObject({
    name: 'MockError',
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining(
      `${file}:4:11: environments.mine.organizations[0].nam: is not a known member`,
    ),
  });
  await expect(make('./missing.yaml')).rejects.toThrow('there is no file missing.yaml');
  const wrong = { environments: { mine: { users: [{ email: 'ada' }] } } };
  await expect(make({ extends: [wrong], ...ACME })).rejects.toThrow(
    'extends[0].environments.mine.users[0].email: is "ada", but must be',
  );
});

// A method for each call that the control plane's document promises.

/** The members of replies that methods return without the rest. */
const PARTS =
  'written snapshots requests emails events authentication_request faults connected_account membership'.split(
    ' ',
  );
const REPLY = Object.fromEntries(PARTS.map((part) => [part, `the ${part}`]));

type Sent = [send: (env: MockEnvironment) => Promise<unknown>, request: string, part?: string];

const SINCE = { since: new Date('2030-01-01T00:00:00Z') };
const FILTER = { operation: 'getKeys', query: { a: 'b c' }, body: { d: 1 }, ...SINCE } as const;
const FILTERED =
  'operation=getKeys&since=2030-01-01T00%3A00%3A00.000Z&query=a%3Db%2Bc&body=%7B%22d%22%3A1%7D';

const SENT: readonly Sent[] = [
  [(env) => env.delete(), 'DELETE '],
  [(env) => env.reset(), 'POST /reset body {}'],
  [(env) => env.reset({ journal: true }), 'POST /reset body {"journal":true}'],
  [(env) => env.state(), 'GET /state', 'all'],
  [(env) => env.setState({ users: [] }), 'PUT /state body {"users":[]}'],
  [(env) => env.patchState({ users: [] }), 'PATCH /state body {"users":[]}', 'written'],
  [(env) => env.patchState({}, { create: true }), 'PATCH /state query create=true body {}', 'written'],
  [(env) => env.scenario(), 'GET /scenario', 'all'],
  [(env) => env.relativeScenario(), 'GET /scenario query relative=true', 'all'],
  [(env) => env.snapshots(), 'GET /snapshots', 'snapshots'],
  [(env) => env.snapshot('a'), 'POST /snapshots body {"name":"a"}', 'all'],
  [(env) => env.deleteSnapshot('a/b'), 'DELETE /snapshots/a%2Fb'],
  [(env) => env.restore({ name: 'a b' } as never), 'POST /snapshots/a%20b/restore'],
  [(env) => env.clock(), 'GET /clock', 'all'],
  [(env) => env.setClock({ mode: 'running' }), 'PUT /clock body {"mode":"running"}', 'all'],
  [(env) => env.advance('1h'), 'POST /clock/advance body {"by":"1h"}', 'all'],
  [(env) => env.settings(), 'GET /settings', 'all'],
  [(env) => env.patchSettings({ strict: true }), 'PATCH /settings body {"strict":true}', 'all'],
  [(env) => env.requests(FILTER), `GET /requests query ${FILTERED}&limit=1000&format=json`, 'requests'],
  [(env) => env.har(FILTER), `GET /requests query ${FILTERED}&format=har`, 'all'],
  [(env) => env.clearRequests(), 'DELETE /requests'],
  [(env) => env.coverage(), 'GET /coverage', 'all'],
  [(env) => env.clearCoverage(), 'DELETE /coverage'],
  [(env) => env.pact({ consumer: 'shop' }), 'GET /pact query consumer=shop', 'all'],
  [
    (env) => env.outbox({ to: 'a', ...SINCE }),
    'GET /outbox query to=a&since=2030-01-01T00%3A00%3A00.000Z',
    'emails',
  ],
  [(env) => env.clearOutbox(), 'DELETE /outbox'],
  [(env) => env.events(), 'GET /events', 'events'],
  [
    (env) => env.signIn({ email: 'a', outcome: 'failed' }),
    'POST /sign-ins body {"email":"a","outcome":"failed"}',
    'authentication_request',
  ],
  [(env) => env.faults.list(), 'GET /faults', 'faults'],
  [(env) => env.faults.add({ status: 500 } as never), 'POST /faults body {"status":500}', 'all'],
  [(env) => env.faults.remove('a'), 'DELETE /faults query id=a'],
  [(env) => env.faults.clear(), 'DELETE /faults'],
  ...(['expire', 'disconnect', 'pend', 'revoke', 'grant'] as const).map(
    (name): Sent => [
      (env) => env.accounts[name]('mail/a'),
      `POST /connected_accounts/mail%2Fa/${name}`,
      'connected_account',
    ],
  ),
  [(env) => env.links.approve('a', { scopes: ['b'] }), 'POST /links/a/approve body {"scopes":["b"]}', 'all'],
  [(env) => env.links.deny('a', { error: 'b' } as never), 'POST /links/a/deny body {"error":"b"}', 'all'],
  ...(['accept', 'expire', 'invite', 'deactivate', 'activate'] as const).map(
    (name): Sent => [(env) => env.memberships[name]('o', 'u'), `POST /memberships/o/u/${name}`, 'membership'],
  ),
];

test.each(
  SENT.map(([send, request, part = '']) => [request, part, send] as const),
)('a method sends %s, and returns of the reply: %s', async (request, part, send) => {
  const sent: string[] = [];
  const ask = createAsk(async (path, { method, body }) => {
    const [place, query] = path.replace('/_mock/environments/env_1', '').split('?');
    const given = Object.entries({ query, body }).flatMap(([name, value]) =>
      value ? ` ${name} ${value}` : [],
    );
    sent.push(`${method} ${place}${given.join('')}`);
    return { status: 200, text: JSON.stringify(REPLY) };
  }, 'http://mock.local');
  const returned = await send(new MockEnvironment(ask, { id: 'env_1', trace_id: '' } as never, ''));
  expect(sent).toEqual([request]);
  expect(returned).toEqual(part === 'all' ? REPLY : REPLY[part]);
});

/** Calls of a mock's own methods, and those that code has no use for or makes in another way. */
const OTHERS = [
  ...['listEnvironments', 'createEnvironment', 'getEnvironment'],
  ...['getTotalCoverage', 'clearTotalCoverage', 'getTotalPact'],
  'getHealth', // connectMock asks for it
  'putEnvironment', // for shells, which cannot keep the name that POST gives
];

test('each call of the control plane has a method', () => {
  const { paths } = parse(readFileSync('src/engine/control/control.yaml', 'utf8'));
  const isSent = (verb: string, path: string): boolean => {
    if (!path.startsWith('/environments/{env}')) return false;
    const own = path.replace('/environments/{env}', '').replaceAll(/\{\w+\}/g, '[^/ ]+');
    return SENT.some(([, request]) => new RegExp(`^${verb.toUpperCase()} ${own}( |$)`).test(request));
  };
  const without = Object.entries<Record<string, { operationId?: string }>>(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, { operationId }]) =>
      isSent(verb, path) ? [] : (operationId ?? []),
    ),
  );
  expect(without.sort()).toEqual(OTHERS.sort());
});
