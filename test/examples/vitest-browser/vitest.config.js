import { playwright } from '@vitest/browser-playwright';
import mock from 'connected-accounts-mock/vitest/plugin';
import { defineConfig } from 'vitest/config';

const launchOptions = { executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] };
const browser = {
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({ launchOptions }),
  instances: [{ browser: 'chromium' }],
};

// Both projects use the same mock.
export default defineConfig({
  plugins: [mock({ scenario: 'default' })],
  test: {
    testTimeout: 60_000, // the machine may be busy
    projects: [
      { extends: true, test: { name: 'page', include: ['page.test.js'], browser } },
      { extends: true, test: { name: 'node', include: ['node.test.js'] } },
    ],
  },
});
