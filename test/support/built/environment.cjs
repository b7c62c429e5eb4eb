/**
 * Jest loads each package anew for each test file, and the contract's validators are then compiled anew as well: three
 * quarters of the time of a run. What tests import from `src/index.ts` is loaded here instead, once for each worker, as
 * built; a getter, since tests of the pure core need none of it.
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
