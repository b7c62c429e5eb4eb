import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { globalSetup: 'connected-accounts-mock/vitest/setup' } });
