/** The console's own calls. Users are not promised them: they can change in any version. */
import type { ControlCalls } from '../../engine/control/plane.ts';
import type { ConsoleHandlers } from './call-types.ts';
import { changes } from './changes.ts';
import { loadConsoleContract } from './console-document.ts';
import { live } from './live.ts';
import { lookups } from './lookups.ts';
import { rows } from './rows.ts';

/** The handlers by operationId; the build fails if a handler is missing. */
const handlers: ConsoleHandlers = { ...rows, ...live, ...lookups, ...changes };

export const readConsoleCalls = (): ControlCalls => ({
  contract: loadConsoleContract(),
  handlers,
  takesText: 'importScenario',
});
