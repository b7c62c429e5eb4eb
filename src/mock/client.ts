/** The entry for tests of a mock that runs elsewhere: it loads no server. */
export type { RemoteEnvironment, RemoteMock } from './mock.ts';
export { MockError } from './mock-error.ts';
export { type ConnectOptions, connectMock } from './remote-mock.ts';
