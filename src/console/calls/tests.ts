/** Recorded calls as a test that makes them again. */
import type { Environments } from '../../engine/environments/all-environments.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import type { ConsoleHandlers, ConsoleSchemas } from './call-types.ts';

/** @throws Refusal 404 for a call that the journal does not have */
export type WriteTests = (
  environment: Environment,
  environments: Environments,
  sequences: readonly number[],
) => ConsoleSchemas['Tests'];

/** @param write the library does it, which knows its own methods */
export const testsWith = (write: WriteTests) =>
  ({
    writeTests: ({ body: { sequences } }, { environment, environments }) => ({
      status: 200,
      body: write(environment, environments, sequences),
    }),
  }) satisfies Partial<ConsoleHandlers>;
