import { defineConfig } from '@playwright/test';

const PORT = process.env.PORT ?? '3000';

export default defineConfig({
  testMatch: 'test/*.spec.js',
  fullyParallel: true,
  workers: 4,
  reporter: 'line',
  // The application gets the address and the credentials of the mock from ca-mock exec, once for all tests.
  webServer: { command: 'node server.js', port: Number(PORT), env: { PORT } },
  use: {
    baseURL: `http://localhost:${PORT}`,
    // Uses an installed browser instead of the browser that Playwright downloads.
    ...(process.env.CHROMIUM && {
      launchOptions: { executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] },
    }),
  },
});
