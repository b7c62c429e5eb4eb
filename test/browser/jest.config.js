// Tests in a real browser, started on their own: npm run test:browser.
import { readFileSync } from 'node:fs';

const { jest: shared } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** @type {import('jest').Config} */
export default {
  ...shared,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
