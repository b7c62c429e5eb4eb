/** The suite behind `ca-mock verify`, run against ourselves over HTTP: everything that it can say holds. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Outcome } from '../../src/conformance/outcome.ts';
import { type Report, runSuite } from '../../src/conformance/run.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let report: Report;

beforeAll(async () => {
  server = await startServer({ scenario: 'default' });
  const { clientId, clientSecret } = server.mock.environment('development').credentials;
  report = await runSuite({ baseUrl: server.mock.url, clientId, clientSecret, write: true, inferred: true });
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
});
