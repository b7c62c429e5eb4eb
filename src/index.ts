/** The public API of the package; nothing else is. */
export { createMock, startMock } from './mock/create.ts';
export type { Log, LogEntry, LogOption } from './mock/log.ts';
export type { Mock, MockApp, MockEnvironment, RemoteEnvironment, RemoteMock } from './mock/mock.ts';
export { MockError } from './mock/mock-error.ts';
export type { EnvironmentOptions, MockOptions, StartOptions } from './mock/options.ts';
export { type ConnectOptions, connectMock } from './mock/remote-mock.ts';
export type {
  Account,
  AccountStatus,
  AuthenticationRequest,
  Clock,
  ClockOptions,
  Coverage,
  Credentials,
  Decision,
  Email,
  EmailFilter,
  EmailWait,
  Fault,
  FaultRule,
  HttpArchive,
  Membership,
  RecordedRequest,
  RequestFilter,
  RequestWait,
  ResetOptions,
  Settings,
  SignIn,
  Snapshot,
  StateEvent,
  Timeout,
} from './mock/types.ts';
export type { EnvironmentForm, ScenarioForm } from './scenario/sections/index.ts';
