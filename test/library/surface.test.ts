/** What the package exports. A change here affects everyone who uses the package. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import * as library from '../../src/index.ts';

test('the package exports these functions and classes, and nothing else', () => {
  const { default: built } = library as { default?: object };
  expect(Object.keys(built ?? {}).sort()).toEqual(['MockError', 'connectMock', 'createMock', 'startMock']);
});

test('the package exports these types, and nothing else', () => {
  const source = readFileSync(new URL('../../src/index.ts', import.meta.url), 'utf8');
  const types = [...source.matchAll(/export type \{([^}]*)\}|\btype (\w+)/g)].flatMap(
    ([, list = '', one = '']) => [...list.split(','), one].map((name) => name.trim()).filter(Boolean),
  );
  const promised =
    'Account AccountStatus AuthenticationRequest Clock ClockOptions ConnectOptions Coverage Credentials ' +
    'Decision Email EmailFilter EmailWait EnvironmentForm EnvironmentOptions Fault FaultRule HttpArchive ' +
    'Log LogEntry LogOption Membership Mock MockApp MockEnvironment MockOptions RecordedRequest RemoteMock ' +
    'RequestFilter RequestWait ResetOptions ScenarioForm Settings SignIn Snapshot StartOptions StateEvent ' +
    'Timeout Used';
  expect(types.sort()).toEqual(promised.split(' '));
});
