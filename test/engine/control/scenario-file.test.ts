/** Scenario files written and read by the server. */
import { expect, jest, test } from '@jest/globals';
import { readScenario, writeScenario } from '../../../src/engine/scenario/text.ts';
import { testServer } from '../../support/server.ts';

const server = testServer();
const YAML = { headers: { 'content-type': 'application/yaml' } };

test('an environment is exported as YAML, and importing the text restores it', async () => {
  const own = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  const read = async () => (await own.control('GET', '/rows/connected_accounts')).body.rows;
  const before = await read();
  const { text, headers } = await own.control('GET', '/scenario?format=yaml');
  expect(headers['content-type']).toMatch(/^application\/yaml/);
  await own.control('POST', '/reset', { scenario: 'empty' });
  expect((await own.control('PUT', '/scenario', text, YAML)).body).toEqual({ from: own.name });
  expect(await read()).toEqual(before);
});

test('an import reads the environment of the same name from the file, or else the first, and the reply says which', async () => {
  const own = await server.isolated();
  const put = async (environments: string) =>
    (await own.control('PUT', '/scenario', { text: `environments: { ${environments} }` })).body;
  const users = '{ users: [{ email: ada@acme.test }] }';
  expect(await put(`staging: ${users}, other: {}`)).toEqual({ from: 'staging' });
  expect(await put(`staging: {}, ${own.name}: ${users}`)).toEqual({ from: own.name });
  expect((await own.control('GET', '/rows/users')).body.total).toBe(1);
});

test('an import of a text that is not a scenario is refused, and changes nothing', async () => {
  const own = await server.isolated();
  for (const text of ['users: [', '7', 'users: [{ email: 7 }]'])
    expect((await own.control('PUT', '/scenario', text, YAML)).status).toBe(400);
  expect((await own.control('GET', '/rows/users')).body.total).toBe(6);
});

test('a long list is written row by row, and read unchanged, as JSON and as YAML', () => {
  const accounts = Array.from({ length: 2_500 }, (_, nth) => ({ identifier: `{a} "${nth}"`, n: [nth] }));
  const settings = { rate_limit: { requests: 1 } };
  const users = [{ email: 'ada@acme.test' }];
  const own = { id: 'env_1', settings, users, accounts, roles: [], clients: {} };
  const scenario = { clock: { mode: 'running' }, environments: { own, null: {}, '1e3': { id: 'env_2' } } };
  const text = writeScenario({ description: undefined, ...scenario });
  expect(JSON.parse(text)).toEqual(scenario);
  expect(readScenario(text).value).toEqual(scenario);
  expect(text.split('\n')).toHaveLength(2_500 + 16);
});

test('a file with many names in one map is read without comparing each name with all others', () => {
  let compared = 0;
  const some = jest.spyOn(Array.prototype, 'some').mockImplementation(function (this: unknown[], test) {
    return this.findIndex((...item) => ++compared && test(...item)) >= 0;
  });
  const lines = Array.from({ length: 2_000 }, (_, n) => `name_${n}: 1\n`);
  expect(Object.keys(Object(readScenario(lines.join('')).value))).toHaveLength(2_000);
  expect(readScenario(`${lines.join('')}name_7: 2\n`).problems).toEqual([
    { line: 2001, column: 1, message: 'this name appears twice; remove one' },
  ]);
  some.mockRestore();
  expect(compared).toBeLessThan(40_000);
});

test('a file with many aliases is refused, since each is compared with all anchors', () => {
  const lines = Array.from({ length: 5_001 }, (_, n) => `- [&a${n} 1, *a${n}]\n`);
  const [problem] = readScenario(lines.join('')).problems;
  expect(problem?.message).toBe('more than 10000 anchors and aliases');
});
