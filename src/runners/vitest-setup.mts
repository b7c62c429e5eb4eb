/** The global setup for Vitest, which takes the default export of ES modules alone. */
export { default, type SetupOptions, setupMock, type Teardown } from './setup.ts';
