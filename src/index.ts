/** The public API of the package; nothing else is. */
import type { Mock } from './library/mock.ts';
import type { MockOptions, StartOptions } from './library/options.ts';

export type { Log, LogEntry, LogOption } from './library/log.ts';
export type { Credentials, Mock, MockEnvironment } from './library/mock.ts';
export type { EnvironmentOptions, MockOptions, StartOptions } from './library/options.ts';

/**
 * Starts a mock that listens. Resolves when the first call will be answered.
 * @throws ScenarioError for a scenario that is wrong, naming every fault; Error for options that do not fit together,
 * or for what the socket said, such as EADDRINUSE
 */
export const startMock = async (_options: StartOptions = {}): Promise<Mock> => {
  throw new Error('Not built yet.');
};

/** The same without a listening port: `mock.fetch` only. @throws as `startMock` */
export const createMock = (_options: MockOptions = {}): Mock => {
  throw new Error('Not built yet.');
};
