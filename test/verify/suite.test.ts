/** The suite behind `ca-mock verify`, run against ourselves over HTTP: everything that it can say holds. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadContract } from '../../src/openapi/load.ts';
import type { Outcome } from '../../src/verify/outcome.ts';
import { type Report, runSuite } from '../../src/verify/run.ts';
import type { Exchange } from '../../src/verify/session.ts';
import { SUITE } from '../../src/verify/suite.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { EXCEPTIONS, findGaps } from './gaps.ts';

const CASES = SUITE.flatMap(({ cases }) => cases);

let server: TestServer;
let report: Report;
const exchanges: Exchange[] = [];

beforeAll(async () => {
  server = await startServer({ scenario: 'default' });
  const { clientId, clientSecret } = server.mock.environment('development').credentials;
  const data = {
    organizationId: 'org_100000000000000001',
    userId: 'usr_100000000000000005',
    externalId: 'ext-barbara',
  };
  report = await runSuite({
    baseUrl: server.mock.url,
    clientId,
    clientSecret,
    ...data,
    write: true,
    inferred: true,
    onExchange: (exchange) => exchanges.push(exchange),
  });
}, 120_000);

afterAll(() => server.close());

const told = (outcomes: readonly Outcome[]): readonly string[] =>
  outcomes.map(({ case: { name }, messages }) => `${name}: ${messages.join('; ')}`);

test('every case passes against this mock, promised or inferred', () => {
  expect(told(report.outcomes.filter(({ result }) => result === 'failed' || result === 'warned'))).toEqual(
    [],
  );
});

test('no case is skipped where there is a control plane', () => {
  expect(told(report.outcomes.filter(({ result }) => result === 'skipped'))).toEqual([]);
  expect(report.totals.passed).toBe(CASES.length);
});

test('a run leaves nothing behind', async () => {
  const accounts = await server.call('GET', '/api/v1/connected_accounts?page_size=100');
  expect(accounts.body.total_size).toBe(12);
  const environments = await server.call('GET', '/_mock/environments');
  expect(environments.body.environments ?? environments.body).toHaveLength(2);
});

test('every documented status, every value of an enum and every limit is exercised, at its edge and past it', () => {
  const gaps = findGaps(loadContract(), exchanges);
  expect(gaps.filter((gap) => !EXCEPTIONS.has(gap))).toEqual([]);
});

test('an exception that is no gap any more is struck off the list', () => {
  const gaps = new Set(findGaps(loadContract(), exchanges));
  expect([...EXCEPTIONS].filter((gap) => !gaps.has(gap))).toEqual([]);
});

test('there are 150 cases or more, each with a name of its own that says something', () => {
  const names = CASES.map(({ name }) => name);
  expect(names.length).toBeGreaterThanOrEqual(150);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('every case cites the description or a rule, and a promised one cites the description', () => {
  const isRule = (cite: string): boolean => /^[A-Z]\d+$/.test(cite);
  expect(CASES.filter(({ cites }) => cites.length === 0).map(({ name }) => name)).toEqual([]);
  const promised = CASES.filter(({ basis }) => basis === 'promised');
  expect(promised.filter(({ cites }) => cites.every(isRule)).map(({ name }) => name)).toEqual([]);
});
