/** The environments that runners give to tests, without a runner: shared ones, kept ones, forgotten assertions. */
import { afterEach, jest, expect as jestExpect, test } from '@jest/globals';
import type { MockEnvironment } from '#mock';
import { matchers } from '../../../src/library/runners/matchers.ts';
import { createTestEnvironments, watched } from '../../../src/library/runners/test-environments.ts';
import { servedMock } from '../isolated.ts';

jestExpect.extend(matchers);
const expect = watched(jestExpect);

const said = jest.spyOn(console, 'error').mockImplementation(() => {}); // the reports of failed tests

const { mock, names } = await servedMock();
afterEach(() => {
  delete process.env.CA_MOCK_KEEP;
});

const environments = createTestEnvironments({}, 'jest');
const take = () => environments.take();

const addressOf = ({ name }: MockEnvironment) => `The environment was kept: ${mock.url}/_mock/#/${name}`;

interface Assertions {
  toHaveSent(): Promise<void>;
  readonly not: Assertions;
}
const assertionsOn = (env: MockEnvironment) => expect(env) as unknown as Assertions;

const call = (env: MockEnvironment, path = 'connections', token = env.credentials.accessToken) =>
  fetch(`${mock.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });

/** The lines of the report of a test that fails after it did this. Its environment is not kept. */
const reportOf = async (act: (env: MockEnvironment) => unknown): Promise<string[]> => {
  const env = await take();
  process.env.CA_MOCK_KEEP = 'none';
  await act(env);
  return (await environments.giveBack(env, [new Error('wrong')])).split('\n');
};

test('without a mock the missing setup is named, and an unknown option by the mock (behaviour N1)', async () => {
  const wrong = createTestEnvironments({ scenaro: 'empty' } as object, 'jest');
  await jestExpect(wrong.take()).rejects.toThrow('Did you mean "scenario"?');
  process.env.CA_MOCK_URL = '';
  await jestExpect(take()).rejects.toThrow(
    "No mock was started for this run. Set globalSetup to 'connected-accounts-mock/jest/setup'",
  );
  process.env.CA_MOCK_URL = mock.url;
});

test.each([
  'is',
  'not',
] as const)('an assertion with %s that is not awaited fails its test alone, whose environment is kept', async (how) => {
  const env = await take();
  void (how === 'not' ? assertionsOn(env).not : assertionsOn(env)).toHaveSent();
  const ended = environments.giveBack(env, []);
  await jestExpect(ended).rejects.toThrow('toHaveSent(...) was not awaited.');
  await jestExpect(ended).rejects.toThrow(addressOf(env));
  jestExpect(await names()).toContain(env.name);
  await env.delete();
});

test.each<[string, (env: MockEnvironment) => unknown]>([
  [
    'faults.add(...) was not awaited. Write: await env.faults.add(...)',
    (env) => env.faults.add({ status: 503 }),
  ],
  ['advance(...) was not awaited.', (env) => env.advance('1d')],
  ['patchState(...) was not awaited.', (env) => env.patchState({})],
  ['accounts.expire(...) was not awaited.', (env) => env.accounts.expire('mail/nobody@acme.test')],
])('a change that is not awaited fails its test, and is named in another failure: %s', async (words, slip) => {
  process.env.CA_MOCK_KEEP = 'none';
  const [env, failing] = [await take(), await take()];
  void slip(env);
  await jestExpect(environments.giveBack(env, [])).rejects.toThrow(words);
  void slip(failing);
  const failure = new Error('wrong');
  await environments.giveBack(failing, [failure]);
  jestExpect(failure.message).toContain(words);
});

test('a change that is awaited, and what reads alone, fail no test; a failed assertion shows its line', async () => {
  const env = await take();
  await env.faults.add({ status: 503 });
  void env.requests();
  const failure = await (async () => assertionsOn(env).toHaveSent())().catch((error: unknown) => error);
  expect(failure).toMatchObject({ stack: jestExpect.stringContaining('environments.test.ts:') });
  await environments.giveBack(env, []);
});

test('the environments of the last 20 failed tests are kept, and each failure ends with the address of its own', async () => {
  const made: string[] = [];
  for (let failed = 0; failed < 22; failed += 1) {
    const env = await take();
    const failure = new Error("wrong: $' of $&");
    await environments.giveBack(env, [failure]);
    jestExpect(failure.message).toBe(`wrong: $' of $&\n\n${addressOf(env)}`);
    jestExpect(failure.stack).toContain(`Error: ${failure.message}\n`);
    made.push(env.name);
    await environments.giveBack(await take(), []);
  }
  const kept = await names();
  for (const env of await mock.environments()) if (kept.includes(env.name)) await env.delete();
  jestExpect(kept).toEqual(made.slice(2));
});

