/**
 * Behaviour N1: each name in openapi.yaml, control.yaml and the schema of scenarios is misspelt by one letter where it is
 * used: parts of paths, parameters, and members of bodies and scenarios. The refusal names the right one. Behaviour N5: every
 * `enum`, `const`, `anyOf` and `oneOf` in there gets wrong values. The refusal is one sentence with the field, the value and
 * what may stand there.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Contract, ContractOperation } from '../../../src/engine/contract/load.ts';
import { mediaOf } from '../../../src/engine/contract/members.ts';
import { packageRoot } from '../../../src/engine/contract/package-root.ts';
import { loadControlContract } from '../../../src/engine/control/control-document.ts';
import { ScenarioError } from '../../../src/engine/scenario/source.ts';
import { loadContract } from '../../../src/service/document.ts';
import { misspell, silentOnes } from '../../support/misspelt.ts';
import { testServer, violationsOf } from '../../support/server.ts';
import { fixturesDir, loadScenario } from '../scenario/files.ts';

const isOpen = ({ additionalProperties: others }: Schema): boolean =>
  others === true || (typeof others === 'object' && Object.keys(others ?? {}).length === 0);

/** Each member that a schema describes, and a function that puts an object at its place in a whole value. */
const membersOf = (schema: Schema, root: object): [name: string, wrap: (inner: object) => unknown][] => {
  const places = placesIn(schema, root, { isEntered: (inner) => !isOpen(inner) }); // any name is kept in an open object
  const members = places.flatMap(({ field, member }) => (member ? [[field, member] as const] : []));
  return Array.from(new Map(members).values(), ({ name, inObject }) => [name, inObject]);
};

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

/** What a refusal says, in all and of each field. */
interface Said {
  readonly text: string;
  readonly fields: readonly { readonly field: string; readonly text: string }[];
}

const WRONG = ['x', 'ACTVE', -1, 0.5, true, null, [], {}, ['x'], [-1]];

/** What is said about a wrong value, if it is not one sentence that names field, value and what may stand there. */
const complaints = async (
  { field, allowed, wrap }: Choice,
  ask: (value: unknown) => Said | Promise<Said>,
): Promise<string[]> => {
  const found: string[] = [];
  let refused = 0;
  for (const value of WRONG) {
    const about = (await ask(wrap(value))).fields.filter((one) => one.field === field);
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

const schema = JSON.parse(readFileSync(join(fixturesDir, 'scenario.schema.json'), 'utf8'));

/** What is said about a scenario. */
const tellOf = (form: unknown): Said => {
  try {
    loadScenario(Object(form), { fixturesDir, workingDirectory: packageRoot() });
    return { text: '', fields: [] };
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    const { violations = [] } = error.extras;
    const fields = violations.map(({ field, description: text }) => ({ field, text }));
    return { text: error.message, fields };
  }
};

test('behaviour N1: members of scenarios', async () => {
  const found: string[] = [];
  const members = membersOf(schema, schema);
  for (const [name, wrap] of members) {
    const silent = await silentOnes([name], (wrong) => tellOf(wrap({ [wrong]: 1 })).text);
    found.push(...silent.map((each) => `${JSON.stringify(wrap({}))} ${each}`));
  }
  expect(members.length).toBeGreaterThan(150);
  expect(found).toEqual([]);
});

test('behaviour N5: scenarios', async () => {
  const choices = choicesIn(schema, schema);
  expect(choices.length).toBeGreaterThan(15);
  expect((await Promise.all(choices.map((choice) => complaints(choice, tellOf)))).flat()).toEqual([]);
});

const server = testServer();
type Operation = ContractOperation<string>;

interface Plane extends Pick<Contract<string>, 'operations'> {
  readonly name: string;
  readonly document: object;
  readonly ask: (method: string, path: string, body?: unknown) => Promise<Said>;
}

const { document, operations } = loadContract();
const PLANES: readonly Plane[] = [
  {
    name: 'the API',
    document,
    // The token endpoint ignores other fields, and has errors of its own (behaviour E3, R3).
    operations: operations.filter(({ operationId }) => operationId !== 'issueToken'),
    ask: async (method, path, body) => {
      // In strict mode, since other calls may have any further names (behaviour T2).
      const answer = await server.call(method, path, { body, headers: { 'x-mock-strict': '1' } });
      const violations = answer.status === 400 ? violationsOf(answer) : [];
      const fields = violations.map(({ field, description: text }) => ({ field, text }));
      return { text: answer.body.message ?? '', fields };
    },
  },
  {
    name: 'the control plane',
    ...loadControlContract(),
    ask: async (method, path, body) => {
      const { error } = (await server.control(method, path, body)).body;
      return { text: `${error?.message} ${error?.hint}`, fields: error?.violations ?? [] };
    },
  },
];

const pathOf = ({ path, parameters }: Operation): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { example = 'x' } = parameters.find((one) => one.name === name) ?? {};
    return name === 'env' ? 'development' : encodeURIComponent(String(example));
  });

const bodyOf = ({ definition }: Operation) => mediaOf(definition.requestBody)?.schema as Schema | undefined;

type Problems = (operation: Operation, plane: Plane) => AsyncIterable<readonly string[]>;

