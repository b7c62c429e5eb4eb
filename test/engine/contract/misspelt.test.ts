/**
 * Behaviour N1: each name in openapi.yaml, control.yaml and the schema of scenarios is misspelt by one letter where it is
 * used: parts of paths, parameters, and members of bodies and scenarios. The refusal names the right one. Behaviour N5: every
 * `enum`, `const`, `anyOf` and `oneOf` in there gets wrong values. The refusal is one sentence with the field, the value and
 * what may stand there.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { dereference } from '../../../src/engine/contract/document.ts';
import type { ContractOperation } from '../../../src/engine/contract/load.ts';
import { Place } from '../../../src/engine/contract/members.ts';
import { packageRoot } from '../../../src/engine/contract/package-root.ts';
import { loadControlContract } from '../../../src/engine/control/control-document.ts';
import { hasMembers, isJsonObject } from '../../../src/engine/core/object.ts';
import { ScenarioError } from '../../../src/engine/scenario/source.ts';
import { loadContract } from '../../../src/service/document.ts';
import { misspell, silentOnes } from '../../support/misspelt.ts';
import { testServer, violationsOf } from '../../support/server.ts';
import { fixturesDir, loadScenario } from '../scenario/files.ts';

type Wrap = (inner: unknown) => unknown;

/** A place inside of a value. */
interface Spot {
  readonly place: Place;
  /** The path, such as `users[0].email`. An environment that has any name is called `development`. */
  readonly field: string;
  /** Makes a whole value that has this value at the place. */
  readonly wrap: Wrap;
  /** For a member of an object: its name, and `wrap` of the object. */
  readonly member?: readonly [name: string, inObject: Wrap];
}

/** A place, and all in it. @param isClosed whether the places inside of one are not wanted */
const spotsIn = (
  place: Place,
  isClosed: (place: Place) => boolean = () => false,
  spot: Omit<Spot, 'place'> = { field: '', wrap: (value) => value },
): readonly Spot[] => {
  const { field, wrap } = spot;
  const inside = (name: string) => ({
    field: field === '' ? name : `${field}.${name}`,
    wrap: (value: unknown) => wrap({ [name]: value }),
  });
  const { items, members, others } = place;
  if (isClosed(place)) return [{ place, ...spot }];
  return [
    { place, ...spot },
    ...(items ? spotsIn(items, isClosed, { field: `${field}[0]`, wrap: (value) => wrap([value]) }) : []),
    ...Array.from(members, ([name, one]) =>
      spotsIn(one, isClosed, { ...inside(name), member: [name, wrap] }),
    ).flat(),
    ...(others ? spotsIn(others, isClosed, inside('development')) : []),
  ];
};

/** Whether an object keeps any name. */
const keepsAny = ({ forms }: Place): boolean =>
  forms.some(
    ({ additionalProperties: others }) => others === true || (isJsonObject(others) && !hasMembers(others)),
  );

/** For each member inside a place, whether the refusal of its misspelt name names the right one. */
async function* silentMembers(place: Place, ask: Ask): Told {
  for (const { member } of spotsIn(place, keepsAny)) {
    if (!member) continue;
    const [name, wrap] = member;
    const silent = await silentOnes([name], async (wrong) => (await ask(wrap({ [wrong]: 1 }))).text);
    yield silent.map((each) => `${JSON.stringify(wrap({}))} ${each}`);
  }
}

/** What a refusal says, in all and of each field. */
interface Said {
  readonly text: string;
  readonly fields: readonly { readonly field: string; readonly text: string }[];
}

type Ask = (value: unknown) => Said | Promise<Said>;

/** What is wrong with refusals, for each name or value that was checked. */
type Told = AsyncGenerator<readonly string[]>;

const WRONG = ['x', 'ACTVE', -1, 0.5, true, null, [], {}, ['x'], [-1]];

/** What is said about wrong values where the schema lists values or forms, if it is not one clear sentence. */
async function* unclearChoices(place: Place, ask: Ask): Told {
  for (const { place: choice, field, wrap } of spotsIn(place)) {
    const { forms, values } = choice;
    const isListed = (form: unknown) => ['type', 'enum', 'const'].some((keyword) => keyword in Object(form));
    const isUnion = forms.some(({ anyOf = [], oneOf = [] }) => [anyOf, oneOf].flat().some(isListed));
    const allowed = [...values, ...forms.flatMap((form) => ('const' in form ? [form.const] : []))];
    if (isUnion || allowed.length > 0) yield complaints(field, allowed, (value) => ask(wrap(value)));
  }
}

