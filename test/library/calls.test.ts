/** The library has a method for each call that the control plane's document promises. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Ask } from '../../src/library/ask.ts';
import { EnvironmentCalls } from '../../src/library/calls.ts';
import { MockClient } from '../../src/library/mock.ts';

/** Calls that code has no use for, or makes in another way. */
const WITHOUT_METHOD: Readonly<Record<string, string>> = {
  getHealth: 'connectMock asks for it',
  putEnvironment: 'for shells, which cannot keep the name that POST gives; createEnvironment',
};

interface Operation {
  readonly operationId: string;
}

/** The operations of the document, with their method and a pattern of their path. */
const readOperations = (file: string) => {
  const document = parse(readFileSync(file, 'utf8'));
  return Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs)
      .filter(([verb]) => verb !== 'parameters')
      .map(([verb, { operationId }]) => ({
        id: operationId,
        method: verb.toUpperCase(),
        path: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
      })),
  );
};

const OBJECTS = ['faults', 'accounts', 'links', 'memberships'] as const;

/** The methods that refuse arguments. */
const NONE =
  'state scenario relativeScenario snapshots clock settings clearRequests coverage clearCoverage used clearOutbox events list clear'.split(
    ' ',
  );
const FILTERED = ['requests', 'har', 'outbox'];
const argumentsOf = (name: string): readonly unknown[] =>
  NONE.includes(name) ? [] : FILTERED.includes(name) ? [{}] : ['a', 'b'];

/** Calls every method once. @returns method and path of the calls to the control plane */
const callEveryMethod = async (): Promise<readonly string[]> => {
  const calls: string[] = [];
  const ask = (async (method: string, path: string) => {
    calls.push(`${method} ${path}`);
    return { environments: [] };
  }) as unknown as Ask;
  const env = new EnvironmentCalls(ask, 'env_1');
  for (const object of [new MockClient(ask, ''), env, ...OBJECTS.map((name) => env[name])])
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(object)))
      if (name !== 'constructor') await Reflect.get(object, name).apply(object, argumentsOf(name));
  return calls;
};

test('each call that the control plane promises has a method, and each method makes such a call', async () => {
  const operations = readOperations('src/server/control/control.yaml');
  const known = [...operations, ...readOperations('src/console/console.yaml')];
  const calls = await callEveryMethod();
  const unknown = calls.filter((call) => {
    const [method, path = ''] = call.split(' ');
    return !known.some((one) => one.method === method && one.path.test(path));
  });
  expect(unknown).toEqual([]);
  const without = operations.filter(
    (one) =>
      !calls.some((call) => call.startsWith(`${one.method} `) && one.path.test(call.split(' ')[1] ?? '')),
  );
  expect(without.map(({ id }) => id).sort()).toEqual(Object.keys(WITHOUT_METHOD).sort());
});
