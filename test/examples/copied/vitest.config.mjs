import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['vitest/*.test.js'],
    globalSetup: 'connected-accounts-mock/vitest/setup',
    testTimeout: 60_000, // the machine may be busy
  },
});
