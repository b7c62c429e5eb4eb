/** The first check of each operation builds its validator, which is long work. */
import { expect, test } from '@jest/globals';
import type { Request } from 'express';
import { loadContract } from '../../../src/contract/load.ts';
import { createValidate } from '../../../src/server/http/validate.ts';
import { turnsOf } from '../../support/turns.ts';

test('other calls have turns between two validators that are built, and none when they are there', async () => {
  const contract = loadContract();
  const checks = contract.operations
    .filter(({ method }) => method === 'get')
    .map((operation) => {
      const options = { validateResponses: 'off', onReplyViolation: () => {} } as const;
      const validate = createValidate(contract, operation, options);
      const request = { method: 'GET', url: operation.path } as Request; // the cast is safe: only these members are read
      return () => validate(request, { query: {}, body: undefined, problems: [] }).catch(() => {});
    });
  const checkAll = () => turnsOf(() => Promise.all(checks.map((check) => check())));
  expect(checks.length).toBeGreaterThan(5);
  expect(await checkAll()).toBeGreaterThan(8 * (checks.length - 1));
  expect(await checkAll()).toBeLessThan(8);
});
