/** Measures the core without HTTP: the time of one step with few and with many accounts. Prints one JSON object. */

import { readFileSync } from 'node:fs';
import { Environments } from '../../src/engine/environments/all-environments.ts';
import { type Environment, runStep } from '../../src/engine/environments/environment.ts';
import type { CheckedInput } from '../../src/engine/http/broken-rules.ts';
import type { OperationResult } from '../../src/engine/operation.ts';
import { service } from '../../src/service/index.ts';
import { operations } from '../../src/service/operations.ts';
import { loadScenario } from '../engine/scenario/files.ts';

const [, , fixturesDir = '', ...files] = process.argv;

type Act = (state: Environment['current']['data'], input: CheckedInput, env: unknown) => OperationResult;

/** Runs an operation as an API call does. */
const call = (environment: Environment, id: keyof typeof operations, input: Partial<CheckedInput>) =>
  // The cast is safe, since each call below passes an input that fits its operation.
  runStep(environment, (state, env) =>
    (operations[id] as unknown as Act)(state, { path: {}, query: {}, body: {}, ...input }, env),
  );

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** The median time of a step in microseconds, over many steps. */
const measure = (times: number, step: (nth: number) => void): number => {
  const spent: number[] = [];
  for (let nth = 0; nth < times; nth += 1) {
    const startedAt = performance.now();
    step(nth);
    spent.push((performance.now() - startedAt) * 1_000);
  }
  return median(spent);
};

const results: Record<string, Record<string, number>> = {};
for (const file of files) {
  const startedAt = performance.now();
  const environments = new Environments(
    service,
    loadScenario(file, { fixturesDir, workingDirectory: '.' }),
    '',
  );
  const load = (performance.now() - startedAt) * 1_000;
  const environment = environments.first();
  let serial = 0;
  const write = () => {
    serial += 1;
    call(environment, 'createConnectedAccount', {
      body: { connector: 'mail', identifier: `new-${serial}@acme.test` },
    });
  };
  const search = (query: string) => call(environment, 'searchConnectedAccounts', { query: { query } });
  const firstSearch = measure(1, () => search('person-77@'));
  for (let nth = 0; nth < 2_000; nth += 1) write();
  for (let nth = 0; nth < 50; nth += 1) search('person-77@');
  results[JSON.parse(readFileSync(file, 'utf8')).description] = {
    load,
    write: measure(2_000, write),
    'list, first page': measure(500, () => call(environment, 'listConnectedAccounts', {})),
    'search that few match': measure(50, () => search('person-77@')),
    'search that all match': measure(20, () => search('acme')),
    'very first search': firstSearch,
    'first search after a write': median(
      Array.from({ length: 50 }, (_, nth) => {
        write();
        return measure(1, () => search(`person-7${nth}@`));
      }),
    ),
  };
}
console.log(JSON.stringify(results));
