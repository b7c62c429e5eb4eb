/**
 * What tests import as `#mock`: the library, and the classes of the errors that it throws. `tsc` and the build for tests
 * read this file; at run time `#mock` is this file's build, which a worker loads once (`mock.cjs`).
 */
export { Refusal } from '../../../src/engine/core/errors.ts';
export { ScenarioError } from '../../../src/engine/scenario/source.ts';
export * from '../../../src/index.ts';
