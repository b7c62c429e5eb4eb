/** The environments that runners give to tests, without a runner: shared ones, kept ones, forgotten assertions. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, jest, expect as jestExpect, test } from '@jest/globals';
import { type Mock, type MockEnvironment, startMock } from '#mock';
import { watched } from '../../../src/library/runners/awaited.ts';
import { matchers } from '../../../src/library/runners/matchers.ts';
import { createTestEnvironments } from '../../../src/library/runners/test-environments.ts';
import { temporaryFolder } from '../../support/folder.ts';

jestExpect.extend(matchers);
const expect = watched(jestExpect);

const said = jest.spyOn(console, 'error').mockImplementation(() => {}); // the reports of failed tests

let mock: Mock;
beforeAll(async () => {
  mock = await startMock({ port: 0, log: 'silent' });
  process.env.CA_MOCK_URL = mock.url;
});
afterEach(() => {
  delete process.env.CA_MOCK_KEEP;
});
afterAll(async () => {
  delete process.env.CA_MOCK_URL;
  await mock.close();
});

const names = async () => (await mock.environments()).map(({ name }) => name).slice(2); // without the scenario's own two

test('`per` takes test or file, and its name is checked (behaviour N1)', () => {
  const make = (options: object) => () => createTestEnvironments(options, 'jest');
  expect(make({ per: 'fil' })).toThrow('per is "fil", but must be "test" or "file".');
  expect(make({ pe: 'file' })).toThrow('Unknown name pe. Did you mean "per"?');
});

test('concurrent tests of a file share one environment, which is made once and deleted with the file', async () => {
  const environments = createTestEnvironments({ per: 'file' }, 'jest');
  const [one, two] = await Promise.all([environments.take('a.test.js'), environments.take('a.test.js')]);
  expect(two).toBe(one);
  expect(await names()).toEqual([one.name]);
  for (const env of [one, two]) await environments.giveBack(env, []);
  expect(await names()).toEqual([one.name]);
  await environments.close();
  expect(await names()).toEqual([]);
});

test('the environment that the tests of a file share is kept if one of them failed', async () => {
  const environments = createTestEnvironments({ per: 'file' }, 'jest');
  const env = await environments.take('a.test.js');
  await environments.giveBack(env, [new Error('wrong')]);
  await environments.giveBack(await environments.take('a.test.js'), []);
  await environments.close();
  jestExpect(await names()).toContain(env.name);
  await env.delete();
});

test.each([
  'is',
  'not',
] as const)('an assertion with %s that the test does not await fails the test, and only this test of the file', async (how) => {
  const environments = createTestEnvironments({ per: 'file' }, 'jest');
  const env = await environments.take('a.test.js');
  const assertions = expect(env) as unknown as Record<string, () => unknown> & {
    not: Record<string, () => unknown>;
  };
  void (how === 'not' ? assertions.not : assertions).toHaveSent?.();
  await jestExpect(environments.giveBack(env, [])).rejects.toThrow('toHaveSent(...) was not awaited.');
  await environments.giveBack(await environments.take('a.test.js'), []);
});

test('a change that the test does not await fails it by that name, and is named in another failure', async () => {
  const environments = createTestEnvironments({}, 'jest');
  process.env.CA_MOCK_KEEP = 'none';
  for (const [slip, words] of [
    [
      (env) => env.faults.add({ status: 503 }),
      'faults.add(...) was not awaited. Write: await env.faults.add(...)',
    ],
    [(env) => env.advance('1d'), 'advance(...) was not awaited.'],
    [(env) => env.patchState({}), 'patchState(...) was not awaited.'],
    [(env) => env.accounts.expire('mail/nobody@acme.test'), 'accounts.expire(...) was not awaited.'],
  ] as [slip: (env: MockEnvironment) => unknown, words: string][]) {
    const env = await environments.take('a.test.js');
    void slip(env);
    await jestExpect(environments.giveBack(env, [])).rejects.toThrow(words);
    const failing = await environments.take('a.test.js');
    void slip(failing);
    const failure = new Error('wrong');
    await environments.giveBack(failing, [failure]);
    jestExpect(failure.message).toContain(words);
  }
  const env = await environments.take('a.test.js');
  await env.faults.add({ status: 503 });
  void env.requests();
  await environments.giveBack(env, []);
});

test('a failed test names the faults that took effect on no call', async () => {
  const environments = createTestEnvironments({}, 'jest');
  process.env.CA_MOCK_KEEP = 'none';
  const env = await environments.take('a.test.js');
  await env.faults.add({ operation: 'listConnections', status: 503 });
  await env.faults.add({ operation: 'getConnectedAccountAuth', status: 500 });
  await fetch(`${env.url}/api/v1/connections`, {
    headers: { authorization: `Bearer ${env.credentials.accessToken}` },
  });
  const report = await environments.giveBack(env, [new Error('wrong')]);
  jestExpect(report.split('\n').slice(-2)).toEqual([
    'Faults that took effect on no call:',
    '  fault_2 {"status":500,"operation":"getConnectedAccountAuth"}',
  ]);
});

test('the environment of a test that failed only by an assertion that it did not await is kept', async () => {
  const environments = createTestEnvironments({}, 'jest');
  const env = await environments.take('a.test.js');
  void (expect(env) as unknown as { toHaveSent(): Promise<void> }).toHaveSent();
  const address = `The environment was kept: ${mock.url}/_mock/#/${env.name}`;
  await jestExpect(environments.giveBack(env, [])).rejects.toThrow(address);
  jestExpect(await names()).toContain(env.name);
  await env.delete();
});

test('an assertion that failed shows the line of the test', async () => {
  const environments = createTestEnvironments({}, 'jest');
  const env = await environments.take('a.test.js');
  const assertions = expect(env) as unknown as { toHaveSent(): Promise<void> };
  const failure = await (async () => assertions.toHaveSent())().catch((error: unknown) => error);
  expect(failure).toMatchObject({ stack: jestExpect.stringContaining('environments.test.ts:') });
  await environments.giveBack(env, []);
});

test('the environments of the last 20 failed tests are kept, and each failure ends with the address of its own', async () => {
  const environments = createTestEnvironments({}, 'jest');
  const made: string[] = [];
  for (let failed = 0; failed < 22; failed += 1) {
    const env = await environments.take('a.test.js');
    const failure = new Error("wrong: $' of $&");
    await environments.giveBack(env, [failure]);
    jestExpect(failure.message).toBe(
      `wrong: $' of $&\n\nThe environment was kept: ${mock.url}/_mock/#/${env.name}`,
    );
    jestExpect(failure.stack).toContain(`Error: ${failure.message}\n`);
    made.push(env.name);
    await environments.giveBack(await environments.take('a.test.js'), []);
  }
  const kept = await names();
  for (const env of await mock.environments()) if (kept.includes(env.name)) await env.delete();
  jestExpect(kept.slice(-20)).toEqual(made.slice(2));
  jestExpect(kept).not.toContain(made[0]);
});

test('CA_MOCK_KEEP keeps all environments or none, and refuses another word', async () => {
  const environments = createTestEnvironments({}, 'jest');
  const end = async (keep: string, failures: readonly unknown[]) => {
    process.env.CA_MOCK_KEEP = keep;
    const env = await environments.take('a.test.js');
    await environments.giveBack(env, failures);
    return env.name;
  };
  const failure = new Error('wrong');
  const gone = await end('none', [failure]);
  jestExpect(await names()).not.toContain(gone);
  jestExpect(failure.message).toBe('wrong');
  const kept = await end('all', []);
  jestExpect(await names()).toContain(kept);
  await jestExpect(end('faild', [])).rejects.toThrow(
    'CA_MOCK_KEEP is "faild", but must be one of failed, all, none. Did you mean "failed"?',
  );
});

test('the environment of a test that its runner gave up, or that threw no error, is kept, and its address is printed', async () => {
  const environments = createTestEnvironments({}, 'jest');
  const [lost, thrown] = [await environments.take('a.test.js'), await environments.take('a.test.js')];
  await environments.giveBack(thrown, ['text']);
  await environments.close();
  for (const { name } of [lost, thrown])
    jestExpect(said).toHaveBeenCalledWith(`The environment was kept: ${mock.url}/_mock/#/${name}`);
});

test('the report of a failed test begins with the calls that broke the contract', async () => {
  const environments = createTestEnvironments({}, 'jest');
  const env = await environments.take('a.test.js');
  const headers = { authorization: `Bearer ${env.credentials.accessToken}` };
  for (const query of ['', '?page_size=none'])
    await fetch(`${env.url}/api/v1/connected_accounts${query}`, { headers });
  const [head, ...lines] = (await environments.giveBack(env, [new Error('wrong')])).split('\n');
  jestExpect(head).toContain('starting with those that broke the contract:');
  jestExpect(lines.map((line) => / ([24]\d\d) /.exec(line)?.[1])).toEqual(['400', '200']);
  await environments.close();
});

/** The report of a failed test that has made these calls with a token. */
const reportOf = async (made: number, token?: string): Promise<string> => {
  const environments = createTestEnvironments({}, 'jest');
  const env = await environments.take('a.test.js');
  process.env.CA_MOCK_KEEP = 'none';
  const headers = { authorization: `Bearer ${token ?? env.credentials.accessToken}` };
  for (let call = 0; call < made; call += 1) await fetch(`${mock.url}/api/v1/connections`, { headers });
  return environments.giveBack(env, [new Error('wrong')]);
};

