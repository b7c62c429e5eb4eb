/** The global setup for Vitest, which accepts only the default export of an ES module. */
export { default, type SetupOptions, setupMock, type Teardown } from './setup.ts';
