import mock from 'connected-accounts-mock/vitest/plugin';
import { defineConfig } from 'vitest/config';

// Without "type": "module", Vitest loads this file as CommonJS, and packages in archives of Yarn by `require`.
export default defineConfig({ plugins: [mock({ scenario: 'default' })] });
