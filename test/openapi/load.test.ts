import { expect, test } from '@jest/globals';
import { loadContract } from '../../src/openapi/load.ts';

test('the contract of the package names 24 operations, each once', () => {
  const ids = loadContract().operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(24);
  expect(ids).toHaveLength(24);
});

test('an operation carries its address and its parameters with references followed', () => {
  const operation = loadContract().operations.find(
    ({ operationId }) => operationId === 'updateCustomProvider',
  );
  expect(operation).toMatchObject({ method: 'put', path: '/api/v1/custom-providers/{identifier}' });
  expect(operation?.parameters).toContainEqual(expect.objectContaining({ name: 'identifier', in: 'path' }));
});
