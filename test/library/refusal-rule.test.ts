/** The journal names the rule that refused a call (`src/RULES.md`). It names no rule if a fault answered the call. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type Isolated, testServer } from '../support/server.ts';

const server = testServer();

type Call = Parameters<Isolated['api']>;

/** Makes the calls in the environment. Returns status and rule of its last call, as the journal has them. */
const lastOf = async ({ api, control }: Isolated, ...calls: Call[]) => {
  for (const call of calls) await api(...call);
  const { status, rule } = (await control('GET', '/requests')).body.requests.at(-1);
  return [status, rule];
};

const ACCOUNTS = '/api/v1/connected_accounts';
const CONNECTIONS = '/api/v1/connections';
const ADA = { connector: 'mail', identifier: 'ada@acme.test' };
const PROVIDER = '/api/v1/custom-providers/TICKET_DESK%3A100000000000000001';
const MEMBERSHIP = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000001';
const PREFER = { prefer: 'code=409' };

test.each<[string, Call, object, [number, string | undefined]]>([
  ['an account that exists already', ['POST', ACCOUNTS, ADA], {}, [409, 'A4']],
  ['an unknown connector', ['POST', ACCOUNTS, { ...ADA, connector: 'nowhere' }], {}, [400, 'A3']],
  ['an unknown account', ['GET', `${ACCOUNTS}/auth?id=ca_1`], {}, [404, 'A2']],
  ['an unknown connection name', ['GET', `${ACCOUNTS}?connection_names=x`], {}, [404, 'A1']],
  ['an unknown page token', ['GET', `${ACCOUNTS}?page_token=x`], {}, [400, 'I4']],
  ['a member that is missing', ['POST', ACCOUNTS, {}], {}, [400, 'R1']],
  ['both spellings of a name', ['POST', ACCOUNTS, { ...ADA, userId: 'a', user_id: 'b' }], {}, [400, 'T3']],
  ['a provider that a connection uses', ['DELETE', PROVIDER], {}, [400, 'P3']],
  ['a user who is a member', ['POST', MEMBERSHIP, {}], {}, [409, 'M1']],
  ['an unknown path', ['GET', '/api/v1/nowhere'], {}, [404, 'T4']],
  ['a method that a path does not have', ['PATCH', CONNECTIONS, {}], {}, [501, 'T4']],
  ['an unknown parameter', ['GET', `${ACCOUNTS}?pagesize=1`], { strict: true }, [400, 'T2']],
  ['a call that was answered', ['GET', CONNECTIONS], {}, [200, undefined]],
  ['an error that Prefer asks for', ['GET', CONNECTIONS, undefined, PREFER], {}, [409, undefined]],
])('the journal has the status of a call and the rule that refused it, if a rule did: %s, %j', async (_what, call, settings, refusal) => {
  expect(await lastOf(await server.isolated({ settings }), call)).toEqual(refusal);
});

test('the journal names rule R1 for a call without a token, X2 above the rate limit, and no rule for a fault', async () => {
  const env = await server.isolated({ settings: { rate_limit: { requests: 1, per: '1m' } } });
  expect(await lastOf(env, ['GET', CONNECTIONS], ['GET', CONNECTIONS])).toEqual([429, 'X2']);
  await server.call('GET', CONNECTIONS, { token: null, headers: { 'x-mock-environment': env.name } });
  expect(await lastOf(env)).toEqual([401, 'R1']);
  await env.control('POST', '/reset');
  await env.control('POST', '/faults', { operation: 'listConnections', status: 404 });
  expect(await lastOf(env, ['GET', CONNECTIONS])).toEqual([404, undefined]);
});

test('each rule that an error can name is in RULES.md', () => {
  const source = new URL('../../src/', import.meta.url);
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const named = files.flatMap((file) => [
    ...readFileSync(new URL(file, source), 'utf8').matchAll(/\brule: '([A-Z]\d{1,2})'/g),
  ]);
  const words = readFileSync(new URL('RULES.md', source), 'utf8');
  expect(named.length).toBeGreaterThan(20);
  for (const [, rule] of named) expect(words).toContain(`<a id="${rule}"></a>`);
});
