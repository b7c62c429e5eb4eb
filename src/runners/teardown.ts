/** The global teardown of Jest, which wants a file of its own. */
export { teardownMock as default } from './setup.ts';
