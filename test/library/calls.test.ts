/** The library has a method for each call that the control plane's document promises. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { createAsk } from '../../src/library/ask.ts';
import { EnvironmentCalls } from '../../src/library/calls.ts';

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
