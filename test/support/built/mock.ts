/**
 * What tests import as `#mock`: the library. `tsc` and the build for tests read this file; at run time `#mock` is this file's
 * build, which a worker loads once (`mock.cjs`).
 */
export * from '../../../src/index.ts';