/** What is said about a wrong value, if it is not one sentence that names field, value and what may stand there. */
const complaints = async (field: string, allowed: readonly unknown[], ask: Ask): Promise<string[]> => {
  const found: string[] = [];
  let refused = 0;
  for (const value of WRONG) {
    const about = (await ask(value)).fields.filter((one) => one.field === field);
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

/** Expects that more than so many names or values were checked, and that nothing was wrong. */
const expectClear = async (told: Told, least: number): Promise<void> => {
  const found: (readonly string[])[] = [];
  for await (const problems of told) found.push(problems);
  expect(found.flat()).toEqual([]);
  expect(found.length).toBeGreaterThan(least);
};

const schema = JSON.parse(readFileSync(join(fixturesDir, 'scenario.schema.json'), 'utf8'));
const SCENARIO = new Place([dereference(schema, schema)]);

const loads: Ask = (form) => {
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

test('behaviour N1: members of scenarios', () => expectClear(silentMembers(SCENARIO, loads), 150));

test('behaviour N5: scenarios', () => expectClear(unclearChoices(SCENARIO, loads), 15));

const server = testServer();
type Operation = ContractOperation<string>;
type Send = (method: string, path: string, body?: unknown) => Promise<Said>;

const callsApi: Send = async (method, path, body) => {
  // In strict mode, since other calls may have any further names (behaviour T2).
  const answer = await server.call(method, path, { body, headers: { 'x-mock-strict': '1' } });
  const violations = answer.status === 400 ? violationsOf(answer) : [];
  const fields = violations.map(({ field, description: text }) => ({ field, text }));
  return { text: answer.body.message ?? '', fields };
};

const controls: Send = async (method, path, body) => {
  const { error } = (await server.control(method, path, body)).body;
  return { text: `${error?.message} ${error?.hint}`, fields: error?.violations ?? [] };
};

const PLANES: readonly (readonly [name: string, operations: readonly Operation[], send: Send])[] = [
  // The token endpoint ignores other fields, and has errors of its own (behaviour E3, R3).
  ['the API', loadContract().operations.filter(({ operationId }) => operationId !== 'issueToken'), callsApi],
  ['the control plane', loadControlContract().operations, controls],
];

const methodOf = ({ method }: Operation): string => method.toUpperCase();

/** Calls an operation. @param tail what follows its path */
const callOf = (operation: Operation, send: Send, tail: string, body?: unknown): Promise<Said> => {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { example = 'x' } = operation.parameters.find((one) => one.name === name) ?? {};
    return name === 'env' ? 'development' : encodeURIComponent(String(example));
  });
  return send(methodOf(operation), path + tail, body);
};

/** For each rule and part of a call: what is wrong with the refusals of an operation. */
const PROBLEMS: Readonly<Record<string, (operation: Operation, send: Send) => Told>> = {
  'N1: members of the bodies': (operation, send) =>
    silentMembers(operation.body, (body) => callOf(operation, send, '', body)),
  'N1: parameters': async function* (operation, send) {
    const ask = (wrong: string) => callOf(operation, send, `?${wrong}=1`, operation.kind && {});
    yield silentOnes(operation.query.members.keys(), async (wrong) => (await ask(wrong)).text);
  },
  'N1: paths': async function* (operation, send) {
    const segments = operation.path.split('/');
    for (const [at, segment] of segments.entries()) {
      if (['', 'api', 'v1'].includes(segment) || segment.startsWith('{')) continue;
      const wrong = segments.with(at, misspell(segment)).join('/');
      const path = wrong.replaceAll(/\{\w+\}/g, 'x');
      const said = (await send(methodOf(operation), path)).text.replaceAll('/_mock', '');
      const right = `${methodOf(operation)} ${operation.path}`;
      yield said.includes(`Did you mean ${right}?`) ? [] : [`${path}: ${said}`];
    }
  },
  'N5: bodies and parameters': async function* (operation, send) {
    yield* unclearChoices(operation.body, (body) => callOf(operation, send, '', body));
    yield* unclearChoices(operation.query, (query) => {
      const pairs = Object.entries(Object(query)).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      return callOf(operation, send, `?${new URLSearchParams(pairs)}`, operation.kind && {});
    });
  },
};

test.each(
  PLANES.flatMap((plane) => Object.keys(PROBLEMS).map((rule) => [rule, ...plane] as const)),
)('behaviour %s of %s', async (rule, plane, operations, send) => {
  const all = async function* (): Told {
    for (const operation of operations)
      for await (const problems of PROBLEMS[rule]?.(operation, send) ?? [])
        yield problems.map((each) => `${operation.operationId} ${each}`);
  };
  await expectClear(all(), rule.startsWith('N5') && plane === 'the API' ? 0 : 20);
});
