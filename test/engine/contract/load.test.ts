/** What the server needs from the two OpenAPI documents; `npm run lint:contract` checks the rest. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { loadConsoleContract } from '../../../src/console/calls/console-document.ts';
import { type JsonObject, lookUpReference } from '../../../src/engine/contract/document.ts';
import { readDocument, toContract } from '../../../src/engine/contract/load.ts';
import { membersOf, placeOf } from '../../../src/engine/contract/members.ts';
import { packageRoot } from '../../../src/engine/contract/package-root.ts';
import { loadControlContract } from '../../../src/engine/control/control-document.ts';
import { loadContract } from '../../../src/service/document.ts';

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
  const { document } = loadContract();
  const properties = { a: { type: 'string' } };
  const required = { properties, required: ['a'] };
  const isRequired = (schema: JsonObject) => placeOf(document, schema).members.get('a')?.isRequired;
  expect(isRequired({ oneOf: [required, required] })).toBe(true);
  expect(isRequired({ oneOf: [required, { properties }] })).toBe(false);
  expect(isRequired({ allOf: [required, { properties }] })).toBe(true);
});

test('a schema that says nothing allows every member, and an object lists its members unless it says otherwise', () => {
  const { document } = loadContract();
  const isOpen = (schema: JsonObject): boolean => membersOf(document, schema).isOpen;
  expect([{}, { description: 'Anything.' }, { additionalProperties: true }].map(isOpen)).toEqual([
    true,
    true,
    true,
  ]);
  expect([{ type: 'object' }, { properties: { a: {} } }].map(isOpen)).toEqual([false, false]);
});

describe.each([
  ['the contract', loadContract().document],
  ['the control plane', loadControlContract().document],
  ["the console's own calls", loadConsoleContract().document],
])('in %s', (_name, document) => {
  const { operations } = toContract(document);

  test('every operation has a default response', () => {
    expect(operations.filter(({ definition }) => !('default' in definition.responses))).toEqual([]);
  });

  test('every reference has a target', () => {
    expect(referencesIn(document).filter((one) => lookUpReference(document, one) === undefined)).toEqual([]);
  });
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

const referencesIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === '$ref' && typeof member === 'string' ? [member] : referencesIn(member),
  );
};
