import { expect, test } from '@jest/globals';
import { ContractError, checkContract } from '../../src/openapi/check.ts';

const contract = (changes: object = {}) => ({
  openapi: '3.1.1',
  info: { title: 'Books', version: '1.0.0' },
  paths: {
    '/books/{id}': {
      get: {
        operationId: 'getBook',
        parameters: [{ $ref: '#/components/parameters/Id' }],
        responses: { default: { description: 'An error' } },
      },
    },
  },
  components: {
    parameters: {
      Id: { name: 'id', in: 'path', required: true, schema: { $ref: '#/components/schemas/Id' } },
    },
    schemas: { Id: { type: 'string' } },
  },
  ...changes,
});

const withOperation = (operation: object) => contract({ paths: { '/books': { get: operation } } });

const problems = (value: unknown): readonly string[] => {
  try {
    checkContract(value, 'books.yaml');
  } catch (error) {
    if (error instanceof ContractError) return error.problems;
    throw error;
  }
  return [];
};

test('a contract that can be served is given back as it is', () => {
  const document = contract();
  expect(checkContract(document)).toBe(document);
});

test.each([
  ['text', 'not yaml at all', ['it is not an object']],
  ['an old version', contract({ openapi: '2.0' }), ['openapi is 2.0; only 3.x can be read']],
  [
    'no paths and no schemas',
    { openapi: '3.1.1', info: {} },
    ['paths is missing', 'components.schemas is missing'],
  ],
  [
    'an operation without id',
    withOperation({ responses: { default: {} } }),
    ['GET /books has no operationId'],
  ],
  ['an operation without responses', withOperation({ operationId: 'a' }), ['GET /books has no responses']],
  [
    'an operation without a default response',
    withOperation({ operationId: 'a', responses: { 200: {} } }),
    ['GET /books has no default response, so an error would break the contract'],
  ],
  [
    'a path parameter nobody declares',
    contract({ paths: { '/b/{id}': { get: { operationId: 'a', responses: { default: {} } } } } }),
    ['GET /b/{id} does not declare the path parameter {id}'],
  ],
  [
    'a reference that leads nowhere',
    contract({ components: { schemas: { Id: { $ref: '#/components/schemas/Nope' } }, parameters: {} } }),
    [
      'GET /books/{id} does not declare the path parameter {id}',
      '#/paths//books/{id}/get/parameters/0 refers to #/components/parameters/Id, which is not there',
      '#/components/schemas/Id refers to #/components/schemas/Nope, which is not there',
    ],
  ],
])('a contract with %s is refused with every problem named', (_, value, expected) => {
  expect(problems(value)).toEqual(expected);
});

test('two operations cannot share an operationId', () => {
  const operation = { operationId: 'same', responses: { default: {} } };
  expect(problems(contract({ paths: { '/a': { get: operation }, '/b': { post: operation } } }))).toEqual([
    'POST /b has the operationId of GET /a: same',
  ]);
});
