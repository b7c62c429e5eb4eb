/** The handlers of all calls, by operationId; the build fails if a handler is missing. */
import type { Handlers } from '../types.ts';
import { coverage } from './coverage.ts';
import { environments } from './environments.ts';
import { faults } from './faults.ts';
import { records } from './records.ts';
import { resources } from './resources.ts';
import { simulation } from './simulation.ts';
import { state } from './state.ts';

export const handlers: Handlers = {
  ...environments,
  ...state,
  ...resources,
  ...faults,
  ...records,
  ...coverage,
  ...simulation,
};