test('a report has 50 calls at most, and says how many others there are', async () => {
  jestExpect((await reportOf(50)).split('\n')).toHaveLength(51);
  jestExpect((await reportOf(52)).split('\n').slice(51)).toEqual(['  and 2 more']);
});

test('a report without calls says which other environment got calls since the test began', async () => {
  const none = 'The mock received no call in this environment.';
  jestExpect(await reportOf(0)).toBe(`${none} Does your application use env.url and env.credentials?`);
  jestExpect(await reportOf(1, 'dev-token')).toMatch(`${none} 1 call went to development (dev-client). Your`);
  const later = await reportOf(2, 'prod-token');
  jestExpect(later).toMatch(`${none} 2 calls went to production (prod-client). Your application must`);
});

test('without a mock, the first test says which setup is missing', async () => {
  process.env.CA_MOCK_URL = '';
  await jestExpect(createTestEnvironments({}, 'jest').take('a.test.js')).rejects.toThrow(
    "No mock was started for this run. Set globalSetup to 'connected-accounts-mock/jest/setup'",
  );
  process.env.CA_MOCK_URL = mock.url;
});

test('the scenario file of a test is looked for beside the test first, then in the working directory', async () => {
  const folder = temporaryFolder();
  const take = async (scenario: string) => {
    const environments = createTestEnvironments({ scenario }, 'jest');
    const env = await environments.take(join(folder, 'a.test.js'));
    const { users } = await env.state();
    await environments.giveBack(env, []);
    return users?.length ?? 0;
  };
  jestExpect(await take('./fixtures/default.yaml')).toBe(6);
  writeFileSync(join(folder, 'own.yaml'), 'environments: { one: { users: [{ email: a@b.test }] } }\n');
  for (const named of ['./own.yaml', 'own.yaml']) jestExpect(await take(named)).toBe(1);
  jestExpect(await take('empty')).toBe(0);
  await jestExpect(take('./none.yaml')).rejects.toThrow(`Looked for ${join(folder, 'none.yaml')} and `);
});

test('a failed test says its own failure first', async () => {
  const environments = createTestEnvironments({}, 'jest');
  process.env.CA_MOCK_KEEP = '';
  const env = await environments.take('a.test.js');
  void (expect(env) as unknown as Record<string, () => unknown>).toHaveSent?.();
  await environments.giveBack(env, [new Error('wrong')]); // not the assertion that was not awaited
  jestExpect(await names()).toContain(env.name);
  await (await mock.environment(env.name)).delete();
});
