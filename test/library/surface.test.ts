/** What the package exports. A change here affects everyone who uses the package. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const source = readFileSync(new URL('../../src/index.ts', import.meta.url), 'utf8');
const exported = [...source.matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, type = '', list = '']) =>
  list.split(',').flatMap((name) => (name.trim() === '' ? [] : [type + name.trim()])),
);

test('the package exports these functions and classes, and nothing else', () => {
  const values = exported.filter((name) => !name.startsWith('type '));
  expect(values.sort()).toEqual(['MockError', 'connectMock', 'createMock', 'startMock']);
  expect(source).not.toMatch(/export (?!\{|type \{)/);
});

test('the package exports these types, and nothing else', () => {
  const types = exported.flatMap((name) => (name.startsWith('type ') ? [name.replace('type ', '')] : []));
  const promised =
    'Account AccountStatus AuthenticationRequest Clock ClockOptions ConnectOptions Coverage Credentials ' +
    'Decision Email EmailFilter EmailWait EnvironmentForm EnvironmentOptions Fault FaultRule HttpArchive ' +
    'Log LogEntry LogOption Membership Mock MockApp MockEnvironment MockOptions Pact RecordedRequest RemoteMock ' +
    'RequestFilter RequestWait ResetOptions ScenarioForm Settings SignIn Snapshot StartOptions StateEvent ' +
    'Timeout Written';
  expect(types.sort()).toEqual(promised.split(' '));
});
