/**
 * Loads the built package once for each worker, for tests that import `#mock`. Otherwise Jest would load it for
 * each test file and compile the contract's validators again, which takes three quarters of a run. The package is
 * behind a getter, since tests of the pure core do not need it.
 */
const { AsyncLocalStorage } = require('node:async_hooks');
const { join } = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

const shared = {
  get mock() {
    return require(join(process.env.BUILT_MOCK, 'mock.js'));
  },
  get supertest() {
    return require('supertest');
  },
};

const { run } = AsyncLocalStorage.prototype;
const used = new Set();
AsyncLocalStorage.prototype.run = function (...given) {
  used.add(this);
  return run.apply(this, given);
};

/**
 * Ends the storages of a test file. Jest makes one for each file and leaves it on, so that each promise of the later files
 * would be told to all storages of the earlier ones.
 */
const disableStorages = () => {
  for (const storage of used) storage.disable();
  used.clear();
};

module.exports = class extends TestEnvironment {
  constructor(...given) {
    super(...given);
    this.global.shared = shared;
  }

  async teardown() {
    await super.teardown();
    disableStorages();
  }
};
