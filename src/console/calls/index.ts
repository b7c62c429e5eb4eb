/** The console's own calls. Users are not promised them: they can change in any version. */
import type { ControlCalls } from '../../engine/control/plane.ts';
import type { ConsoleHandlers } from './call-types.ts';
import { changes } from './changes.ts';
import { loadConsoleContract } from './console-document.ts';
import { ends } from './ends.ts';
import { forms } from './forms.ts';
import { live } from './live.ts';
import { lookups } from './lookups.ts';
import { rows } from './rows.ts';
import { testsWith, type WriteTests } from './tests.ts';

/** @param writeTests writes recorded calls as a test: the library does, which knows its own methods */
export const readConsoleCalls = (writeTests: WriteTests): ControlCalls => ({
  contract: loadConsoleContract(),
  handlers: handlersWith(writeTests),
  takesText: 'importScenario',
});

/** The handlers by operationId; the build fails if a handler is missing. */
const handlersWith = (writeTests: WriteTests): ConsoleHandlers => ({
  ...rows,
  ...forms,
  ...ends,
  ...live,
  ...lookups,
  ...changes,
  ...testsWith(writeTests),
});
