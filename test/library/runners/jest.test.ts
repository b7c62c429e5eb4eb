/** The entry for Jest, in Jest. When all its tests have ended, the mock has no environment of theirs any more. */
import { afterAll, expect as jestExpect } from '@jest/globals';
import { createTest, expect, type MockEnvironment, test } from '../../../src/library/runners/jest.ts';
import { servedMock } from '../isolated.ts';

const inEmpty = createTest({ scenario: 'empty' });
afterAll(async () => jestExpect(await names()).toEqual([]));
const { mock, names } = await servedMock();

const ask = (env: MockEnvironment): Promise<Response> =>
  fetch(`${env.url}/api/v1/connections`, {
    headers: { authorization: `Bearer ${env.credentials.accessToken}` },
  });

const used = new Set<string>();
for (const declare of [test, test.concurrent])
  declare('each test has an environment of its own, whose calls `expect` knows', async ({ env }) => {
    jestExpect(used).not.toContain(env.id);
    used.add(env.id);
    await ask(env);
    await expect(env).toHaveReceived('listConnections', { times: 1, status: 200 });
    await expect(env).not.toHaveSent();
    expect(env.url).toBe(mock.url); // like the `expect` of Jest
  });

inEmpty('a test can start from another scenario', async ({ env }) => {
  jestExpect((await env.state()).connections ?? []).toEqual([]);
});

for (const declare of [test, inEmpty])
  declare.failing('a test that is to fail fails, and is not reported', ({ env }) => {
    throw new Error(env.name);
  });

test.each([
  [1, 'a'],
  [2, 'b'],
] as const)('the environment comes after the values of a row: %i, %s', (number, letter, { env }) => {
  jestExpect([typeof number, typeof letter]).toEqual(['number', 'string']);
  jestExpect(env.url).toBe(mock.url);
});