/** For each rule and part of a call: what is wrong with the refusals of an operation. */
const PROBLEMS: Readonly<Record<string, Problems>> = {
  'N1: members of the bodies': async function* (operation, { document, ask }) {
    const schema = bodyOf(operation);
    for (const [name, wrap] of schema ? membersOf(schema, document) : []) {
      const say = async (wrong: string) =>
        (await ask(operation.method.toUpperCase(), pathOf(operation), wrap({ [wrong]: 1 }))).text;
      yield (await silentOnes([name], say)).map((each) => `${JSON.stringify(wrap({}))} ${each}`);
    }
  },
  'N1: parameters': async function* (operation, { ask }) {
    const names = operation.parameters.flatMap(({ in: where, name }) => (where === 'query' ? [name] : []));
    const [at, body] = [pathOf(operation), bodyOf(operation) && {}];
    yield silentOnes(
      names,
      async (wrong) => (await ask(operation.method.toUpperCase(), `${at}?${wrong}=1`, body)).text,
    );
  },
  'N1: paths': async function* (operation, { ask }) {
    const [method, segments] = [operation.method.toUpperCase(), operation.path.split('/')];
    for (const [at, segment] of segments.entries()) {
      if (['', 'api', 'v1'].includes(segment) || segment.startsWith('{')) continue;
      const path = segments
        .with(at, misspell(segment))
        .join('/')
        .replaceAll(/\{\w+\}/g, 'x');
      const said = (await ask(method, path)).text.replaceAll('/_mock', '');
      yield said.includes(`Did you mean ${method} ${operation.path}?`) ? [] : [`${path}: ${said}`];
    }
  },
  'N5: bodies and parameters': async function* (operation, { document, ask }) {
    const [method, at, body] = [operation.method.toUpperCase(), pathOf(operation), bodyOf(operation)];
    for (const choice of body ? choicesIn(body, document) : [])
      yield complaints(choice, (value) => ask(method, at, value));
    for (const { in: place, name, schema } of operation.parameters)
      for (const choice of place === 'query' ? choicesIn(schema as Schema, document, name) : [])
        yield complaints(choice, (value) =>
          ask(method, `${at}?${name}=${encodeURIComponent(String(value))}`, body && {}),
        );
  },
};

test.each(
  PLANES.flatMap((plane) => Object.keys(PROBLEMS).map((rule) => [rule, plane.name, plane] as const)),
)('behaviour %s of %s', async (rule, _name, plane) => {
  const found: string[] = [];
  let checked = 0;
  for (const operation of plane.operations)
    for await (const problems of PROBLEMS[rule]?.(operation, plane) ?? []) {
      checked += 1;
      found.push(...problems.map((each) => `${operation.operationId} ${each}`));
    }
  expect(checked).toBeGreaterThan(rule.startsWith('N5') && plane.name === 'the API' ? 0 : 20);
  expect(found).toEqual([]);
});

// The places of values in a JSON schema, so that wrong names and values can be put at each of them.

interface Schema {
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

type Wrap = (inner: unknown) => unknown;

interface Place {
  readonly schema: Schema;
  /** The path, such as `users[0].email`. An environment that has any name is called `development`. */
  readonly field: string;
  /** Makes a whole value that has this value at the place. */
  readonly wrap: Wrap;
  /** For a member of an object: its name, and `wrap` of the object. */
  readonly member?: { readonly name: string; readonly inObject: Wrap };
}

/** Deeper places are not found, since schemas may contain themselves. */
const DEEPEST = 14;

/** @param root what references are looked up in @param isEntered whether the places inside of a value are wanted too */
const placesIn = (
  schema: Schema,
  root: object,
  { field = '', isEntered = () => true }: { field?: string; isEntered?: (schema: Schema) => boolean } = {},
): readonly Place[] => {
  const visit = (place: Place, depth: number): readonly Place[] => {
    const { schema: given, field, wrap } = place;
    if (depth > DEEPEST) return [];
    if (given.$ref !== undefined) {
      const steps = given.$ref.slice(2).split('/');
      const target = steps.reduce<Schema>((value, step) => Reflect.get(value, step), root);
      return visit({ ...place, schema: target }, depth + 1);
    }
    if (!isEntered(given)) return [place];
    const { items, properties = {}, additionalProperties: others } = given;
    const forms = [...(given.allOf ?? []), ...(given.anyOf ?? []), ...(given.oneOf ?? [])];
    const inner: Place[] = [
      ...forms.map((form) => ({ schema: form, field, wrap })),
      ...(items ? [{ schema: items, field: `${field}[0]`, wrap: (value: unknown) => wrap([value]) }] : []),
      ...Object.entries(properties).map(([name, member]) => ({
        schema: member,
        field: field === '' ? name : `${field}.${name}`,
        wrap: (value: unknown) => wrap({ [name]: value }),
        member: { name, inObject: wrap },
      })),
      ...(typeof others === 'object' && others !== null
        ? [
            {
              schema: others,
              field: `${field}.development`,
              wrap: (value: unknown) => wrap({ development: value }),
            },
          ]
        : []),
    ];
    return [place, ...inner.flatMap((one) => visit(one, depth + 1))];
  };
  return visit({ schema, field, wrap: (value) => value }, 0);
};
