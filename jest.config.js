/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // These need a browser, a packed package or a quiet machine, and are started on their own.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/browser/',
    '<rootDir>/test/clients/',
    '<rootDir>/test/package/',
    '<rootDir>/test/bench/',
  ],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  collectCoverageFrom: ['src/**/*.ts', '!src/*/generated.ts'],
  maxWorkers: 2,
  // A busy machine is no failure; what must be fast is measured by the benchmark.
  testTimeout: 60_000,
};
