/**
 * Loads the built package once for each worker, for tests that import `src/index.ts`. Otherwise Jest would load it for
 * each test file and compile the contract's validators again, which takes three quarters of a run. The package is
 * behind a getter, since tests of the pure core do not need it.
 */
const { join } = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

const shared = {
  get library() {
    return require(join(process.env.CA_MOCK_BUILT, 'index.js'));
  },
  get supertest() {
    return require('supertest');
  },
};

module.exports = class extends TestEnvironment {
  constructor(...given) {
    super(...given);
    this.global.shared = shared;
  }
};
