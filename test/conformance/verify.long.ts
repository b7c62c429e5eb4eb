/** `ca-mock verify` at a mock: every case. */
import { expect, test } from '@jest/globals';
import { listeningServer } from '../support/server.ts';
import { DATA, verify } from './doors.ts';

const server = await listeningServer();

const stateOf = async (): Promise<unknown> => {
  const { text } = await server.control('GET', '/environments/development/state');
  return JSON.parse(text, (name, value) => (name === 'update_time' ? undefined : value));
};

test('every case passes at this mock, and removes what it created', async () => {
  const before = await stateOf();
  const { code, out } = await verify({ ...DATA, baseUrl: server.mock.url, write: true, inferred: true });
  expect(out).not.toContain('failed');
  expect(code).toBe(0);
  expect(out).not.toContain('skipped');
  expect(await stateOf()).toEqual(before);
});
