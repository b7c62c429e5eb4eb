/** `ca-mock verify` at a mock: all that needs no rows. */
import { expect, test } from '@jest/globals';
import { runVerify } from '../../src/conformance/verify.ts';
import { listeningServer } from '../support/server.ts';

const server = await listeningServer();
const OPTIONS = {
  ...{ clientId: 'dev-client', clientSecret: 'dev-secret', timeout: 60, write: true, inferred: true },
  organizationId: 'org_100000000000000001',
  userId: 'usr_100000000000000005',
  externalId: 'ext-barbara',
};

const stateOf = async (): Promise<unknown> => {
  const { text } = await server.control('GET', '/environments/development/state');
  return JSON.parse(text, (name, value) => (name === 'update_time' ? undefined : value));
};

test('every case that needs no rows passes at this mock, and removes what it created', async () => {
  const before = await stateOf();
  let out = '';
  const print = {
    out: (text: string) => {
      out += text;
    },
    file: () => {},
  };
  const code = await runVerify({ ...OPTIONS, baseUrl: server.mock.url }, print);
  expect(out).not.toContain('failed');
  expect(code).toBe(0);
  const needs = [...out.matchAll(/\d+ skipped: (.*)/g)].map(([, why]) => why);
  expect(new Set(needs)).toEqual(
    new Set([
      'needs rows, a clock or events, which only the tests of a mock have',
      'needs a mock that the tests control',
    ]),
  );
  expect(await stateOf()).toEqual(before);
});
