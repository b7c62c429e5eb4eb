/** The library has a method for each call that the control plane's document promises. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type Ask, createAsk } from '../../src/library/ask.ts';
import { EnvironmentCalls } from '../../src/library/calls.ts';
import { MockClient } from '../../src/library/mock.ts';

/** Calls that code has no use for, or makes in another way. */
const WITHOUT_METHOD: Readonly<Record<string, string>> = {
  getHealth: 'connectMock asks for it',
  putEnvironment: 'for shells, which cannot keep the name that POST gives; createEnvironment',
};

const OBJECTS = ['faults', 'accounts', 'links', 'memberships'] as const;

/** The methods that refuse arguments. */
const NONE =
  'state scenario relativeScenario snapshots clock settings clearRequests coverage clearCoverage used clearOutbox events list clear'.split(
    ' ',
  );
const WITH_FILTER = ['requests', 'har', 'outbox', 'pact'];
const argumentsOf = (name: string): readonly unknown[] =>
  NONE.includes(name) ? [] : WITH_FILTER.includes(name) ? [{}] : ['a', 'b'];

const [fetch, end] = [async () => new Response(), async () => {}];
const DOOR = { url: '', controlToken: undefined, send: async () => ({ status: 0, text: '' }), fetch, end };

/** Calls every method once. @returns the ids of the calls to the control plane */
const callEveryMethod = async (): Promise<readonly string[]> => {
  const calls: string[] = [];
  const ask = (async (id: string) => {
    calls.push(id);
    return { environments: [], trace_id: '' };
  }) as unknown as Ask;
  const env = new EnvironmentCalls(ask, 'env_1');
  for (const object of [
    Object.assign(new MockClient(DOOR), { ask }),
    env,
    ...OBJECTS.map((name) => env[name]),
  ]) {
    const own = Object.keys(object).filter((name) => name !== 'ask');
    for (const name of [...own, ...Object.getOwnPropertyNames(Object.getPrototypeOf(object))]) {
      const method = Reflect.get(object, name);
      if (name !== 'constructor' && typeof method === 'function')
        await method.apply(object, argumentsOf(name));
    }
  }
  return calls;
};

test('each call of the control plane has a method', async () => {
  const { paths } = parse(readFileSync('src/engine/control/control.yaml', 'utf8'));
  const documented = Object.values<Record<string, { operationId?: string }>>(paths).flatMap((verbs) =>
    Object.values(verbs).flatMap(({ operationId }) => operationId ?? []),
  );
  const calls = await callEveryMethod();
  const without = documented.filter((id) => !calls.includes(id));
  expect(without.sort()).toEqual(Object.keys(WITHOUT_METHOD).sort());
});

/** The members of replies that methods return without the rest. */
const PARTS =
  'written snapshots requests emails events authentication_request faults connected_account membership'.split(
    ' ',
  );
const REPLY = Object.fromEntries(PARTS.map((part) => [part, `the ${part}`]));

type Sent = [send: (env: EnvironmentCalls) => Promise<unknown>, request: string, part?: string];

const SINCE = { since: new Date('2030-01-01T00:00:00Z') };
const FILTER = { operation: 'getKeys', query: { a: 'b c' }, body: { d: 1 }, ...SINCE } as const;
const FILTERED =
  'operation=getKeys&query=a%3Db%2Bc&body=%7B%22d%22%3A1%7D&since=2030-01-01T00%3A00%3A00.000Z';

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
  const returned = await send(new EnvironmentCalls(ask, 'env_1'));
  expect(sent).toEqual([request]);
  expect(returned).toEqual(part === 'all' ? REPLY : REPLY[part]);
});
