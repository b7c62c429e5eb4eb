// Tests in a real browser; started on their own: npm run test:browser.
import shared from '../../jest.config.js';

/** @type {import('jest').Config} */
export default {
  ...shared,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // One browser at a time: what is measured here must not wait for another.
  maxWorkers: 1,
};
