/** Everything that the main entry of the package exports. */

export type {
  Account,
  AccountStatus,
  AuthenticationRequest,
  Clock,
  ClockOptions,
  Coverage,
  Decision,
  Email,
  EmailFilter,
  EnvironmentForm,
  EnvironmentOptions,
  Fault,
  FaultRule,
  HttpArchive,
  Membership,
  Pact,
  RecordedRequest,
  RequestFilter,
  ResetOptions,
  ScenarioForm,
  Settings,
  SignIn,
  Snapshot,
  StateEvent,
  Written,
} from './library/calls.ts';
export { type ConnectOptions, connectMock } from './library/client.ts';
export { createMock, startMock } from './library/create.ts';
export { MockError } from './library/given.ts';
export type { Log, LogEntry, LogOption } from './library/log.ts';
export type { Mock, MockApp, RemoteMock } from './library/mock.ts';
export type {
  Credentials,
  EmailWait,
  MockEnvironment,
  RequestWait,
  Timeout,
} from './library/mock-environment.ts';
export type { MockOptions, StartOptions } from './library/options.ts';
