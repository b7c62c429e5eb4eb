/** What the server needs from the two OpenAPI documents; `npm run lint:contract` checks the rest. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { loadConsoleContract } from '../../../src/console/calls/console-document.ts';
import { dereference, type OpenApiDocument } from '../../../src/engine/contract/document.ts';
import { type ContractOperation, readDocument, toContract } from '../../../src/engine/contract/load.ts';
import { Place } from '../../../src/engine/contract/members.ts';
import { packageRoot } from '../../../src/engine/contract/package-root.ts';
import { loadControlContract } from '../../../src/engine/control/control-document.ts';
import { isJsonObject, type JsonObject } from '../../../src/engine/core/object.ts';
import { loadContract } from '../../../src/service/document.ts';
import { testServer } from '../../support/server.ts';

test('a document is parsed from the text that is given, also after an edit', () => {
  const text = readFileSync(join(packageRoot(), 'openapi.yaml'), 'utf8');
  expect(readDocument(text)).toEqual(parse(text));
  expect(readDocument(text.replace(/title: .*/, 'title: Edited')).info.title).toBe('Edited');
});

// openapi-generator 7.17 and orval 7 need this.
test('in the contract an object with $ref has no other members, and a server variable has only a default', () => {
  const document = loadContract().document as unknown as JsonObject; // plain data
  expect(crowdedReferencesIn(document)).toEqual([]);
  expect(document.servers).toContainEqual(
    expect.objectContaining({ variables: { base_url: { default: expect.any(String) } } }),
  );
});

test('a member of alternatives is required only if every alternative requires it', () => {
  const properties = { a: { type: 'string' } };
  const required = { properties, required: ['a'] };
  const isRequired = (schema: JsonObject) => new Place([schema]).members.get('a')?.isRequired;
  expect(isRequired({ oneOf: [required, required] })).toBe(true);
  expect(isRequired({ oneOf: [required, { properties }] })).toBe(false);
  expect(isRequired({ allOf: [required, { properties }] })).toBe(true);
});

test('a schema that says nothing allows every member, and an object lists its members unless it says otherwise', () => {
  const isOpen = (schema: JsonObject): boolean => new Place([schema]).isOpen;
  expect([{}, { description: 'Anything.' }, { additionalProperties: true }].map(isOpen)).toEqual([
    true,
    true,
    true,
  ]);
  expect([{ type: 'object' }, { properties: { a: {} } }].map(isOpen)).toEqual([false, false]);
});

test.each([
  ['the contract', loadContract().document],
  ['the control plane', loadControlContract().document],
  ["the console's own calls", loadConsoleContract().document],
])('in %s every operation has a default response', (_name, document) => {
  const { operations } = toContract(document);
  expect(operations.filter(({ definition }) => !('default' in definition.responses))).toEqual([]);
});

test('the control plane promises at most 38 operations, and describes each', () => {
  const { operations } = loadControlContract();
  expect(operations.length).toBeLessThanOrEqual(38);
  expect(
    operations.filter(({ definition }) => !definition.description).map((one) => one.operationId),
  ).toEqual([]);
});

const crowdedReferencesIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const { $ref, ...rest } = value as Record<string, unknown>;
  return typeof $ref === 'string' && Object.keys(rest).length > 0
    ? [$ref]
    : Object.values(value).flatMap(crowdedReferencesIn);
};

// The mock accepts the examples in the OpenAPI documents as they are written.

const server = testServer();

type Operation = ContractOperation<string>;

/** The example bodies of an operation. */
const bodiesOf = (document: OpenApiDocument, { definition }: Operation): unknown[] => {
  const body = dereference(document, definition.requestBody);
  const [media] = isJsonObject(body) && isJsonObject(body.content) ? Object.entries(body.content) : [];
  const [kind, described] = media ?? [];
  const examples = isJsonObject(described) && isJsonObject(described.examples) ? described.examples : {};
  return Object.values(examples).map((example) => {
    const value = isJsonObject(example) && isJsonObject(example.value) ? example.value : {};
    return kind === 'application/json' ? value : new URLSearchParams(Object.entries(value).map(texts));
  });
};

const texts = ([name, value]: [string, unknown]): [string, string] => [name, String(value)];

/**
 * The example queries of an operation, each with the required parameters. Examples of several parameters with the same name
 * form one query; without such examples, each other one forms a query.
 */
const queriesOf = ({ parameters }: Operation): string[] => {
  const inQuery = parameters.filter((one) => one.in === 'query');
  const pairsOf = (name: string, value: unknown) => [value].flat().map((one) => texts([name, one]));
  const needed = inQuery.flatMap(({ name, required, example }) => (required ? pairsOf(name, example) : []));
  const others = inQuery.filter(({ required, example }) => !required && example !== undefined);
  const alone = others.map(({ name, example }) => pairsOf(name, example));
  const sets: Record<string, [string, string][]> = {};
  for (const { name, examples = {} } of inQuery)
    for (const [set, { value }] of Object.entries(examples))
      sets[set] = [...(sets[set] ?? []), ...pairsOf(name, value)];
  const queries = Object.keys(sets).length > 0 ? Object.values(sets) : [[], ...alone];
  return queries.map((query) => String(new URLSearchParams([...needed, ...query])));
};

const pathOf = ({ path, parameters }: Operation): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name) =>
    encodeURIComponent(String(parameters.find((one) => one.name === name)?.example)),
  );

const contract = loadContract();
const basic = `Basic ${Buffer.from('dev-client:dev-secret').toString('base64')}`;

test.each(
  contract.operations.map((operation) => [operation.operationId, operation] as const),
)('%s accepts the examples of its bodies and parameters', async (operationId, operation) => {
  const bodies = bodiesOf(contract.document, operation);
  const queries = queriesOf(operation);
  const calls = [...bodies.map((body) => [queries[0], body]), ...queries.map((query) => [query, bodies[0]])];
  for (const [query, body] of calls) {
    await (await server.mock.environment()).reset();
    const headers = operationId === 'issueToken' ? { authorization: basic } : undefined;
    const path = `${pathOf(operation)}?${query}`;
    const given = { body, ...(headers && { headers }) };
    const { status, text } = await server.call(operation.method.toUpperCase(), path, given);
    if (status >= 300) throw new Error(`${path} ${JSON.stringify(body)}: ${text}`);
  }
});

test.each(
  [loadControlContract(), loadConsoleContract()].flatMap(({ document, operations }) =>
    operations.flatMap((operation) =>
      bodiesOf(document, operation).map((body) => [operation.operationId, body, operation] as const),
    ),
  ),
)('the control plane accepts the example body of %s: %j', async (_id, body, { method, path }) => {
  const { name } = await server.isolated();
  const place = path
    .replace('{env}', name)
    .replace('{kind}', 'users')
    .replace(/\{\w+\}/, 'none');
  const { status, text } = await server.control(method.toUpperCase(), place, body);
  // The things that an example names may be missing here.
  if (status >= 300 && status !== 404) throw new Error(text);
});

test('the patch of express-openapi-validator is applied to the installed package', () => {
  const patch = '.ci/patches/express-openapi-validator+5.6.2.patch';
  const takeBack = () =>
    execFileSync('git', ['apply', '--reverse', '--check', patch], { cwd: packageRoot(), stdio: 'pipe' });
  expect(takeBack).not.toThrow();
});
