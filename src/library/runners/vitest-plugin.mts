/** The plugin for Vitest: one line of configuration starts the mock and sets its options. */
import process from 'node:process';
import { inspect, isDeepStrictEqual } from 'node:util';
import { type FlagValues, variableName } from '../option.ts';
import { RUN_OPTIONS, requireOptions } from '../options.ts';

/** Options of `ca-mock start` and of the run. A variable that is set, such as `CA_MOCK_STRICT`, overrides the option `strict`. */
export type PluginOptions = Partial<FlagValues<typeof RUN_OPTIONS>>;

/** The options of the plugins that are in use; the projects of a run share one mock. */
let inUse: PluginOptions | undefined;
let users = 0;

/** The Vitest plugin, which starts one mock for the whole run. @throws TypeError for an unknown or wrong option */
const mock = (options: PluginOptions = {}) => {
  requireOptions(options, RUN_OPTIONS);
  const { scenario } = options;
  if (typeof scenario === 'object')
    throw new TypeError('scenario must be a name or a path here. Write the scenario in a file.');
  return {
    name: 'connected-accounts-mock',
    config: () => {
      if (inUse && !isDeepStrictEqual(inUse, options))
        throw new Error(
          `The projects of a run share one mock, but the plugins of two have different options: ${inspect(inUse)} and ${inspect(options)}. Give both the same options; createTest({ scenario }) chooses a scenario for a file.`,
        );
      inUse = options;
      users += 1;
      for (const [name, value] of Object.entries(options))
        if (value !== undefined) process.env[variableName(name)] ??= String(value);
      return { test: { globalSetup: ['connected-accounts-mock/vitest/setup'] } };
    },
    /** Vite calls this when a server closes; after a change of the configuration it starts a new one. */
    buildEnd: () => {
      users -= 1;
      if (users <= 0) inUse = undefined;
    },
  };
};

export default mock;
