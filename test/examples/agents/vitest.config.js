import mock from 'connected-accounts-mock/vitest/plugin';
import { defineConfig } from 'vitest/config';

export default defineConfig({ plugins: [mock({ scenario: 'agents' })] });
