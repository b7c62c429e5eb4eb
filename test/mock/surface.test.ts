/** What the package promises to export; a change here is a change for everyone who uses it. */

import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { EnvironmentOptions, Mock, MockEnvironment, RemoteMock, StartOptions } from '../../src/index.ts';
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

type Equal<Left, Right> = [Left, Right] extends [Right, Left] ? true : false;

/** The words of a text. */
type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

type OfMocks = Words<'url environments environment createEnvironment coverage clearCoverage used fetch'>;

type Members = {
  readonly StartOptions: Equal<
    keyof StartOptions,
    | Words<'port host scenario fixtures baseUrl tlsCert tlsKey grpcDescriptors seed clock strict hosted'>
    | Words<'validateResponses watch saveDir controlToken log'>
  >;
  readonly EnvironmentOptions: Equal<
    keyof EnvironmentOptions,
    Words<'scenario from name clock seed settings'>
  >;
  readonly Mock: Equal<keyof Mock, OfMocks | Words<'scenario app close'> | typeof Symbol.asyncDispose>;
  readonly RemoteMock: Equal<keyof RemoteMock, OfMocks>;
  readonly MockEnvironment: Equal<
    keyof MockEnvironment,
    | Words<'id name url credentials reset delete state scenario relativeScenario setState patchState snapshot'>
    | Words<'restore snapshots deleteSnapshot clock setClock advance settings patchSettings requests har'>
    | Words<'clearRequests coverage clearCoverage used outbox save waitForEmail waitForRequest waitForStatus'>
    | Words<'clearOutbox events faults accounts links memberships signIn'>
    | typeof Symbol.asyncDispose
  >;
};

test('mocks, environments and options have exactly the documented members', () => {
  // `npm run typecheck` is the test: this compiles only while every member of the type is `true`.
  const members: Members = {
    StartOptions: true,
    EnvironmentOptions: true,
    Mock: true,
    RemoteMock: true,
    MockEnvironment: true,
  };
  expect(Object.values(members)).not.toContain(false);
});
