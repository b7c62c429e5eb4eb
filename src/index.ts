/** The public API of the package; nothing else is. */
export { createMock, startMock } from './library/create.ts';
export type { Log, LogEntry, LogOption } from './library/log.ts';
export type { Credentials, Mock, MockEnvironment, RemoteEnvironment, RemoteMock } from './library/mock.ts';
export { MockError } from './library/mock-error.ts';
export type { EnvironmentOptions, MockOptions, StartOptions } from './library/options.ts';
export { type ConnectOptions, connectMock } from './library/remote-mock.ts';
export type {
  Clock,
  ClockOptions,
  Coverage,
  Decision,
  Email,
  EmailFilter,
  EmailWait,
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
} from './library/types.ts';
export type { EnvironmentForm, ScenarioForm } from './scenario/written.ts';
