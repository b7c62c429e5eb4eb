/** The public API of the package; nothing else is. */
export { createMock, startMock } from './library/create.ts';
export type { Log, LogEntry, LogOption } from './library/log.ts';
export type { Credentials, Mock, MockEnvironment } from './library/mock.ts';
export type { EnvironmentOptions, MockOptions, StartOptions } from './library/options.ts';
