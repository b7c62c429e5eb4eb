import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'playwright',
  reporter: 'line',
  globalSetup: 'connected-accounts-mock/playwright/setup',
});
