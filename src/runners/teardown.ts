/** The global teardown for Jest, which needs it in a separate file. */
export { teardownMock as default } from './setup.ts';
