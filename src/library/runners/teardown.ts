/** The global teardown for Jest. Jest needs setup and teardown in separate files. */
export { teardownMock as default } from './setup.ts';
