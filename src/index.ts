/** Everything that the main entry of the package exports. */

export { MockError } from './mock/ask.ts';
export { type ConnectOptions, connectMock } from './mock/client.ts';
export { createMock, startMock } from './mock/create.ts';
export type { Credentials, EmailWait, MockEnvironment, RequestWait, Timeout } from './mock/environment.ts';
export type {
  Clock,
  ClockOptions,
  Coverage,
  Decision,
  Email,
  EmailFilter,
  EnvironmentOptions,
  Fault,
  FaultRule,
  HttpArchive,
  RecordedRequest,
  RequestFilter,
  ResetOptions,
  Settings,
  SignIn,
  Snapshot,
  StateEvent,
  Used,
} from './mock/generated.ts';
export type { Log, LogEntry, LogOption } from './mock/log.ts';
export type { Mock, MockApp, RemoteMock } from './mock/mock.ts';
export type { MockOptions, StartOptions } from './mock/options.ts';
export type {
  Account,
  AccountStatus,
  AuthenticationRequest,
  EnvironmentForm,
  Membership,
  ScenarioForm,
} from './mock/types.ts';
