/** The entry for tests of a mock that runs in another process; loads no server. */
export { type ConnectOptions, connectMock } from './connect.ts';
export type { MockEnvironment } from './environment.ts';
export type { RemoteMock } from './mock.ts';
export { MockError } from './mock-error.ts';
