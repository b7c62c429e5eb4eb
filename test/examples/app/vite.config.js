import { defineConfig } from 'vite';

export default defineConfig({
  esbuild: { jsx: 'automatic' },
  test: { include: ['test/*.test.js'], globalSetup: 'connected-accounts-mock/vitest/setup' },
});
