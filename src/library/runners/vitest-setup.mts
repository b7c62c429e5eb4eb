/** The global setup for Vitest. It must be an ES module, because Vitest finds no default export in CommonJS code. */
export { default, type SetupOptions, setupMock, type Teardown } from './setup.ts';
