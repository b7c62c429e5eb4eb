/** The console's own calls as types, derived from `console.yaml`. */
import type { HandlersOf } from '../../engine/control/call-types.ts';
import type { components, operations } from './generated.ts';

export type ConsoleSchemas = components['schemas'];
export type ConsoleHandlers = HandlersOf<operations>;
