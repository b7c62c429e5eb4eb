/** Proofs that take minutes: `npm run test:all` runs them too, and so does a run that names files itself. */
const LONG = [
  'cli/exec',
  'cli/running',
  'cli/start',
  'control/isolation',
  'control/workers',
  'examples/guides',
  'examples/pages',
  'fuzz/raw-http',
  'grpc/differential',
  'grpc/faults',
  'grpc/fuzz',
  'grpc/guide',
  'http/same-verdict',
  'mock/save-large',
  'model',
  'replicas',
  'runners/entries',
  'security/bombs',
  'security/patterns',
  'verify/hostile',
  'verify/runner',
  'verify/suite',
  'verify/verify-command',
];
const isNamed = process.argv.some((argument) => argument.startsWith('test/'));

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // These need a browser, a packed package or a quiet machine, and are started on their own.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/browser/',
    '<rootDir>/test/clients/',
    '<rootDir>/test/examples/vitest/',
    '<rootDir>/test/package/',
    '<rootDir>/test/bench/',
    ...(isNamed ? [] : LONG.map((name) => `<rootDir>/test/${name}`)),
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
  // Modules of a file that was run are never freed: a worker would grow by 30 MB with each, and end late.
  workerIdleMemoryLimit: '700MB',
  // A busy machine is no failure; what must be fast is measured by the benchmark.
  testTimeout: 60_000,
};
