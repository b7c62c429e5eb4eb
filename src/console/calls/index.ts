/** The console's own calls. Users are not promised them: they can change in any version. */
import type { ControlCalls } from '../../engine/control/control-plane.ts';
import type { Environments } from '../../engine/environments/all-environments.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import type { ConsoleHandlers, ConsoleSchemas } from './call-types.ts';
import { changes } from './changes.ts';
import { loadConsoleContract } from './console-document.ts';
import { ends } from './ends.ts';
import { forms } from './forms.ts';
import { live } from './live.ts';
import { lookups } from './lookups.ts';
import { rows } from './rows.ts';

/** Writes recorded calls as a test. @throws Refusal 404 for a call that the journal does not have */
export type CopyAsTests = (
  environment: Environment,
  environments: Environments,
  sequences: readonly number[],
) => ConsoleSchemas['Tests'];

/** @param copyAsTests the library does it, which knows its own methods */
export const readConsoleCalls = (copyAsTests: CopyAsTests): ControlCalls => ({
  contract: loadConsoleContract(),
  handlers: {
    ...{ ...rows, ...forms, ...ends, ...live, ...lookups, ...changes },
    writeTests: ({ body: { sequences } }, { environment, environments }) => ({
      status: 200,
      body: copyAsTests(environment, environments, sequences),
    }),
  } satisfies ConsoleHandlers, // the build fails if a handler is missing
  takesText: 'importScenario',
});
