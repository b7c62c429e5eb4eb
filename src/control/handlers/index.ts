/** The handlers of all calls, by operationId; the build fails if a handler is missing. */
import type { Handlers } from '../types.ts';
import { coverage } from './coverage.ts';
import { environments } from './environments.ts';
import { events } from './events.ts';
import { faults } from './faults.ts';
import { journal } from './journal.ts';
import { outbox } from './outbox.ts';
import { resources } from './resources.ts';
import { server } from './server.ts';
import { simulation } from './simulation.ts';
import { state } from './state.ts';
import { time } from './time.ts';
import { undo } from './undo.ts';

export const handlers: Handlers = {
  ...server,
  ...environments,
  ...state,
  ...resources,
  ...time,
  ...faults,
  ...journal,
  ...coverage,
  ...outbox,
  ...events,
  ...simulation,
  ...undo,
};
