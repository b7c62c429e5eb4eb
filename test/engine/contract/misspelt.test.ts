/**
 * Behaviour N1: each name in openapi.yaml, control.yaml and the schema of scenarios is misspelt by one letter where it is
 * used: parts of paths, parameters, and members of bodies and scenarios. The refusal names the right one.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Contract, ContractOperation } from '../../../src/engine/contract/load.ts';
import { mediaOf } from '../../../src/engine/contract/members.ts';
import { packageRoot } from '../../../src/engine/contract/package-root.ts';
import { loadControlContract } from '../../../src/engine/control/control-document.ts';
import type { ScenarioError } from '../../../src/engine/scenario/source.ts';
import { loadContract } from '../../../src/service/document.ts';
import { misspell, silentOnes, told } from '../../support/misspelt.ts';
import { placesIn, type Schema } from '../../support/schema-places.ts';
import { testServer, violationsOf } from '../../support/server.ts';
import { loadScenario } from '../scenario/files.ts';

const server = testServer();
const schema = JSON.parse(readFileSync(join(packageRoot(), 'fixtures/scenario.schema.json'), 'utf8'));
const places = { fixturesDir: join(packageRoot(), 'fixtures'), workingDirectory: packageRoot() };

const isOpen = ({ additionalProperties: others }: Schema): boolean =>
  others === true || (typeof others === 'object' && Object.keys(others ?? {}).length === 0);

/** Each member that a schema describes, and a function that puts an object at its place in a whole value. */
const membersOf = (schema: Schema, root: object): [name: string, wrap: (inner: object) => unknown][] => {
  const places = placesIn(schema, root, { isEntered: (inner) => !isOpen(inner) }); // any name is kept in an open object
  const members = places.flatMap(({ field, member }) => (member ? [[field, member] as const] : []));
  return Array.from(new Map(members).values(), ({ name, inObject }) => [name, inObject]);
};

test('behaviour N1: members of scenarios', async () => {
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
    const schema = mediaOf(operation.definition.requestBody)?.schema as Schema | undefined;
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

// Behaviour N5: a value that must be one of several, or can have several forms, is refused in one sentence with its field,
// the value and what may stand there. Every `enum`, `const`, `anyOf` and `oneOf` of a value in openapi.yaml, control.yaml
// and the schema of scenarios gets wrong values.

/** A value of which the schema lists values or forms, and a function that puts a value at its place. */
interface Choice {
  readonly field: string;
  readonly allowed: readonly unknown[];
  readonly wrap: (value: unknown) => unknown;
}

/** The choices of a schema, one for each field. */
const choicesIn = (given: Schema, root: object, field = ''): readonly Choice[] => {
  const choices = placesIn(given, root, { field }).flatMap(({ schema, field, wrap }): Choice[] => {
    const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
    const isUnion = forms.some(
      (form) => '$ref' in form || 'type' in form || 'enum' in form || 'const' in form,
    );
    const allowed = schema.enum ?? ('const' in schema ? [schema.const] : []);
    return isUnion || allowed.length > 0 ? [{ field, allowed, wrap }] : [];
  });
  return [...new Map(choices.map((one) => [one.field, one])).values()];
};

const WRONG = ['x', 'ACTVE', -1, 0.5, true, null, [], {}, ['x'], [-1]];

interface Said {
  readonly field: string;
  readonly text: string;
}

/** What is said about a wrong value, if it is not one sentence that names field, value and what may stand there. */
const complaints = async (
  { field, allowed, wrap }: Choice,
  ask: (value: unknown) => Promise<readonly Said[]>,
): Promise<string[]> => {
  const found: string[] = [];
  let refused = 0;
  for (const value of WRONG) {
    const about = (await ask(wrap(value))).filter((one) => one.field === field);
    refused += about.length;
    const [first] = about;
    if (!first) continue; // the value is accepted, counts as absent, or is refused deeper inside
    const isOne =
      about.length === 1 &&
      first.text.split(/but must|: must/).length <= 2 &&
      !/exactly one|random\.$.*random/.test(first.text);
    const isClear =
      /(?:is .+, but )?must (?:be|have) /s.test(first.text) &&
      allowed.every((each) => first.text.includes(String(each)));
    if (!isOne || !isClear)
      found.push(`${field} ${JSON.stringify(value)}: ${about.map(({ text }) => text).join(' | ')}`);
  }
  return refused === 0 ? [`${field}: no wrong value is refused`] : found;
};

test('behaviour N5: scenarios', async () => {
  const ask = async (form: unknown): Promise<readonly Said[]> => {
    try {
      loadScenario(Object(form), places);
      return [];
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'ScenarioError') throw error;
      const { violations = [] } = (error as ScenarioError).extras;
      return violations.map(({ field, description }) => ({ field, text: description }));
    }
  };
  const choices = choicesIn(schema, schema);
  expect(choices.length).toBeGreaterThan(15);
  expect((await Promise.all(choices.map((choice) => complaints(choice, ask)))).flat()).toEqual([]);
});

/** What is wrong with the refusals of the choices in all bodies and queries of a plane. @param enough how many choices there must be */
const complaintsOf = async (
  { document, operations }: Pick<Contract<string>, 'document' | 'operations'>,
  enough: number,
  send: (method: string, path: string, body: unknown) => Promise<readonly Said[]>,
): Promise<string[]> => {
  const found: string[] = [];
  let count = 0;
  for (const { method, path, parameters, definition, operationId } of operations) {
    const at = path.replace('{env}', 'development').replaceAll(/\{\w+\}/g, 'x');
    const body = mediaOf(definition.requestBody)?.schema as Schema | undefined;
    const inBody = body ? choicesIn(body, document) : [];
    const inQuery = parameters.flatMap(({ in: place, name, schema }) =>
      place === 'query' ? choicesIn(schema as Schema, document, name) : [],
    );
    const inPlaces = [
      ...inBody.map((choice) => ({ choice, ask: (value: unknown) => send(method, at, value) })),
      ...inQuery.map((choice) => ({
        choice,
        ask: (value: unknown) =>
          send(method, `${at}?${choice.field}=${encodeURIComponent(String(value))}`, body && {}),
      })),
    ];
    count += inPlaces.length;
    for (const { choice, ask } of inPlaces)
      found.push(...(await complaints(choice, ask)).map((each) => `${operationId} ${each}`));
  }
  return count < enough ? [`only ${count} choices were found`] : found;
};

test('behaviour N5: bodies and parameters of the API', async () => {
  const { document, operations } = loadContract();
  // The token endpoint has errors of its own (behaviour R3).
  const others = {
    document,
    operations: operations.filter(({ operationId }) => operationId !== 'issueToken'),
  };
  const send = async (method: string, path: string, body: unknown): Promise<readonly Said[]> => {
    const answer = await server.call(method.toUpperCase(), path, { body, token: 'dev-token' });
    return answer.status === 400
      ? violationsOf(answer).map(({ field, description: text }) => ({ field, text }))
      : [];
  };
  expect(await complaintsOf(others, 1, send)).toEqual([]);
});

test('behaviour N5: bodies and parameters of the control plane', async () => {
  const send = async (method: string, path: string, body: unknown): Promise<readonly Said[]> =>
    (await server.control(method.toUpperCase(), path, body)).body.error?.violations ?? [];
  expect(await complaintsOf(loadControlContract(), 20, send)).toEqual([]);
});