test('CA_MOCK_KEEP keeps all environments or none, and refuses another word', async () => {
  const end = async (keep: string, failures: readonly unknown[]) => {
    process.env.CA_MOCK_KEEP = keep;
    const env = await take();
    await environments.giveBack(env, failures);
    return env;
  };
  const failure = new Error('wrong');
  const gone = await end('none', [failure]);
  jestExpect([await names(), failure.message]).toEqual([
    jestExpect.not.arrayContaining([gone.name]),
    'wrong',
  ]);
  const kept = await end('all', []);
  jestExpect(await names()).toContain(kept.name);
  await kept.delete();
  await jestExpect(end('faild', [])).rejects.toThrow(
    `CA_MOCK_KEEP is 'faild', but must be one of failed, all, none. Did you mean "failed"?`,
  );
});

test('the environment of a test that its runner gave up, or that threw no error, is kept, and its address is printed', async () => {
  const [lost, thrown] = [await take(), await take()];
  await environments.giveBack(thrown, ['text']);
  await createTestEnvironments({}, 'jest').close(); // ends its own tests only
  jestExpect(said).not.toHaveBeenCalledWith(addressOf(lost));
  await environments.close();
  for (const env of [lost, thrown]) jestExpect(said).toHaveBeenCalledWith(addressOf(env));
});

test('the report of a failed test begins with the calls that broke the contract, and ends with faults without effect', async () => {
  const [head, ...lines] = await reportOf(async (env) => {
    await env.faults.add({ operation: 'listConnections', status: 503 });
    await env.faults.add({ operation: 'getConnectedAccountAuth', status: 500 });
    for (const path of ['connections', 'connected_accounts?page_size=none']) await call(env, path);
  });
  jestExpect(head).toContain('starting with those that broke the contract:');
  jestExpect(lines.map((line) => / ([245]\d\d) /.exec(line)?.[1]).filter(Boolean)).toEqual(['400', '503']);
  jestExpect(lines.slice(-2)).toEqual([
    'Faults that took effect on no call:',
    '  fault_2 {"status":500,"operation":"getConnectedAccountAuth"}',
  ]);
});

test('a report has 50 calls at most, and says how many others there are', async () => {
  for (const [made, rest] of [[50, []] as const, [52, ['  and 2 more']] as const]) {
    const lines = await reportOf(async (env) => {
      for (let one = 0; one < made; one += 1) await call(env);
    });
    jestExpect(lines.slice(51)).toEqual(rest);
  }
});

test('a report without calls says which other environment got calls since the test began', async () => {
  const none = 'The mock received no call in this environment.';
  jestExpect(await reportOf(() => {})).toEqual([
    `${none} Does your application use env.url and env.credentials?`,
  ]);
  const [first] = await reportOf((env) => call(env, 'connections', 'dev-token'));
  jestExpect(first).toMatch(
    `${none} Of other calls 1 went to development (dev-client). Your application must`,
  );
  const [later] = await reportOf(async (env) => {
    for (const _ of [1, 2]) await call(env, 'connections', 'prod-token');
  });
  jestExpect(later).toMatch(
    `${none} Of other calls 2 went to production (prod-client). Your application must`,
  );
});
