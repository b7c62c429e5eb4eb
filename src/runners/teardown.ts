/** The global teardown of Jest, which wants it in a separate file. */
export { teardownMock as default } from './setup.ts';
