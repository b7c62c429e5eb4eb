/** Contracts so small that every keyword can change, and what `ca-mock diff` says about a change. */
import { compare } from '../../../src/conformance/used/diff.ts';
import type { UsedFile } from '../../../src/conformance/used/used.ts';
import type { OpenApiDocument } from '../../../src/contract/document.ts';
import { toContract } from '../../../src/contract/load.ts';

export type Json = ReturnType<typeof JSON.parse>;

/** A contract with an operation that sends and returns a value with these schemas, and another operation. */
export const contractWith = (sent: object, returned: object): Json => ({
  openapi: '3.1.0',
  info: { title: 'Small', version: '1' },
  servers: [{ url: 'http://mock.local' }],
  security: [{ bearer: [] }],
  paths: {
    '/things/{id}': {
      post: {
        operationId: 'send',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 20 } },
          { name: 'page', in: 'query', schema: { type: 'integer', default: 10 } },
          { name: 'X-Known', in: 'header', schema: { type: 'string' } },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', properties: { value: sent, other: { type: 'string' } } },
            },
          },
        },
        responses: {
          200: {
            headers: { 'X-Count': { schema: { type: 'integer' } } },
            content: {
              'application/json': {
                schema: { type: 'object', required: ['value'], properties: { value: returned } },
              },
            },
          },
          404: { content: { 'application/json': { schema: { type: 'object' } } } },
        },
      },
    },
    '/others': { get: { operationId: 'other', parameters: [], responses: { 200: {} } } },
  },
  components: {
    schemas: {
      Text: { type: 'string' },
      Node: { type: 'object', properties: { inner: { $ref: '#/components/schemas/Node' } } },
    },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      oauth: { type: 'oauth2', flows: {} },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    },
  },
});

const contractOf = (document: Json) => toContract<string>(document as OpenApiDocument);

export const usedOf = (id: string, used: Partial<UsedFile['operations'][string]> = {}): UsedFile => ({
  format: 1,
  api: '1',
  operations: { [id]: { sends: ['value'], gets: { 200: ['value'] }, ...used } },
});

export const tell = (used: UsedFile, before: Json, after: Json): readonly string[] =>
  compare(used, contractOf(after), contractOf(before)).map(({ effect, member, words }) =>
    [`${effect}:`, member, words].filter(Boolean).join(' '),
  );

export const TEXT = { type: 'string' };
export const NUMBER = { type: 'number' };
