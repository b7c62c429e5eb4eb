/** Sends every call of the conformance suite by REST, and by gRPC if a message can express it: the answers are the same. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadContract } from '../../src/openapi/load.ts';
import { type Report, runSuite } from '../../src/verify/run.ts';
import { DATA } from '../verify/data.ts';
import { type BothWays, startBothWays } from './both-ways.ts';

let server: BothWays;
let report: Report;

beforeAll(async () => {
  server = await startBothWays();
  report = await runSuite({
    baseUrl: server.url,
    ...(await server.mock.environment('development')).credentials,
    ...DATA,
    write: true,
    inferred: true,
  });
}, 300_000);

afterAll(() => server.close());

test('every call gets the same answer by REST and by gRPC', () => {
  expect(server.differences).toEqual([]);
});

test('the comparison calls every operation by gRPC, and makes most of its calls by gRPC', () => {
  const missing = loadContract().operations.filter(({ operationId }) => !server.called.has(operationId));
  expect(missing.map(({ operationId }) => operationId)).toEqual([]);
  const calls = [...server.called.values()].reduce((sum, count) => sum + count, 0);
  expect(calls).toBeGreaterThan(server.sent() / 2);
});

test('the conformance suite passes while every call is also sent by gRPC', () => {
  const wrong = report.outcomes.filter(({ result }) => result !== 'passed');
  expect(wrong.map(({ case: { name }, messages }) => `${name}: ${messages.join('; ')}`)).toEqual([]);
});
