/** The plugin for Vitest: one line of configuration starts the mock and sets its options. */
import process from 'node:process';
import { variableName } from '../option.ts';

/**
 * Options of `ca-mock start` and of the run, such as `scenario`, `strict` and `minCoverage`. If an environment variable
 * such as `CA_MOCK_STRICT` is set, it overrides the option `strict`.
 */
export type PluginOptions = Readonly<Record<string, string | number | boolean>>;

/** The Vitest plugin, which starts one mock for the whole run. */
const mock = (options: PluginOptions = {}) => ({
  name: 'connected-accounts-mock',
  config: () => {
    for (const [name, value] of Object.entries(options)) process.env[variableName(name)] ??= String(value);
    return { test: { globalSetup: ['connected-accounts-mock/vitest/setup'] } };
  },
});

export default mock;
