/**
 * Behaviour N1: each name in openapi.yaml, control.yaml and the schema of scenarios is misspelt by one letter where it is
 * used: parts of paths, parameters, and members of bodies and scenarios. The refusal names the right one.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Contract, ContractOperation } from '../../../src/engine/contract/load.ts';
import { bodyOf } from '../../../src/engine/contract/members.ts';
import { packageRoot } from '../../../src/engine/contract/package-root.ts';
import { loadControlContract } from '../../../src/engine/control/control-document.ts';
import { loadContract } from '../../../src/service/document.ts';
import { misspell, silentOnes, told } from '../../support/misspelt.ts';
import { placesIn, type Schema } from '../../support/schema-places.ts';
import { testServer } from '../../support/server.ts';
import { loadScenario } from '../scenario/files.ts';

const server = testServer();

const isOpen = ({ additionalProperties: others }: Schema): boolean =>
  others === true || (typeof others === 'object' && Object.keys(others ?? {}).length === 0);

/** Each member that a schema describes, and a function that puts an object at its place in a whole value. */
const membersOf = (schema: Schema, root: object): [name: string, wrap: (inner: object) => unknown][] => {
  const places = placesIn(schema, root, { isEntered: (inner) => !isOpen(inner) }); // any name is kept in an open object
  const members = places.flatMap(({ field, member }) => (member ? [[field, member] as const] : []));
  return Array.from(new Map(members).values(), ({ name, inObject }) => [name, inObject]);
};

test('behaviour N1: members of scenarios', async () => {
  const schema = JSON.parse(readFileSync(join(packageRoot(), 'fixtures/scenario.schema.json'), 'utf8'));
  const places = { fixturesDir: join(packageRoot(), 'fixtures'), workingDirectory: packageRoot() };
  const found: string[] = [];
  const members = membersOf(schema, schema);
  for (const [name, wrap] of members) {
    const say = (wrong: string) => told(() => loadScenario(wrap({ [wrong]: 1 }) as object, places));
    for (const each of await silentOnes([name], say)) found.push(`${JSON.stringify(wrap({}))} ${each}`);
  }
  expect(members.length).toBeGreaterThan(150);
  expect(found).toEqual([]);
});

/** Makes a call. Returns what its refusal says. */
type Ask = (method: string, path: string, body?: unknown) => Promise<string>;

const askControl: Ask = async (method, path, body) => {
  const { error } = (await server.control(method, path, body)).body;
  return `${error?.message} ${error?.hint}`;
};

/** In strict mode, since other calls may have any further names (behaviour T2). */
const askApi: Ask = async (method, path, body) =>
  (await server.call(method, path, { body, headers: { 'x-mock-strict': '1' } })).body.message ?? '';

const { document, operations } = loadContract();
// The token endpoint ignores other fields (behaviour E3).
const others = operations.filter(({ operationId }) => operationId !== 'issueToken');
const PLANES: [plane: string, contract: Pick<Contract<string>, 'document' | 'operations'>, ask: Ask][] = [
  ['the API', { document, operations: others }, askApi],
  ['the control plane', loadControlContract(), askControl],
];

const placeOf = ({ path, parameters }: ContractOperation<string>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { example = 'x' } = parameters.find((one) => one.name === name) ?? {};
    return name === 'env' ? 'development' : encodeURIComponent(String(example));
  });

test.each(PLANES)('behaviour N1: members of the bodies of %s', async (_plane, contract, ask) => {
  const found: string[] = [];
  for (const operation of contract.operations) {
    const schema = bodyOf(contract.document, operation.definition)?.schema as Schema | undefined;
    for (const [name, wrap] of schema ? membersOf(schema, contract.document) : []) {
      const say = (wrong: string) =>
        ask(operation.method.toUpperCase(), placeOf(operation), wrap({ [wrong]: 1 }));
      const silent = await silentOnes([name], say);
      found.push(...silent.map((each) => `${operation.operationId} ${JSON.stringify(wrap({}))} ${each}`));
    }
  }
  expect(found).toEqual([]);
});

test.each(PLANES)('behaviour N1: parameters of %s', async (_plane, contract, ask) => {
  const found: string[] = [];
  for (const operation of contract.operations) {
    const names = operation.parameters.flatMap(({ in: where, name }) => (where === 'query' ? [name] : []));
    const body = operation.definition.requestBody && {};
    const say = (wrong: string) =>
      ask(operation.method.toUpperCase(), `${placeOf(operation)}?${wrong}=1`, body);
    found.push(...(await silentOnes(names, say)).map((each) => `${operation.operationId} ?${each}`));
  }
  expect(found).toEqual([]);
});

test.each(PLANES)('behaviour N1: paths of %s', async (_plane, contract, ask) => {
  const found: string[] = [];
  for (const operation of contract.operations) {
    const [method, segments] = [operation.method.toUpperCase(), operation.path.split('/')];
    for (const [at, segment] of segments.entries()) {
      if (['', 'api', 'v1'].includes(segment) || segment.startsWith('{')) continue;
      const path = segments
        .with(at, misspell(segment))
        .join('/')
        .replaceAll(/\{\w+\}/g, 'x');
      const said = (await ask(method, path)).replaceAll('/_mock', '');
      if (!said.includes(`Did you mean ${method} ${operation.path}?`)) found.push(`${path}: ${said}`);
    }
  }
  expect(found).toEqual([]);
});
