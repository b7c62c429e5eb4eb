/** Runs the suite of `ca-mock verify` against this mock over HTTP: every case must pass. */
import { beforeAll, expect, test } from '@jest/globals';
import { type Report, runSuite } from '../../../src/conformance/verify/run.ts';
import { SUITE } from '../../../src/conformance/verify/suite.ts';
import { loadContract } from '../../../src/contract/load.ts';
import { listeningServer } from '../../support/server.ts';
import { DATA } from './data.ts';

const server = await listeningServer();
let report: Report;

beforeAll(async () => {
  report = await runSuite({
    baseUrl: server.mock.url,
    ...(await server.mock.environment('development')).credentials,
    ...DATA,
    write: true,
    inferred: true,
    timeout: 60,
  });
});

const withResult = (...results: readonly string[]): readonly string[] =>
  report.outcomes
    .filter(({ result }) => results.includes(result))
    .map(({ case: { name }, messages }) => `${name}: ${messages.join('; ')}`);

test('every promised and every inferred case passes against this mock', () => {
  expect(withResult('failed', 'warned')).toEqual([]);
});

test('no case is skipped when organization, user and external id are given', () => {
  expect(withResult('skipped')).toEqual([]);
});

test('a run removes all data that it created', async () => {
  const accounts = await server.call('GET', '/api/v1/connected_accounts?page_size=100');
  expect(accounts.body.total_size).toBe(12);
});

test('every operation has cases, and each case has a unique name', () => {
  const names = SUITE.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const tested = new Set(SUITE.map(({ operationId }) => operationId));
  expect(loadContract().operations.filter(({ operationId }) => !tested.has(operationId))).toEqual([]);
});
